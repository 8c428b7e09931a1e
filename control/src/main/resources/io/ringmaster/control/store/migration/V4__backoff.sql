-- How long a job waits after an attempt that came to nothing, and until when; and whether it is to
-- be killed at once when it is stopped.
ALTER TABLE job ADD COLUMN backoff_s DOUBLE PRECISION DEFAULT 0;
ALTER TABLE job ADD COLUMN backoff_until_s DOUBLE PRECISION;
ALTER TABLE job ADD COLUMN forced BOOLEAN NOT NULL DEFAULT FALSE;
