-- What an engine finds of a node. NULL: not counted, or not known. The path and the labels are JSON.
ALTER TABLE node ADD COLUMN gpu TEXT NOT NULL DEFAULT '';
ALTER TABLE node ADD COLUMN cpus DOUBLE PRECISION;
ALTER TABLE node ADD COLUMN memory_bytes DOUBLE PRECISION;
ALTER TABLE node ADD COLUMN nic_bytes_per_s DOUBLE PRECISION;
ALTER TABLE node ADD COLUMN path TEXT NOT NULL DEFAULT '[]';
ALTER TABLE node ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';

-- What jobs hold there that the plane did not start.
ALTER TABLE node ADD COLUMN others_gpus INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN others_cpus DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN others_memory_bytes DOUBLE PRECISION NOT NULL DEFAULT 0;
