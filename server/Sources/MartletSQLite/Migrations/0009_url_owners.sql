-- Who named the address that a credential leads to: the operator, who may name private ones, or the holder of a key of the
-- one app. Of what is here already nobody knows; it was the operator where no other key could have stored it.

ALTER TABLE credentials ADD COLUMN is_url_of_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_url_of_operator IN (0, 1));

-- scope: 1 admin.
UPDATE credentials SET is_url_of_operator = 1
WHERE url IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM api_keys k WHERE k.app_id = credentials.app_id AND k.scope = 1);
