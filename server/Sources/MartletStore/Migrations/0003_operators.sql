-- From where operators have signed in: wrong passwords of strangers do not keep these out.
CREATE TABLE operator_browsers (
    operator_id bigint NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    -- Of the secret in the browser's cookie.
    hash bytes NOT NULL CHECK (length(hash) = 32),
    address text NOT NULL,
    used_at bigint NOT NULL,
    PRIMARY KEY (operator_id, hash)
) WITHOUT ROWID;

-- Where who is signed in now signed in from. No browser has the secret.
INSERT INTO operator_browsers (operator_id, hash, address, used_at)
SELECT operator_id, hash, address, used_at FROM operator_sessions;

-- What an operator has written and reviews before it is sent.
CREATE TABLE send_reviews (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    operator_id bigint NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    -- The fields as a form sends them.
    form text NOT NULL,
    created_at bigint NOT NULL
);

CREATE INDEX send_reviews_operator ON send_reviews (operator_id, id);
CREATE INDEX send_reviews_age ON send_reviews (created_at, id);
