-- Rows have integer keys inside and UUIDs outside. Times are UTC milliseconds. AUTOINCREMENT, because the key of a row
-- that was deleted must never come back: delivery ids, dedup claims and connection pools are made from keys.
--
-- platform: 1 apns, 2 fcm, 3 webpush. environment: 1 sandbox, 2 production; of what is sent at Web Push the push service:
-- 3 google, 4 mozilla, 5 microsoft, 6 apple, 7 other.

CREATE TABLE apps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- None while the app is being deleted.
    name TEXT UNIQUE,
    identity_mode INTEGER NOT NULL,
    issuer TEXT,
    audience TEXT,
    -- 1 a sealed secret, 2 a key set, 3 the address of a key set.
    verification_kind INTEGER,
    verification BLOB,
    -- Whether reading on one device sends the new badge to the others.
    has_badge_sync INTEGER NOT NULL DEFAULT 0,
    -- Where CustomUserData at Amazon SNS has the user's id: a JSON Pointer (RFC 6901).
    sns_user_pointer TEXT,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER,
    UNIQUE (issuer, audience),
    CHECK ((name IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((verification_kind IS NULL) = (verification IS NULL))
) STRICT;

CREATE TABLE credentials (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL,
    environment INTEGER NOT NULL,
    -- 1 a signing key, 2 a certificate, 3 a service account, 4 a VAPID key.
    kind INTEGER NOT NULL,
    topic TEXT NOT NULL,
    key_id TEXT,
    team_id TEXT,
    certificate_expires_at INTEGER,
    url TEXT,
    -- Whether the operator named it, who may name private addresses, or the holder of a key of the one app.
    is_url_of_operator INTEGER NOT NULL DEFAULT 0,
    trust TEXT,
    created_at INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    UNIQUE (app_id, platform, environment)
) STRICT;

CREATE TABLE pauses (
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL,
    environment INTEGER NOT NULL,
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
    scope INTEGER NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    -- From when it opens nothing.
    expires_at INTEGER,
    -- To ten minutes.
    last_used_at INTEGER
) STRICT;

CREATE INDEX api_keys_app ON api_keys (app_id);

CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    -- None of a user who was erased: their key stays in what was recorded, and names nobody.
    external_id TEXT,
    UNIQUE (app_id, external_id),
    -- What endpoints refer to, so that an endpoint never belongs to another app's user.
    UNIQUE (app_id, id)
) STRICT;

CREATE TABLE installations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id),
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    secret BLOB NOT NULL CHECK (length(secret) = 32),
    is_secret_confirmed INTEGER NOT NULL,
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
    status INTEGER NOT NULL,
    platform INTEGER NOT NULL,
    environment INTEGER,
    token TEXT NOT NULL,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    installation_id INTEGER,
    status_reason TEXT,
    status_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    registered_at INTEGER NOT NULL,
    -- 0 for a token that was only ever addressed: no registration outweighs what the provider says about it.
    is_registered INTEGER NOT NULL,
    model TEXT,
    os_version TEXT,
    app_version TEXT,
    locale TEXT,
    time_zone TEXT,
    -- What the person allowed the app to show, as the phone said it last: 1 not_determined, 2 denied, 3 authorized,
    -- 4 provisional, 5 ephemeral.
    permission INTEGER,
    -- Whether the person wants pushes on this device.
    has_push INTEGER NOT NULL DEFAULT 1,
    custom_user_data TEXT,
    -- What a message to a browser is sealed with: its public key (65 bytes) and secret (16), and the id of the app's VAPID key
    -- that it subscribed with.
    subscription_keys BLOB CHECK (length(subscription_keys) = 81),
    vapid_key_id TEXT,
    UNIQUE (app_id, platform, token),
    FOREIGN KEY (app_id, user_id) REFERENCES users (app_id, id),
    FOREIGN KEY (app_id, installation_id) REFERENCES installations (app_id, id),
    CHECK ((status = 0) = (status_reason IS NULL)),
    CHECK ((subscription_keys IS NULL) = (vapid_key_id IS NULL))
) STRICT;

-- Audiences: read in this order, so that claims and results are written in key order, and from the index alone.
CREATE INDEX endpoints_audience
    ON endpoints (app_id, user_id, id, platform, environment, status, has_push, permission) WHERE status <> 2;
CREATE INDEX endpoints_app ON endpoints (app_id, id, status) WHERE status <> 2;
CREATE INDEX endpoints_installation ON endpoints (app_id, installation_id) WHERE installation_id IS NOT NULL;
CREATE INDEX endpoints_age ON endpoints (registered_at) WHERE status <> 2 AND (is_registered = 1 OR status = 1);
CREATE INDEX endpoints_removed ON endpoints (status_at) WHERE status = 2;
-- What was recorded of a person's devices that are gone.
CREATE INDEX endpoints_former ON endpoints (app_id, user_id, id) WHERE status = 2 AND user_id IS NOT NULL;

-- Devices that were a user's and are not any more, so that what was recorded of them for that user is found.
CREATE TABLE former_devices (
    user_id INTEGER NOT NULL,
    endpoint_id INTEGER NOT NULL,
    app_id INTEGER NOT NULL,
    left_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_devices_age ON former_devices (left_at, user_id, endpoint_id);

-- Never updated but where a user is erased: how far it has come stands in the tables below. Its key is made by the process from time and random
-- bits, and its id outside begins with the same ones. What may be wide stands last.
CREATE TABLE notifications (
    id INTEGER PRIMARY KEY,
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    app_id INTEGER NOT NULL,
    -- 1 transactional, 2 default, 3 bulk.
    class INTEGER NOT NULL,
    -- How loud it is on the phone.
    priority INTEGER NOT NULL,
    -- 1 somebody asked for it, 2 it tells of a delivery that failed.
    origin INTEGER NOT NULL,
    send_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    steady_tries INTEGER NOT NULL,
    growing_tries INTEGER NOT NULL,
    minimum_delay INTEGER NOT NULL,
    maximum_delay INTEGER NOT NULL,
    rate_limited_delay INTEGER NOT NULL,
    dedup_key TEXT,
    -- Milliseconds; none is for ever.
    dedup_cooldown INTEGER,
    collapse_id TEXT,
    category_id INTEGER,
    -- When it was taken back.
    recalled_at INTEGER,
    -- The inbox item that it leaves, as JSON; none leaves none.
    inbox TEXT,
    content TEXT NOT NULL,
    audience TEXT NOT NULL
) STRICT;

CREATE INDEX notifications_app ON notifications (app_id, id);

CREATE TABLE messages (
    notification_id INTEGER NOT NULL,
    platform INTEGER NOT NULL,
    -- Whether a person sees it: a device on which the app may show nothing gets no such message.
    is_alert INTEGER NOT NULL,
    headers TEXT NOT NULL,
    payload BLOB NOT NULL,
    -- Where a device's values stand in the payload, and the badges by users' keys, both as JSON; none for most.
    holes TEXT,
    badges TEXT,
    -- What of the inbox fills the place for a badge: 1 unread, 2 unseen.
    inbox_badge INTEGER,
    PRIMARY KEY (notification_id, platform)
) STRICT, WITHOUT ROWID;

-- How many deliveries are in which state: the sum over a notification's rows. Each process has a row of its own, so that
-- none waits for another.
CREATE TABLE progress (
    notification_id INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    -- Deliveries that ever stood in a batch of the fan-out, and those of them that an attempt found not to be made.
    planned INTEGER NOT NULL DEFAULT 0,
    withheld INTEGER NOT NULL DEFAULT 0,
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    suppressed INTEGER NOT NULL DEFAULT 0,
    expired INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (notification_id, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE cancellations (
    notification_id INTEGER PRIMARY KEY,
    cancelled_at INTEGER NOT NULL
) STRICT;

-- A notification whose audience is not read to its end, and holds of it, which are read when they are due.
CREATE TABLE fan_outs (
    notification_id INTEGER NOT NULL,
    -- 0 for the audience.
    hold_id INTEGER NOT NULL DEFAULT 0,
    app_id INTEGER NOT NULL,
    -- 0 waits for its time, 1 ready, 2 leased alone only, 3 quarantined. No lease changes it.
    state INTEGER NOT NULL,
    class INTEGER NOT NULL,
    wait_until INTEGER,
    lease_process INTEGER,
    lease_holder INTEGER,
    lease_until INTEGER NOT NULL DEFAULT 0,
    -- Leases since the last part was written or a lease was given back.
    lease_count INTEGER NOT NULL DEFAULT 0,
    cursor_major INTEGER NOT NULL DEFAULT 0,
    cursor_minor INTEGER NOT NULL DEFAULT 0,
    -- The last preference change when the notification was published; none before its first part is read.
    mark INTEGER,
    PRIMARY KEY (notification_id, hold_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX fan_outs_queue ON fan_outs (state, app_id, class, notification_id, hold_id);
CREATE INDEX fan_outs_waiting ON fan_outs (wait_until) WHERE state = 0;

-- People of a notification who are due later, up to 1,000 in a row. Each row has one of fan_outs, which says who reads it.
CREATE TABLE holds (
    notification_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    -- When no delivery to them is tried any more.
    expires_at INTEGER NOT NULL,
    -- As suppressions have it.
    reason INTEGER NOT NULL,
    -- How often they were held, this time included.
    times INTEGER NOT NULL,
    people_count INTEGER NOT NULL,
    people BLOB NOT NULL,
    PRIMARY KEY (notification_id, id)
) STRICT;

CREATE INDEX holds_due ON holds (notification_id, due_at, id);

-- Endpoints that went to another user or token while the audience was read: they may be met twice, or not at all.
CREATE TABLE moves (
    notification_id INTEGER NOT NULL,
    endpoint_id INTEGER NOT NULL,
    PRIMARY KEY (notification_id, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
    key_id INTEGER NOT NULL,
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
    key_id INTEGER NOT NULL,
    -- A user's key, or an endpoint's with a minus sign.
    subject INTEGER NOT NULL CHECK (subject <> 0),
    notification_id INTEGER NOT NULL,
    claimed_at INTEGER NOT NULL,
    cooldown_until INTEGER,
    PRIMARY KEY (key_id, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
    id INTEGER PRIMARY KEY,
    notification_id INTEGER NOT NULL,
    app_id INTEGER NOT NULL,
    platform INTEGER NOT NULL,
    environment INTEGER NOT NULL,
    is_environment_known INTEGER NOT NULL,
    -- 0 waits for its time, 1 ready, 2 leased alone only, 3 quarantined. No lease changes it.
    state INTEGER NOT NULL,
    class INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    -- When its time comes, or came; none was at once.
    wait_until INTEGER,
    -- When it ends without a worker: 0 when the notification was cancelled.
    expires_at INTEGER NOT NULL,
    -- The process that holds it, who in it, and until when; when it was leased last, and how often since the last
    -- settlement. No index has any of them, so that PostgreSQL changes the row in its place.
    lease_process INTEGER,
    lease_holder INTEGER,
    lease_until INTEGER NOT NULL,
    leased_at INTEGER,
    lease_count INTEGER NOT NULL,
    -- Of its members those without a result, as far as its workers said.
    waiting_count INTEGER NOT NULL,
    first_endpoint INTEGER NOT NULL,
    last_endpoint INTEGER NOT NULL,
    -- The last change of a preference that its members were gated with.
    mark INTEGER NOT NULL DEFAULT 0,
    members BLOB NOT NULL
) STRICT;

CREATE INDEX batches_queue ON batches (app_id, platform, environment, state, class, accepted_at, id);
CREATE INDEX batches_waiting ON batches (app_id, platform, environment, wait_until) WHERE state = 0;
CREATE INDEX batches_expiry ON batches (expires_at);
CREATE INDEX batches_notification ON batches (notification_id, first_endpoint);

-- Users who have read a notification in the inbox, or have a newer version of its item: a batch that is leased from then on
-- does not go to them.
CREATE TABLE withdrawals (
    notification_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    -- A reason of suppressions.
    reason INTEGER NOT NULL,
    PRIMARY KEY (notification_id, user_id)
) STRICT, WITHOUT ROWID;

-- What is tried no more until somebody asks for it: a batch, or without one a fan-out of the notification.
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id INTEGER NOT NULL,
    notification_id INTEGER NOT NULL,
    hold_id INTEGER NOT NULL DEFAULT 0,
    batch_id INTEGER UNIQUE,
    -- 1 crashed, 2 unreadable.
    reason INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    quarantined_at INTEGER NOT NULL
) STRICT;

CREATE INDEX quarantine_notification ON quarantine (notification_id);

-- Deliveries that a provider took, as the list of members of each checkpoint.
CREATE TABLE accepted (
    notification_id INTEGER NOT NULL,
    first_endpoint INTEGER NOT NULL,
    last_endpoint INTEGER NOT NULL,
    batch_id INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    members BLOB NOT NULL,
    PRIMARY KEY (notification_id, first_endpoint)
) STRICT, WITHOUT ROWID;

-- The results of all others, and of answers that came when another worker had the batch.
CREATE TABLE deliveries (
    notification_id INTEGER NOT NULL,
    endpoint_id INTEGER NOT NULL,
    user_id INTEGER,
    -- 1 accepted, 2 rejected, 3 expired, 4 cancelled, 5 dead.
    state INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    settled_at INTEGER NOT NULL,
    reason TEXT,
    PRIMARY KEY (notification_id, endpoint_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE suppressions (
    notification_id INTEGER NOT NULL,
    -- The endpoint's key; without an endpoint the user's key below all endpoints, and below all users a running number.
    key INTEGER NOT NULL,
    user_id INTEGER,
    -- 1 duplicate, 2 no_endpoint, 3 unknown_endpoint, 4 endpoint_disabled, 5 endpoint_removed, 6 no_credential,
    -- 7 read_in_inbox, 8 quiet_hours, 9 preference_off, 10 device_off, 11 permission_off, 12 superseded.
    reason INTEGER NOT NULL,
    -- The notification whose claim it was, by its key inside; it may be forgotten by now.
    held_by INTEGER,
    created_at INTEGER NOT NULL,
    -- What else is to be said of the reason.
    detail TEXT,
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

-- The processes on the database, each of which says every second that it is alive, and the breakers that it has open.
CREATE TABLE processes (
    id INTEGER PRIMARY KEY,
    seen_at INTEGER NOT NULL
) STRICT;

CREATE TABLE breakers (
    process INTEGER NOT NULL,
    app_id INTEGER NOT NULL,
    platform INTEGER NOT NULL,
    environment INTEGER NOT NULL,
    until INTEGER NOT NULL,
    openings INTEGER NOT NULL,
    reason TEXT,
    PRIMARY KEY (process, app_id, platform, environment)
) STRICT, WITHOUT ROWID;

-- What one process at a time does for all: who took it last, for which time, and until when nobody else takes it.
CREATE TABLE duties (
    name TEXT PRIMARY KEY,
    holder INTEGER NOT NULL,
    term INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was given up: a delivery, or a message to a webhook URL. Complete in itself, because it may outlive the notification
-- and the endpoint, or the topic and the subscription.
CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- 1 a delivery, 2 a message to a webhook URL, which is no app's.
    kind INTEGER NOT NULL,
    app_id INTEGER REFERENCES apps (id) ON DELETE CASCADE,
    -- The notification, or the message; the endpoint, or the subscription.
    message BLOB NOT NULL CHECK (length(message) = 16),
    recipient BLOB NOT NULL CHECK (length(recipient) = 16),
    reason TEXT,
    attempts INTEGER NOT NULL,
    died_at INTEGER NOT NULL,
    -- When it was sent again: kept from then on so that a repeated request is known as one.
    retried_at INTEGER,
    -- Of a delivery.
    notification_id INTEGER,
    endpoint_id INTEGER,
    user_id INTEGER,
    external_user_id TEXT,
    platform INTEGER,
    environment INTEGER,
    -- Of a message to a webhook URL: whether it told of the end of its subscription, and its number in its FIFO topic.
    is_unsubscribe_confirmation INTEGER,
    sequence INTEGER,
    topic TEXT,
    address TEXT,
    document TEXT,
    UNIQUE (notification_id, endpoint_id),
    CHECK ((kind = 1) = (app_id IS NOT NULL)),
    CHECK (kind <> 1 OR (notification_id IS NOT NULL AND endpoint_id IS NOT NULL AND platform IS NOT NULL
        AND environment IS NOT NULL)),
    CHECK (kind <> 2 OR (is_unsubscribe_confirmation IS NOT NULL AND topic IS NOT NULL AND address IS NOT NULL
        AND document IS NOT NULL AND reason IS NOT NULL))
) STRICT;

CREATE INDEX dead_letters_app ON dead_letters (app_id, retried_at) WHERE retried_at IS NULL;
CREATE INDEX dead_letters_age ON dead_letters (died_at);

-- Topics, their subscriptions, and the audiences that are read from them.

CREATE TABLE topics (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- None for the server's own, whose subscribers may be of any app.
    app_id INTEGER REFERENCES apps (id),
    region TEXT NOT NULL,
    name TEXT NOT NULL,
    is_fifo INTEGER NOT NULL,
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
    scope INTEGER NOT NULL,
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
    kind INTEGER NOT NULL,
    app_id INTEGER REFERENCES apps (id),
    -- The endpoint's or the user's key.
    subject_id INTEGER,
    -- The endpoint's id outside, which it keeps when the endpoint is forgotten.
    endpoint BLOB CHECK (length(endpoint) = 16),
    -- The subject as the caller wrote it; of a webhook URL, that.
    address TEXT NOT NULL,
    policy_id INTEGER,
    is_confirmed INTEGER NOT NULL,
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
    notification_id INTEGER PRIMARY KEY,
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
    allowed TEXT,
    -- From when it opens nothing.
    expires_at INTEGER,
    -- To ten minutes.
    last_used_at INTEGER
) STRICT;

CREATE TABLE platform_applications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform INTEGER NOT NULL,
    environment INTEGER NOT NULL,
    -- SNS's word for both.
    kind TEXT NOT NULL,
    -- Both of what was made through SNS, for which the app was made too. Without them it is called as its app is.
    region TEXT,
    name TEXT,
    is_enabled INTEGER NOT NULL,
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
    fan_out INTEGER NOT NULL,
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
    is_unsubscribe_confirmation INTEGER NOT NULL DEFAULT 0,
    -- 1 ready, 2 leased alone only. No lease changes it.
    state INTEGER NOT NULL DEFAULT 1,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- When it may be taken; for ever ahead while one before it in its group is under way.
    due_at INTEGER NOT NULL,
    -- As of a batch, in no index; the count is of leases since the last attempt was recorded.
    lease_process INTEGER,
    lease_holder INTEGER,
    lease_until INTEGER NOT NULL DEFAULT 0,
    lease_count INTEGER NOT NULL DEFAULT 0,
    last_reason TEXT
) STRICT;

CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (queue, due_at);
CREATE INDEX webhook_deliveries_alone ON webhook_deliveries (queue) WHERE state = 2;
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);
CREATE INDEX webhook_deliveries_group ON webhook_deliveries (subscription_id, message_group, id)
    WHERE message_group IS NOT NULL;

-- Hosts with their ports: whose turn it is, and what is known of them.
CREATE TABLE webhook_queues (
    id INTEGER PRIMARY KEY,
    queue TEXT NOT NULL UNIQUE,
    -- How often in a row it did not answer.
    silences INTEGER NOT NULL DEFAULT 0 CHECK (silences >= 0),
    -- A column that is written, because an index of one that is made covers nothing.
    is_silent INTEGER NOT NULL DEFAULT 0 CHECK ((is_silent = 1) = (silences > 0)),
    rest_until INTEGER NOT NULL DEFAULT 0,
    -- When to look at its deliveries: none of them is due before.
    turn_at INTEGER NOT NULL,
    -- Drawn with each turn: of those whose turn comes at the same moment the one that waits longest is first.
    place INTEGER NOT NULL,
    -- Since when nothing waits for it.
    idle_since INTEGER
) STRICT;

CREATE INDEX webhook_queues_turn ON webhook_queues (is_silent, turn_at, place);
CREATE INDEX webhook_queues_idle ON webhook_queues (idle_since) WHERE idle_since IS NOT NULL;

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
    app_id INTEGER NOT NULL,
    type INTEGER NOT NULL,
    platform INTEGER NOT NULL,
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
    kind INTEGER NOT NULL,
    identity BLOB NOT NULL,
    subject_id INTEGER NOT NULL REFERENCES event_subjects (id) ON DELETE CASCADE,
    PRIMARY KEY (app_id, kind, identity)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_identities_subject ON event_identities (subject_id);

-- What a repeated event is known by. Apart from the events, which may be kept shorter or longer.
CREATE TABLE event_keys (
    app_id INTEGER NOT NULL,
    event_key BLOB NOT NULL CHECK (length(event_key) = 16),
    known_until INTEGER NOT NULL,
    PRIMARY KEY (app_id, event_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_keys_age ON event_keys (known_until);

-- Counted as events come in, because a notification may have millions of them.
CREATE TABLE event_counts (
    app_id INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    type INTEGER NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),
    -- When the last one came, to the day.
    counted_at INTEGER NOT NULL,
    PRIMARY KEY (app_id, message_id, type)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_counts_age ON event_counts (counted_at);

-- What happened over time: how deliveries ended, and which events came, each counted in the transaction that records it.
-- Each writer has rows of its own, so that none waits for another: a count is the sum over them, and what is taken out of an
-- earlier minute may leave one of them below 0. After some hours they are added up to one row of that minute, which is kept
-- for two days, and to one of its hour: a month of hours has few minutes to add.
CREATE TABLE minute_counts (
    app_id INTEGER NOT NULL,
    -- The minute's first millisecond.
    begins_at INTEGER NOT NULL,
    -- 0 for what was not made before a device was looked at.
    platform INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    suppressed INTEGER NOT NULL DEFAULT 0,
    expired INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0,
    opens INTEGER NOT NULL DEFAULT 0,
    dismissals INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, begins_at, platform, slot)
) STRICT, WITHOUT ROWID;

CREATE INDEX minute_counts_age ON minute_counts (begins_at);

CREATE TABLE past_minute_counts (
    app_id INTEGER NOT NULL,
    begins_at INTEGER NOT NULL,
    platform INTEGER NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    suppressed INTEGER NOT NULL DEFAULT 0,
    expired INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0,
    opens INTEGER NOT NULL DEFAULT 0,
    dismissals INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, begins_at, platform)
) STRICT, WITHOUT ROWID;

CREATE INDEX past_minute_counts_age ON past_minute_counts (begins_at);

CREATE TABLE hour_counts (
    app_id INTEGER NOT NULL,
    begins_at INTEGER NOT NULL,
    platform INTEGER NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    suppressed INTEGER NOT NULL DEFAULT 0,
    expired INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0,
    opens INTEGER NOT NULL DEFAULT 0,
    dismissals INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, begins_at, platform)
) STRICT, WITHOUT ROWID;

CREATE INDEX hour_counts_age ON hour_counts (begins_at);

-- Topics that were pushed to with a credential: whether the provider has taken a push, or has so far only said of tokens
-- that they belong to another app.

CREATE TABLE credential_topics (
    credential_id INTEGER NOT NULL REFERENCES credentials (id) ON DELETE CASCADE,
    topic TEXT NOT NULL,
    -- 0 refused, 1 accepted.
    standing INTEGER NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (credential_id, topic)
) STRICT, WITHOUT ROWID;

-- Numbers that an app's preference changes and shared inbox items are drawn from: whoever draws one locks the row until the
-- commit, so that the order of numbers is the order of commits, on both engines. A row is made with the first number.
CREATE TABLE app_sequences (
    app_id INTEGER PRIMARY KEY,
    -- The last preference change, and what is newest of the inboxes: an item that everybody or a set has, or its recall.
    preference_change INTEGER NOT NULL DEFAULT 0,
    inbox_item INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Kinds of notification that people can switch.
CREATE TABLE categories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    -- By locale, as JSON.
    names TEXT NOT NULL,
    -- What holds for who has chosen nothing; none is on.
    default_enabled INTEGER,
    default_push INTEGER,
    default_inbox INTEGER,
    is_push_required INTEGER NOT NULL,
    is_inbox_required INTEGER NOT NULL,
    bypasses_quiet_hours INTEGER NOT NULL,
    is_exempt_from_caps INTEGER NOT NULL,
    position INTEGER NOT NULL,
    archived_at INTEGER,
    created_at INTEGER NOT NULL,
    UNIQUE (app_id, key)
) STRICT;

-- What people chose, and nothing for who chose nothing. Category 0 is the choice over all.
CREATE TABLE preferences (
    user_id INTEGER NOT NULL,
    category_id INTEGER NOT NULL,
    enabled INTEGER,
    push INTEGER,
    inbox INTEGER,
    PRIMARY KEY (user_id, category_id)
) STRICT, WITHOUT ROWID;

-- Never updated: what was chosen at an earlier number is what is chosen now with the later changes undone.
CREATE TABLE preference_changes (
    app_id INTEGER NOT NULL,
    -- From app_sequences.
    id INTEGER NOT NULL,
    -- 0 for a category's default.
    user_id INTEGER NOT NULL,
    category_id INTEGER NOT NULL,
    before_enabled INTEGER,
    before_push INTEGER,
    before_inbox INTEGER,
    after_enabled INTEGER,
    after_push INTEGER,
    after_inbox INTEGER,
    actor TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (app_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX preference_changes_user ON preference_changes (user_id, id);
CREATE INDEX preference_changes_age ON preference_changes (at);

-- What people can read later: one row a notification, whoever has it.
CREATE TABLE inbox_items (
    app_id INTEGER NOT NULL,
    -- The notification's own key, or one that was drawn when the item was published, where that was later; of a shared
    -- item always that, at least one more than the last shared item's, drawn under the lock of app_sequences. So items are
    -- published in this order.
    id INTEGER NOT NULL,
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    notification_id INTEGER NOT NULL,
    category_id INTEGER,
    published_at INTEGER NOT NULL,
    -- The last preference change that counts for who sees it.
    mark INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- 1 rows in inbox_entries, 2 every user up to last_user, 3 sets in inbox_sets.
    kind INTEGER NOT NULL,
    last_user INTEGER,
    recalled_at INTEGER,
    -- Makes a later item take this one's place for a person; kind 1 only.
    key TEXT,
    content TEXT NOT NULL,
    PRIMARY KEY (app_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX inbox_items_public ON inbox_items (app_id, public_id);
CREATE INDEX inbox_items_notification ON inbox_items (notification_id);
-- Announcements that are live: few, and read with each inbox.
CREATE INDEX inbox_items_shared ON inbox_items (app_id, id, kind, last_user, mark, category_id, expires_at, notification_id, recalled_at)
    WHERE kind <> 1 AND recalled_at IS NULL;
CREATE INDEX inbox_items_age ON inbox_items (expires_at);

-- Who has an item of kind 1, and what people did with an item of another kind.
CREATE TABLE inbox_entries (
    user_id INTEGER NOT NULL,
    item_id INTEGER NOT NULL,
    -- Those of its item, so that counting reads no item. Whether the item is one of kind 1.
    is_direct INTEGER NOT NULL,
    category_id INTEGER,
    expires_at INTEGER NOT NULL,
    key TEXT,
    is_seen INTEGER NOT NULL,
    is_read INTEGER NOT NULL,
    is_archived INTEGER NOT NULL,
    -- When the person read it, 0 for what is unread.
    read_at INTEGER NOT NULL DEFAULT 0,
    -- The items whose places it took under its key, newest first, each with a comma behind it; the last of them.
    replaced TEXT,
    PRIMARY KEY (user_id, item_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX inbox_entries_key ON inbox_entries (user_id, key) WHERE key IS NOT NULL;
-- With the columns that they are limited by, so that SQLite counts from the index alone.
CREATE INDEX inbox_entries_unseen ON inbox_entries (user_id, item_id, expires_at, is_direct, is_seen)
    WHERE is_direct = 1 AND is_seen = 0;
CREATE INDEX inbox_entries_unread ON inbox_entries (user_id, item_id, expires_at, is_direct, is_read)
    WHERE is_direct = 1 AND is_read = 0;
CREATE INDEX inbox_entries_shared ON inbox_entries (user_id, item_id, is_seen, is_read, is_archived, is_direct)
    WHERE is_direct = 0;
-- All entries of an item end with it: they are found by both.
CREATE INDEX inbox_entries_age ON inbox_entries (expires_at, item_id, user_id);

-- Who has an item of kind 3, 4,096 users by their keys in a row.
CREATE TABLE inbox_sets (
    app_id INTEGER NOT NULL,
    -- The users' keys without their last twelve bits.
    block INTEGER NOT NULL,
    item_id INTEGER NOT NULL,
    -- A bit a user (512 bytes), or their offsets in two bytes each where that is shorter.
    members BLOB NOT NULL,
    PRIMARY KEY (app_id, block, item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX inbox_sets_item ON inbox_sets (app_id, item_id);

-- Up to which item a person has seen, read or archived all that is shared, and how often they changed something.
CREATE TABLE inbox_state (
    user_id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL DEFAULT 0,
    seen_before INTEGER NOT NULL DEFAULT 0,
    read_before INTEGER NOT NULL DEFAULT 0,
    archived_before INTEGER NOT NULL DEFAULT 0,
    -- When their other devices were sent a badge last, and when they are next, where something changed since.
    badge_sent_at INTEGER NOT NULL DEFAULT 0,
    badge_due_at INTEGER NOT NULL DEFAULT 0,
    -- On which installation all was read that they are told next, 0 where it is not known or not one.
    badge_reader INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX inbox_state_badge ON inbox_state (badge_due_at) WHERE badge_due_at > 0;

-- People who use the console, for good: the audit log names them.
CREATE TABLE operators (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    name TEXT NOT NULL,
    -- The name in the form by which it is found.
    name_key TEXT NOT NULL UNIQUE,
    -- 1 viewer, 2 sender, 3 admin.
    role INTEGER NOT NULL,
    -- The hash, with its salt and parameters.
    password TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;

-- Links that make an operator, once.
CREATE TABLE operator_invitations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    role INTEGER NOT NULL,
    -- Who sets a new password with it; none makes an operator.
    operator_id INTEGER REFERENCES operators (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX operator_invitations_name ON operator_invitations (name_key);
CREATE INDEX operator_invitations_age ON operator_invitations (expires_at);

CREATE TABLE operator_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    -- When it ends if it is not used again.
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id, id);
CREATE INDEX operator_sessions_age ON operator_sessions (expires_at);

-- Who changed what. Never updated. No foreign keys: it outlives what it is about.
CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    -- 1 an operator, 2 the holder of a key, 3 the server itself, whose id is empty.
    actor_kind INTEGER NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    app_id INTEGER,
    -- JSON without secrets; none for what was made, or is gone.
    before TEXT,
    after TEXT
) STRICT;

CREATE INDEX audit_log_age ON audit_log (at);
CREATE INDEX audit_log_actor ON audit_log (actor_kind, actor_id, id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_subject ON audit_log (subject_kind, subject_id, id);
CREATE INDEX audit_log_app ON audit_log (app_id, id);
