-- What a job has to do again, and whether it is known to have left a checkpoint.
ALTER TABLE job ADD COLUMN lost_s DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN lost_gpu_s DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN saved BOOLEAN NOT NULL DEFAULT FALSE;
