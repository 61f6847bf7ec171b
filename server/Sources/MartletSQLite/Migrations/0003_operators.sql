-- From where operators have signed in: wrong passwords of strangers do not keep these out.
CREATE TABLE operator_browsers (
    operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    -- Of the secret in the browser's cookie.
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    address TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (operator_id, hash)
) STRICT, WITHOUT ROWID;

-- Where who is signed in now signed in from. No browser has the secret.
INSERT INTO operator_browsers (operator_id, hash, address, used_at)
SELECT operator_id, hash, address, used_at FROM operator_sessions;

-- What an operator has written and reviews before it is sent.
CREATE TABLE send_reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    -- The fields as a form sends them.
    form TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX send_reviews_operator ON send_reviews (operator_id, id);
CREATE INDEX send_reviews_age ON send_reviews (created_at, id);
