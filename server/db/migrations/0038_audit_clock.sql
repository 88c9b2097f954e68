-- A line has the time at which it was written, after the locks of its transaction: what others did while it waited for
-- them is earlier.
alter table audit alter column at set default clock_timestamp();
