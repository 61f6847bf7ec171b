-- Rows have integer keys inside and UUIDs outside. Times are UTC milliseconds. AUTOINCREMENT, because the key of a row
-- that was deleted must never come back: delivery ids, dedup claims and connection pools are made from keys.
--
-- platform: 1 apns, 2 fcm, 3 webpush. environment: 1 sandbox, 2 production.

CREATE TABLE apps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- None while the app is being deleted.
    name TEXT UNIQUE,
    identity_mode INTEGER NOT NULL CHECK (identity_mode IN (1, 2)),
    issuer TEXT,
    audience TEXT,
    -- 1 a sealed secret, 2 a key set, 3 the address of a key set.
    verification_kind INTEGER CHECK (verification_kind IN (1, 2, 3)),
    verification BLOB,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER,
    UNIQUE (issuer, audience),
    CHECK ((name IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((verification_kind IS NULL) = (verification IS NULL))
) STRICT;

CREATE TABLE credentials (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2, 3)),
    environment INTEGER NOT NULL CHECK (environment IN (1, 2)),
    -- 1 a signing key, 2 a certificate.
    kind INTEGER NOT NULL CHECK (kind IN (1, 2)),
    topic TEXT NOT NULL,
    key_id TEXT,
    team_id TEXT,
    certificate_expires_at INTEGER,
    url TEXT,
    trust TEXT,
    created_at INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    UNIQUE (app_id, platform, environment)
) STRICT;

CREATE TABLE pauses (
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2, 3)),
    environment INTEGER NOT NULL CHECK (environment IN (1, 2)),
    reason TEXT NOT NULL,
    advice TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (app_id, platform, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id INTEGER REFERENCES apps (id) ON DELETE CASCADE,
    -- 1 admin, 2 send, 3 client.
    scope INTEGER NOT NULL CHECK (scope IN (1, 2, 3)),
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE INDEX api_keys_app ON api_keys (app_id);

CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    external_id TEXT NOT NULL,
    UNIQUE (app_id, external_id),
    -- What endpoints refer to, so that an endpoint never belongs to another app's user.
    UNIQUE (app_id, id)
) STRICT;

CREATE TABLE installations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    secret BLOB NOT NULL CHECK (length(secret) = 32),
    is_secret_confirmed INTEGER NOT NULL CHECK (is_secret_confirmed IN (0, 1)),
    created_at INTEGER NOT NULL,
    UNIQUE (app_id, public_id),
    UNIQUE (app_id, id)
) STRICT;

CREATE TABLE endpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    user_id INTEGER,
    -- 0 enabled, 1 disabled, 2 removed.
    status INTEGER NOT NULL CHECK (status IN (0, 1, 2)),
    platform INTEGER NOT NULL CHECK (platform IN (1, 2, 3)),
    environment INTEGER CHECK (environment IN (1, 2)),
    token TEXT NOT NULL,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    installation_id INTEGER,
    status_reason TEXT,
    status_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    registered_at INTEGER NOT NULL,
    -- 0 for a token that was only ever addressed: no registration outweighs what the provider says about it.
    is_registered INTEGER NOT NULL CHECK (is_registered IN (0, 1)),
    model TEXT,
    os_version TEXT,
    app_version TEXT,
    locale TEXT,
    time_zone TEXT,
    UNIQUE (app_id, platform, token),
    FOREIGN KEY (app_id, user_id) REFERENCES users (app_id, id),
    FOREIGN KEY (app_id, installation_id) REFERENCES installations (app_id, id),
    CHECK ((status = 0) = (status_reason IS NULL))
) STRICT;

-- Audiences: read in this order, so that claims and results are written in key order.
CREATE INDEX endpoints_audience ON endpoints (app_id, user_id, id, platform, environment, status) WHERE status <> 2;
CREATE INDEX endpoints_app ON endpoints (app_id, id, status) WHERE status <> 2;
CREATE INDEX endpoints_installation ON endpoints (app_id, installation_id) WHERE installation_id IS NOT NULL;
CREATE INDEX endpoints_age ON endpoints (registered_at) WHERE status <> 2 AND (is_registered = 1 OR status = 1);
CREATE INDEX endpoints_removed ON endpoints (status_at) WHERE status = 2;

-- What changes with each checkpoint stands apart from what a request said once, which may be a megabyte.
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id INTEGER NOT NULL REFERENCES apps (id),
    -- 0 scheduled, 1 sending, 2 done, 3 cancelled.
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
    priority INTEGER NOT NULL CHECK (priority IN (1, 5, 10)),
    send_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    steady_tries INTEGER NOT NULL,
    growing_tries INTEGER NOT NULL,
    minimum_delay INTEGER NOT NULL,
    maximum_delay INTEGER NOT NULL,
    rate_limited_delay INTEGER NOT NULL,
    -- 1 until the audience is read to its end.
    is_fan_out_open INTEGER NOT NULL CHECK (is_fan_out_open IN (0, 1)),
    cursor_major INTEGER NOT NULL DEFAULT 0,
    cursor_minor INTEGER NOT NULL DEFAULT 0,
    fan_out_holder INTEGER,
    -- When the lease ends; beyond all time for what is quarantined.
    fan_out_until INTEGER NOT NULL DEFAULT 0,
    -- Leases since the last part was written or a lease was given back.
    fan_out_lease_count INTEGER NOT NULL DEFAULT 0,
    -- Deliveries that ever stood in a batch of the fan-out.
    planned INTEGER NOT NULL DEFAULT 0,
    -- Deliveries that stand in a batch now.
    pending INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    suppressed INTEGER NOT NULL DEFAULT 0,
    expired INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0 CHECK (dead >= 0),
    CHECK (state <> 2 OR (is_fan_out_open = 0 AND pending = 0))
) STRICT;

CREATE INDEX notifications_app ON notifications (app_id);
CREATE INDEX notifications_state ON notifications (app_id, state);
CREATE INDEX notifications_scheduled ON notifications (send_at) WHERE state = 0;
CREATE INDEX notifications_fan_out ON notifications (app_id, priority DESC, id, fan_out_until)
    WHERE state = 1 AND is_fan_out_open = 1;

-- Endpoints that went to another user or token while the audience was read: they may be met twice, or not at all.
CREATE TABLE moves (
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    endpoint_id INTEGER NOT NULL,
    PRIMARY KEY (notification_id, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
    notification_id INTEGER PRIMARY KEY REFERENCES notifications (id) ON DELETE CASCADE,
    dedup_key TEXT,
    -- Milliseconds; none is for ever.
    dedup_cooldown INTEGER,
    collapse_id TEXT,
    content TEXT NOT NULL,
    audience TEXT NOT NULL
) STRICT;

CREATE TABLE messages (
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2, 3)),
    headers TEXT NOT NULL,
    payload BLOB NOT NULL,
    PRIMARY KEY (notification_id, platform)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    route TEXT NOT NULL,
    value TEXT NOT NULL,
    body_hash BLOB NOT NULL CHECK (length(body_hash) = 32),
    -- By the id outside: the answer stays the same when the notification is forgotten first.
    notification BLOB NOT NULL CHECK (length(notification) = 16),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (key_id, route, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE dedup_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    key TEXT NOT NULL,
    -- When the last of its claims' cooldowns ends; none when all of them are for ever. Kept here and not as an index of
    -- the claims, which would double what a claim costs.
    timed_until INTEGER,
    UNIQUE (app_id, key)
) STRICT;

CREATE INDEX dedup_keys_timed ON dedup_keys (timed_until) WHERE timed_until IS NOT NULL;

-- No foreign key to the notification: a claim for ever outlives the notification that holds it.
CREATE TABLE claims (
    key_id INTEGER NOT NULL REFERENCES dedup_keys (id),
    -- A user's key, or an endpoint's with a minus sign.
    subject INTEGER NOT NULL CHECK (subject <> 0),
    notification_id INTEGER NOT NULL,
    claimed_at INTEGER NOT NULL,
    cooldown_until INTEGER,
    PRIMARY KEY (key_id, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    notification_id INTEGER NOT NULL REFERENCES notifications (id),
    app_id INTEGER NOT NULL,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2, 3)),
    environment INTEGER NOT NULL CHECK (environment IN (1, 2)),
    is_environment_known INTEGER NOT NULL CHECK (is_environment_known IN (0, 1)),
    priority INTEGER NOT NULL,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    -- When its time comes; none is at once.
    not_before INTEGER,
    -- When it may be leased: its time, or the end of the lease that is held; beyond all time for what is quarantined.
    due_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- When it is settled without a worker: its expiry, or at once when the notification was cancelled.
    ends_at INTEGER NOT NULL,
    -- The process that holds it, and who in it.
    lease_process INTEGER,
    lease_holder INTEGER,
    -- When it was leased last: members that were leased before are compared with the results.
    leased_at INTEGER,
    -- Leases since the last settlement.
    lease_count INTEGER NOT NULL DEFAULT 0,
    accepted_at INTEGER NOT NULL,
    first_endpoint INTEGER NOT NULL,
    last_endpoint INTEGER NOT NULL,
    member_count INTEGER NOT NULL CHECK (member_count BETWEEN 1 AND 1000),
    members BLOB NOT NULL
) STRICT;

CREATE INDEX batches_queue ON batches (app_id, platform, environment, priority DESC, accepted_at, id, due_at);
CREATE INDEX batches_due ON batches (app_id, platform, environment, due_at);
CREATE INDEX batches_ending ON batches (ends_at, due_at);
CREATE INDEX batches_notification ON batches (notification_id, first_endpoint);
CREATE INDEX batches_leased ON batches (lease_holder) WHERE lease_holder IS NOT NULL;

-- What is tried no more until somebody asks for it: a batch, or without one the notification's fan-out.
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id INTEGER NOT NULL,
    notification_id INTEGER NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    batch_id INTEGER UNIQUE REFERENCES batches (id) ON DELETE CASCADE,
    -- 1 crashed, 2 unreadable.
    reason INTEGER NOT NULL CHECK (reason IN (1, 2)),
    tries INTEGER NOT NULL,
    quarantined_at INTEGER NOT NULL
) STRICT;

CREATE INDEX quarantine_notification ON quarantine (notification_id);

-- The results. No foreign key to endpoints and users: it would have to be looked up for each delivery, and an endpoint may
-- be forgotten before the notification that was sent to it is.
CREATE TABLE deliveries (
    notification_id INTEGER NOT NULL REFERENCES notifications (id),
    endpoint_id INTEGER NOT NULL,
    user_id INTEGER,
    -- 1 accepted, 2 rejected, 3 expired, 4 cancelled, 5 dead.
    state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 5),
    attempts INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    reason TEXT,
    PRIMARY KEY (notification_id, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE suppressions (
    notification_id INTEGER NOT NULL REFERENCES notifications (id),
    -- The endpoint's key; without an endpoint the user's key below all endpoints, and below all users a running number.
    key INTEGER NOT NULL,
    user_id INTEGER,
    -- 1 duplicate, 2 no_endpoint, 3 unknown_endpoint, 4 endpoint_disabled, 5 endpoint_removed, 6 no_credential.
    reason INTEGER NOT NULL CHECK (reason BETWEEN 1 AND 6),
    -- The notification whose claim it was, by its key inside; it may be forgotten by now.
    held_by INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (notification_id, key)
) STRICT, WITHOUT ROWID;

-- What processes agree on, such as provider tokens.
CREATE TABLE shared_values (
    name TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL,
    sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Complete in itself, because it may outlive the notification and the endpoint.
CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    notification_id INTEGER NOT NULL,
    notification BLOB NOT NULL CHECK (length(notification) = 16),
    endpoint_id INTEGER NOT NULL,
    endpoint BLOB NOT NULL CHECK (length(endpoint) = 16),
    user_id INTEGER,
    external_user_id TEXT,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2, 3)),
    environment INTEGER NOT NULL CHECK (environment IN (1, 2)),
    reason TEXT,
    attempts INTEGER NOT NULL,
    died_at INTEGER NOT NULL,
    -- When it was sent again: kept from then on so that a repeated request is known as one.
    retried_at INTEGER,
    UNIQUE (notification_id, endpoint_id)
) STRICT;

CREATE INDEX dead_letters_app ON dead_letters (app_id) WHERE retried_at IS NULL;
CREATE INDEX dead_letters_age ON dead_letters (died_at);
