-- What is measured of a job as it goes.
ALTER TABLE job ADD COLUMN asked_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN stop_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN began_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN start_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN first_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN first_share DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN last_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN advances INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN predicted_rate DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN restart_s DOUBLE PRECISION DEFAULT 0;

-- What attempts were measured to take: the last ones of each kind.
CREATE TABLE measured (
  kind TEXT NOT NULL,
  serial ${wide} NOT NULL,
  at_s DOUBLE PRECISION,
  job ${wide} NOT NULL,
  attempt INTEGER NOT NULL,
  model TEXT NOT NULL,
  job_group TEXT NOT NULL,
  workers INTEGER NOT NULL,
  servers INTEGER NOT NULL,
  most_on_one INTEGER NOT NULL,
  seconds DOUBLE PRECISION,
  weight DOUBLE PRECISION,
  mini_batches DOUBLE PRECISION,
  PRIMARY KEY (kind, serial)
);

-- The predictor of lengths looks at the jobs themselves.
DROP TABLE finished;
