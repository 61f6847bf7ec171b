-- What phones report.
--
-- type: 1 delivery, 2 open, 3 dismiss, 4 link_open, 5 deeplink_open, 6 token_register.
-- platform: 1 ios, 2 android, 3 web.

CREATE TABLE push_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 6),
    platform INTEGER NOT NULL CHECK (platform BETWEEN 1 AND 3),
    time INTEGER NOT NULL,
    -- What the phone's clock said, where it was not believed.
    client_time INTEGER,
    received_at INTEGER NOT NULL,
    event_id BLOB CHECK (length(event_id) = 16),
    message_id TEXT,
    campaign_id TEXT,
    -- Who the reporter said it was. Where nobody was logged in, the subject knows who came next.
    user_id TEXT,
    subject_id INTEGER,
    value TEXT,
    fcm_token TEXT,
    apns_token TEXT,
    installation_id BLOB CHECK (length(installation_id) = 16),
    device_model TEXT,
    os_version TEXT,
    app_version TEXT
) STRICT;

-- The only index: by key, events are in the order of their receipt.
CREATE INDEX push_events_time ON push_events (app_id, time);

-- A device between two users, whose events are joined to the second one when it logs in: one row changes then, however
-- many events there are.
CREATE TABLE event_subjects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id TEXT,
    -- When the last event came, to the day.
    used_at INTEGER NOT NULL
) STRICT;

CREATE INDEX event_subjects_age ON event_subjects (used_at);

-- By what a subject is found. kind: 1 an installation's id, 2 a token at FCM, 3 a token at APNs.
CREATE TABLE event_identities (
    app_id INTEGER NOT NULL REFERENCES apps (id),
    kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
    identity BLOB NOT NULL,
    subject_id INTEGER NOT NULL REFERENCES event_subjects (id) ON DELETE CASCADE,
    PRIMARY KEY (app_id, kind, identity)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_identities_subject ON event_identities (subject_id);

-- What a repeated event is known by. Apart from the events, which may be kept shorter or longer.
CREATE TABLE event_keys (
    app_id INTEGER NOT NULL REFERENCES apps (id),
    event_key BLOB NOT NULL CHECK (length(event_key) = 16),
    known_until INTEGER NOT NULL,
    PRIMARY KEY (app_id, event_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_keys_age ON event_keys (known_until);

-- Counted as events come in, because a notification may have millions of them.
CREATE TABLE event_counts (
    app_id INTEGER NOT NULL REFERENCES apps (id),
    message_id TEXT NOT NULL,
    type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 6),
    count INTEGER NOT NULL CHECK (count > 0),
    -- When the last one came, to the day.
    counted_at INTEGER NOT NULL,
    PRIMARY KEY (app_id, message_id, type)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_counts_age ON event_counts (counted_at);
