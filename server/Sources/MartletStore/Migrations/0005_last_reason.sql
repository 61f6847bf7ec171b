-- What came of the attempt before, where a batch is tried again; its key says when that was.
ALTER TABLE batches ADD COLUMN last_reason text;
