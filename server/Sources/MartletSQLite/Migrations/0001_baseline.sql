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
    -- Whether the operator named it, who may name private addresses, or the holder of a key of the one app.
    is_url_of_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_url_of_operator IN (0, 1)),
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
    -- The one before, which counts until the new one was presented: the answer that carried it may have been lost.
    previous_secret BLOB CHECK (length(previous_secret) = 32),
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
    -- What the person allowed the app to show, as the phone said it last.
    permission TEXT CHECK (permission IN ('not_determined', 'denied', 'authorized', 'provisional', 'ephemeral')),
    custom_user_data TEXT,
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

-- Counts changes of what processes keep in memory.
CREATE TABLE generations (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
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

-- Keys of the SNS interface, platform applications, and what its clients keep with an endpoint.

CREATE TABLE access_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    access_key TEXT NOT NULL UNIQUE,
    sealed BLOB NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    -- What it may do: a list of rules as JSON; none for a key that may do everything.
    allowed TEXT
) STRICT;

CREATE TABLE platform_applications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL CHECK (platform IN (1, 2)),
    environment INTEGER NOT NULL CHECK (environment IN (1, 2)),
    -- SNS's word for both.
    kind TEXT NOT NULL,
    -- Both of what was made through SNS, for which the app was made too. Without them it is called as its app is.
    region TEXT,
    name TEXT,
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
    attributes TEXT NOT NULL,
    sealed BLOB,
    created_at INTEGER NOT NULL,
    UNIQUE (app_id, platform, environment),
    CHECK ((region IS NULL) = (name IS NULL))
) STRICT;

CREATE UNIQUE INDEX platform_applications_name ON platform_applications (region, kind, name) WHERE name IS NOT NULL;
-- What waits for the webhook URLs that are subscribed to topics. What may be wide stands last in its row, so that nothing
-- else is read through it.

CREATE TABLE webhook_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    -- How the topic is called outside.
    topic TEXT NOT NULL,
    -- Messages of one group reach a subscription in their order.
    message_group TEXT,
    -- Whether its recipients are being read: 0 to the end, 1 they are, 2 after those of the message before it in its
    -- group.
    fan_out INTEGER NOT NULL CHECK (fan_out IN (0, 1, 2)),
    -- The subscription that was read last, and the last one that counts.
    cursor INTEGER NOT NULL,
    last_subscription INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    -- Its number among the messages of its FIFO topic.
    sequence INTEGER,
    -- What filters look at; none for a message to one subscription.
    filtered TEXT,
    -- What it says, for the interface that wrote it.
    document TEXT NOT NULL
) STRICT;

CREATE INDEX webhook_messages_fan_out ON webhook_messages (fan_out) WHERE fan_out <> 0;
CREATE INDEX webhook_messages_topic ON webhook_messages (topic_id);
CREATE INDEX webhook_messages_group ON webhook_messages (topic_id, message_group, id)
    WHERE fan_out <> 0 AND message_group IS NOT NULL;

-- No foreign key to subscriptions: what is for one that ended is dropped when it comes due.
CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL REFERENCES webhook_messages (id) ON DELETE CASCADE,
    subscription_id INTEGER NOT NULL,
    -- Host and port.
    queue TEXT NOT NULL,
    message_group TEXT,
    -- Whether it tells of the end of its subscription.
    is_unsubscribe_confirmation INTEGER NOT NULL DEFAULT 0 CHECK (is_unsubscribe_confirmation IN (0, 1)),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- When it may be taken; for ever ahead while one before it in its group is under way.
    due_at INTEGER NOT NULL,
    lease_process INTEGER,
    lease_holder INTEGER,
    -- Leases since the last attempt was recorded.
    lease_count INTEGER NOT NULL DEFAULT 0,
    last_reason TEXT
) STRICT;

CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (queue, due_at);
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (queue, due_at) WHERE lease_holder IS NOT NULL;
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);
CREATE INDEX webhook_deliveries_group ON webhook_deliveries (subscription_id, message_group, id)
    WHERE message_group IS NOT NULL;

-- Hosts with their ports: whose turn it is, and what is known of them.
CREATE TABLE webhook_queues (
    -- Another one with each turn: of those whose turn comes at the same moment the one that waits longest is first.
    id INTEGER PRIMARY KEY,
    queue TEXT NOT NULL UNIQUE,
    -- How often in a row it did not answer.
    silences INTEGER NOT NULL DEFAULT 0 CHECK (silences >= 0),
    -- A column that is written, because an index of one that is made covers nothing.
    is_silent INTEGER NOT NULL DEFAULT 0 CHECK ((is_silent = 1) = (silences > 0)),
    rest_until INTEGER NOT NULL DEFAULT 0,
    -- When to look at its deliveries: none of them is due before.
    turn_at INTEGER NOT NULL,
    -- Since when nothing waits for it.
    idle_since INTEGER
) STRICT;

CREATE INDEX webhook_queues_turn ON webhook_queues (is_silent, turn_at);
CREATE INDEX webhook_queues_idle ON webhook_queues (idle_since) WHERE idle_since IS NOT NULL;

CREATE TABLE webhook_dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    message BLOB NOT NULL CHECK (length(message) = 16),
    topic TEXT NOT NULL,
    subscription BLOB NOT NULL CHECK (length(subscription) = 16),
    -- Whether it told of the end of its subscription.
    is_unsubscribe_confirmation INTEGER NOT NULL CHECK (is_unsubscribe_confirmation IN (0, 1)),
    -- The message's number in its FIFO topic.
    sequence INTEGER,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    died_at INTEGER NOT NULL,
    -- When somebody had it sent again.
    retried_at INTEGER,
    address TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT;

CREATE INDEX webhook_dead_letters_age ON webhook_dead_letters (died_at);
CREATE INDEX webhook_dead_letters_open ON webhook_dead_letters (retried_at) WHERE retried_at IS NULL;

-- Subscriptions of webhook URLs that ended, for as long as that can be taken back.
CREATE TABLE ended_subscriptions (
    -- The key that the subscription had.
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    token BLOB NOT NULL UNIQUE CHECK (length(token) = 32),
    topic_id INTEGER NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    address TEXT NOT NULL,
    attributes TEXT NOT NULL,
    -- Its filter policy as that table has it.
    filter_scope INTEGER,
    filter TEXT
) STRICT;

CREATE INDEX ended_subscriptions_topic ON ended_subscriptions (topic_id);
CREATE INDEX ended_subscriptions_age ON ended_subscriptions (ended_at);

CREATE INDEX subscriptions_pending ON subscriptions (created_at) WHERE is_confirmed = 0;

-- What keeps the order of a FIFO topic's messages, and knows a repetition of one.

CREATE TABLE topic_sequences (
    topic_id INTEGER PRIMARY KEY REFERENCES topics (id) ON DELETE CASCADE,
    -- The number of the topic's last message.
    last INTEGER NOT NULL CHECK (last > 0)
) STRICT;

-- No foreign key to the notifications: a message without subscribers has none.
CREATE TABLE fifo_messages (
    topic_id INTEGER NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
    -- Of the deduplication id, and of the group where ids are unique in their group only.
    deduplication BLOB NOT NULL CHECK (length(deduplication) = 32),
    message BLOB NOT NULL CHECK (length(message) = 16),
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    published_at INTEGER NOT NULL,
    PRIMARY KEY (topic_id, deduplication)
) STRICT, WITHOUT ROWID;

CREATE INDEX fifo_messages_age ON fifo_messages (published_at);

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
