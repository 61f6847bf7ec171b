-- Topics, their subscriptions, and the audiences that are read from them.

CREATE TABLE topics (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- None for the server's own, whose subscribers may be of any app.
    app_id INTEGER REFERENCES apps (id),
    region TEXT NOT NULL,
    name TEXT NOT NULL,
    is_fifo INTEGER NOT NULL CHECK (is_fifo IN (0, 1)),
    attributes TEXT NOT NULL,
    tags TEXT NOT NULL,
    -- Subscriptions that messages go to, that wait for their confirmation, and that ended.
    confirmed INTEGER NOT NULL DEFAULT 0 CHECK (confirmed >= 0),
    pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
    ended INTEGER NOT NULL DEFAULT 0 CHECK (ended >= 0),
    policy_count INTEGER NOT NULL DEFAULT 0 CHECK (policy_count >= 0),
    created_at INTEGER NOT NULL,
    -- From then on it is gone for everybody but the audiences that are being read.
    deleted_at INTEGER
) STRICT;

CREATE UNIQUE INDEX topics_name ON topics (coalesce(app_id, 0), region, name) WHERE deleted_at IS NULL;
CREATE INDEX topics_app ON topics (app_id, region, id);
CREATE INDEX topics_deleted ON topics (deleted_at) WHERE deleted_at IS NOT NULL;

-- Each different filter policy of a topic once. A row never changes, and its key never comes back: indexes in memory are
-- brought up to date with the rows after the last one that they have.
CREATE TABLE filter_policies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    -- 1 attributes, 2 body.
    scope INTEGER NOT NULL CHECK (scope IN (1, 2)),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    text TEXT NOT NULL,
    -- How many subscriptions have it; with the last one it goes.
    uses INTEGER NOT NULL CHECK (uses > 0),
    UNIQUE (topic_id, hash, scope)
) STRICT;

CREATE INDEX filter_policies_topic ON filter_policies (topic_id);

-- No foreign key to endpoints: a subscription outlives its endpoint. None to the policies: it would be looked up in all
-- subscriptions whenever a policy goes.
CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    -- 1 an endpoint, 2 a user, 3 a webhook URL.
    kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3)),
    app_id INTEGER REFERENCES apps (id),
    -- The endpoint's or the user's key.
    subject_id INTEGER,
    -- The endpoint's id outside, which it keeps when the endpoint is forgotten.
    endpoint BLOB CHECK (length(endpoint) = 16),
    -- The subject as the caller wrote it; of a webhook URL, that.
    address TEXT NOT NULL,
    policy_id INTEGER,
    is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
    attributes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK ((kind = 3) = (subject_id IS NULL)),
    CHECK ((kind = 3) = (app_id IS NULL)),
    CHECK ((kind = 1) = (endpoint IS NOT NULL)),
    CHECK (kind = 3 OR is_confirmed = 1)
) STRICT;

-- Audiences: one subscription of a subject, and all of them by subject.
CREATE UNIQUE INDEX subscriptions_subject ON subscriptions (topic_id, app_id, kind, subject_id) WHERE kind <> 3;
-- Those of one policy, or of none, by subject.
CREATE INDEX subscriptions_policy ON subscriptions (topic_id, app_id, kind, policy_id, subject_id) WHERE kind <> 3;
CREATE UNIQUE INDEX subscriptions_address ON subscriptions (topic_id, address) WHERE kind = 3;
CREATE INDEX subscriptions_topic ON subscriptions (topic_id);
CREATE INDEX subscriptions_webhooks ON subscriptions (topic_id, is_confirmed) WHERE kind = 3;
CREATE INDEX subscriptions_app ON subscriptions (app_id) WHERE app_id IS NOT NULL;

-- A notification whose audience is read from a topic, until it is read to its end.
CREATE TABLE topic_fan_outs (
    notification_id INTEGER PRIMARY KEY REFERENCES notifications (id) ON DELETE CASCADE,
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    -- Who subscribed after this one is not in the audience.
    last_subscription INTEGER NOT NULL,
    -- What filters look at.
    message TEXT NOT NULL
) STRICT;

CREATE INDEX topic_fan_outs_topic ON topic_fan_outs (topic_id);
