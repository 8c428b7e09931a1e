-- A priority that somebody gave a job after it was submitted. NULL: it has that of its description.
ALTER TABLE job ADD COLUMN priority INTEGER;
