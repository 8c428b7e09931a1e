-- What the jobs of each user held, a row an hour.
CREATE TABLE usage (
  at_s ${wide} NOT NULL,
  owner TEXT NOT NULL,
  gpu_s DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (at_s, owner)
);
