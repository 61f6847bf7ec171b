-- What an access key may do, and nothing left of the secrets of those that were revoked.

-- A list of rules as JSON; none for a key that may do everything.
ALTER TABLE access_keys ADD COLUMN allowed TEXT;

UPDATE access_keys SET sealed = x'' WHERE revoked_at IS NOT NULL;
