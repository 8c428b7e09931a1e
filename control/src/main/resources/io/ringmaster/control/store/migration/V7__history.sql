-- What the cluster was like, a row a minute; NULL: nobody looked, and only counts are known. Numbers
-- of this size need no more than 4 bytes.
CREATE TABLE sample (
  at_s ${wide} PRIMARY KEY,
  gpus REAL,
  held_gpus REAL,
  waiting_jobs REAL,
  waiting_gpus REAL,
  spread_jobs REAL,
  sharing_jobs REAL,
  starts REAL NOT NULL,
  start_wait_s REAL NOT NULL,
  restarts REAL NOT NULL,
  lost_gpu_s REAL NOT NULL
);

-- Jobs that ended are looked for by when they did and by what they are called.
ALTER TABLE job ADD COLUMN name TEXT NOT NULL DEFAULT '';
UPDATE job SET name = coalesce(${name_in_spec}, '');
CREATE INDEX job_ended ON job (ended_s);
