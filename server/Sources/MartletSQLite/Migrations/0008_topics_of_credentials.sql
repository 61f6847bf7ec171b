-- Topics that were pushed to with a credential: whether the provider has taken a push, or has so far only said of tokens
-- that they belong to another app.

CREATE TABLE credential_topics (
    credential_id INTEGER NOT NULL REFERENCES credentials (id) ON DELETE CASCADE,
    topic TEXT NOT NULL,
    -- 0 refused, 1 accepted.
    standing INTEGER NOT NULL CHECK (standing IN (0, 1)),
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (credential_id, topic)
) STRICT, WITHOUT ROWID;

-- What is said about tokens pauses nothing any more.
DELETE FROM pauses WHERE reason = 'DeviceTokenNotForTopic';
