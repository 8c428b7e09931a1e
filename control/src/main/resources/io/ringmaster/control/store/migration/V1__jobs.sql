-- One file for both databases. SQLite's INTEGER has 64 bits and, as primary key, needs no index
-- of its own; PostgreSQL's has 32. So wide numbers are ${wide}. Times are seconds since 1970.

CREATE TABLE leader (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  term ${wide} NOT NULL
);
INSERT INTO leader (one, term) VALUES (1, 0);

CREATE TABLE job (
  id ${wide} PRIMARY KEY,
  owner TEXT NOT NULL,
  submit_key TEXT NOT NULL,
  state TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  held TEXT,
  target TEXT,
  failures INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  restarts INTEGER NOT NULL,
  submitted_s DOUBLE PRECISION,
  eligible_s DOUBLE PRECISION,
  started_s DOUBLE PRECISION,
  attempt_s DOUBLE PRECISION,
  ended_s DOUBLE PRECISION,
  ran_s DOUBLE PRECISION,
  attained_gpu_s DOUBLE PRECISION,
  done_share DOUBLE PRECISION,
  learning_rate_scale DOUBLE PRECISION,
  exit_code INTEGER,
  reason TEXT NOT NULL,
  spec TEXT NOT NULL
);
CREATE UNIQUE INDEX job_submit_key ON job (owner, submit_key) WHERE submit_key <> '';
CREATE INDEX job_state ON job (state, id);
CREATE INDEX job_owner ON job (owner, state, id);

-- Counting 100,000 rows at each look at the queue would take longer than the look.
CREATE TABLE job_count (
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  jobs ${wide} NOT NULL,
  PRIMARY KEY (owner, state)
);

CREATE TABLE finished (
  owner TEXT NOT NULL,
  job_group TEXT NOT NULL,
  sum_s DOUBLE PRECISION NOT NULL,
  jobs ${wide} NOT NULL,
  PRIMARY KEY (owner, job_group)
);

CREATE TABLE entry (
  serial ${wide} PRIMARY KEY,
  at_s DOUBLE PRECISION,
  job ${wide} NOT NULL,
  owner TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  allocation TEXT NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX entry_job ON entry (job, serial);

CREATE TABLE node (
  name TEXT PRIMARY KEY,
  gpus INTEGER NOT NULL,
  up BOOLEAN NOT NULL,
  drained BOOLEAN NOT NULL,
  reason TEXT NOT NULL
);

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE token (
  id ${numbered},
  owner TEXT NOT NULL,
  role TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_s DOUBLE PRECISION,
  expires_s DOUBLE PRECISION
);
