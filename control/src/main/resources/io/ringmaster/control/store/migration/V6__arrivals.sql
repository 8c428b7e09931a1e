-- What the place calls a job that people gave to the place itself. Each becomes one job, for ever.
ALTER TABLE job ADD COLUMN arrival TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX job_arrival ON job (arrival) WHERE arrival <> '';
