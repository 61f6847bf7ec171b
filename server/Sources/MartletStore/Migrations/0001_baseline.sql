-- The schema of both engines: `SchemaDialect` has the types' names in each, and what an engine says of a table besides.
--
-- Rows have integer keys inside and UUIDs outside. Times are UTC milliseconds. Keys come from sequences: the key of a row
-- that was deleted must never come back, because delivery ids, dedup claims and connection pools are made from keys.
--
-- platform: 1 apns, 2 fcm, 3 webpush. environment: 1 sandbox, 2 production; of what is sent at Web Push the push service:
-- 3 google, 4 mozilla, 5 microsoft, 6 apple, 7 other.

CREATE TABLE apps (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- None while the app is being deleted.
    name text UNIQUE,
    identity_mode smallint NOT NULL,
    issuer text,
    audience text,
    -- 1 a sealed secret, 2 a key set, 3 the address of a key set.
    verification_kind smallint,
    verification bytes,
    -- Whether reading on one device sends the new badge to the others.
    has_badge_sync smallint NOT NULL DEFAULT 0,
    -- Where CustomUserData at Amazon SNS has the user's id: a JSON Pointer (RFC 6901).
    sns_user_pointer text,
    created_at bigint NOT NULL,
    deleted_at bigint,
    UNIQUE (issuer, audience),
    CHECK ((name IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((verification_kind IS NULL) = (verification IS NULL))
);

CREATE TABLE credentials (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform smallint NOT NULL,
    environment smallint NOT NULL,
    -- 1 a signing key, 2 a certificate, 3 a service account, 4 a VAPID key.
    kind smallint NOT NULL,
    topic text NOT NULL,
    key_id text,
    team_id text,
    certificate_expires_at bigint,
    url text,
    -- Whether the operator named it, who may name private addresses, or the holder of a key of the one app.
    is_url_of_operator smallint NOT NULL DEFAULT 0,
    trust text,
    created_at bigint NOT NULL,
    sealed bytes NOT NULL,
    UNIQUE (app_id, platform, environment)
);

CREATE TABLE pauses (
    app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform smallint NOT NULL,
    environment smallint NOT NULL,
    reason text NOT NULL,
    advice text NOT NULL,
    since bigint NOT NULL,
    PRIMARY KEY (app_id, platform, environment)
) WITHOUT ROWID;

CREATE TABLE api_keys (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id bigint REFERENCES apps (id) ON DELETE CASCADE,
    -- 1 admin, 2 send, 3 client.
    scope smallint NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytes NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at bigint NOT NULL,
    revoked_at bigint,
    -- From when it opens nothing.
    expires_at bigint,
    -- To ten minutes.
    last_used_at bigint
);

CREATE INDEX api_keys_app ON api_keys (app_id);

CREATE TABLE users (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id),
    -- None of a user who was erased: their key stays in what was recorded, and names nobody.
    external_id text,
    UNIQUE (app_id, external_id),
    -- What endpoints refer to, so that an endpoint never belongs to another app's user.
    UNIQUE (app_id, id)
);

CREATE TABLE installations (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id),
    public_id bytes NOT NULL CHECK (length(public_id) = 16),
    secret bytes NOT NULL CHECK (length(secret) = 32),
    is_secret_confirmed smallint NOT NULL,
    -- The one before, which counts until the new one was presented: the answer that carried it may have been lost.
    previous_secret bytes CHECK (length(previous_secret) = 32),
    created_at bigint NOT NULL,
    UNIQUE (app_id, public_id),
    UNIQUE (app_id, id)
);

CREATE TABLE endpoints (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id),
    user_id bigint,
    -- 0 enabled, 1 disabled, 2 removed.
    status smallint NOT NULL,
    platform smallint NOT NULL,
    environment smallint,
    token text NOT NULL,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    installation_id bigint,
    status_reason text,
    status_at bigint NOT NULL,
    created_at bigint NOT NULL,
    registered_at bigint NOT NULL,
    -- 0 for a token that was only ever addressed: no registration takes precedence over what the provider says about it.
    is_registered smallint NOT NULL,
    model text,
    os_version text,
    app_version text,
    locale text,
    time_zone text,
    -- What the person allowed the app to show, as the phone said it last: 1 not_determined, 2 denied, 3 authorized,
    -- 4 provisional, 5 ephemeral.
    permission smallint,
    -- Whether the person wants pushes on this device.
    has_push smallint NOT NULL DEFAULT 1,
    custom_user_data text,
    -- What a message to a browser is sealed with: its public key (65 bytes) and secret (16), and the id of the app's VAPID key
    -- that it subscribed with.
    subscription_keys bytes CHECK (length(subscription_keys) = 81),
    vapid_key_id text,
    UNIQUE (app_id, platform, token),
    FOREIGN KEY (app_id, user_id) REFERENCES users (app_id, id),
    FOREIGN KEY (app_id, installation_id) REFERENCES installations (app_id, id),
    CHECK ((status = 0) = (status_reason IS NULL)),
    CHECK ((subscription_keys IS NULL) = (vapid_key_id IS NULL))
);

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
    user_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    app_id bigint NOT NULL,
    left_at bigint NOT NULL,
    PRIMARY KEY (user_id, endpoint_id)
) WITHOUT ROWID;

CREATE INDEX former_devices_age ON former_devices (left_at, user_id, endpoint_id);

-- Never updated but where a user is erased: how far it has come stands in the tables below. Its key is made by the process
-- from time and random bits, and its id outside begins with the same ones. What may be wide stands last.
CREATE TABLE notifications (
    id bigint PRIMARY KEY,
    public_id bytes NOT NULL CHECK (length(public_id) = 16),
    app_id bigint NOT NULL,
    -- 1 transactional, 2 default, 3 bulk.
    class smallint NOT NULL,
    -- How loud it is on the phone.
    priority smallint NOT NULL,
    -- 1 somebody asked for it, 2 it tells of a delivery that failed.
    origin smallint NOT NULL,
    send_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    max_attempts bigint NOT NULL,
    steady_tries bigint NOT NULL,
    growing_tries bigint NOT NULL,
    minimum_delay bigint NOT NULL,
    maximum_delay bigint NOT NULL,
    rate_limited_delay bigint NOT NULL,
    dedup_key text,
    -- Milliseconds; none is for ever.
    dedup_cooldown bigint,
    collapse_id text,
    category_id bigint,
    -- When it was taken back.
    recalled_at bigint,
    -- The inbox item that it leaves, as JSON; none leaves none.
    inbox text,
    content text NOT NULL,
    audience text NOT NULL
);

CREATE INDEX notifications_app ON notifications (app_id, id);

CREATE TABLE messages (
    notification_id bigint NOT NULL,
    platform smallint NOT NULL,
    -- Whether a person sees it: a device on which the app may show nothing gets no such message.
    is_alert smallint NOT NULL,
    headers text NOT NULL,
    payload bytes NOT NULL,
    -- Where a device's values stand in the payload, and the badges by users' keys, both as JSON; none for most.
    holes text,
    badges text,
    -- What of the inbox fills the place for a badge: 1 unread, 2 unseen.
    inbox_badge smallint,
    PRIMARY KEY (notification_id, platform)
) WITHOUT ROWID;

-- How many deliveries are in which state: the sum over a notification's rows. Each process has a row of its own, so that
-- none waits for another.
CREATE TABLE progress (
    notification_id bigint NOT NULL,
    slot bigint NOT NULL,
    -- Deliveries that ever stood in a batch of the fan-out, and those of them that an attempt found not to be made.
    planned bigint NOT NULL DEFAULT 0,
    withheld bigint NOT NULL DEFAULT 0,
    accepted bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    suppressed bigint NOT NULL DEFAULT 0,
    expired bigint NOT NULL DEFAULT 0,
    cancelled bigint NOT NULL DEFAULT 0,
    dead bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (notification_id, slot)
) WITHOUT ROWID;

CREATE TABLE cancellations (
    notification_id bigint PRIMARY KEY,
    cancelled_at bigint NOT NULL
);

-- A notification whose audience is not read to its end, and holds of it, which are read when they are due.
CREATE TABLE fan_outs (
    notification_id bigint NOT NULL,
    -- 0 for the audience.
    hold_id bigint NOT NULL DEFAULT 0,
    app_id bigint NOT NULL,
    -- 0 waits for its time, 1 ready, 2 leased alone only, 3 quarantined. No lease changes it.
    state smallint NOT NULL,
    class smallint NOT NULL,
    wait_until bigint,
    lease_process bigint,
    lease_holder bigint,
    lease_until bigint NOT NULL DEFAULT 0,
    -- Leases since the last part was written or a lease was given back.
    lease_count bigint NOT NULL DEFAULT 0,
    cursor_major bigint NOT NULL DEFAULT 0,
    cursor_minor bigint NOT NULL DEFAULT 0,
    -- The last preference change when the notification was published; none before its first part is read.
    mark bigint,
    PRIMARY KEY (notification_id, hold_id)
) WITHOUT ROWID;

CREATE INDEX fan_outs_queue ON fan_outs (state, app_id, class, notification_id, hold_id);
CREATE INDEX fan_outs_waiting ON fan_outs (wait_until) WHERE state = 0;

-- People of a notification who are due later, up to 1,000 in a row. Each row has one of fan_outs, which says who reads it.
CREATE TABLE holds (
    notification_id bigint NOT NULL,
    id bigint NOT NULL,
    due_at bigint NOT NULL,
    -- When no delivery to them is tried any more.
    expires_at bigint NOT NULL,
    -- As suppressions have it.
    reason smallint NOT NULL,
    -- How often they were held, this time included.
    times bigint NOT NULL,
    people_count bigint NOT NULL,
    people bytes NOT NULL,
    PRIMARY KEY (notification_id, id)
);

CREATE INDEX holds_due ON holds (notification_id, due_at, id);

-- Endpoints that went to another user or token while the audience was read: they may be met twice, or not at all.
CREATE TABLE moves (
    notification_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    PRIMARY KEY (notification_id, endpoint_id)
) WITHOUT ROWID;

CREATE TABLE idempotency (
    key_id bigint NOT NULL,
    route text NOT NULL,
    value text NOT NULL,
    body_hash bytes NOT NULL CHECK (length(body_hash) = 32),
    -- By the id outside: the answer stays the same when the notification is forgotten first.
    notification bytes NOT NULL CHECK (length(notification) = 16),
    created_at bigint NOT NULL,
    PRIMARY KEY (key_id, route, value)
) WITHOUT ROWID;

CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE dedup_keys (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id),
    key text NOT NULL,
    -- When the last of its claims' cooldowns ends; none when all of them are for ever. Kept here and not as an index of
    -- the claims, which would double what a claim costs.
    timed_until bigint,
    UNIQUE (app_id, key)
);

CREATE INDEX dedup_keys_timed ON dedup_keys (timed_until) WHERE timed_until IS NOT NULL;

-- No foreign key to the notification: a claim for ever outlives the notification that holds it.
CREATE TABLE claims (
    key_id bigint NOT NULL,
    -- A user's key, or an endpoint's with a minus sign.
    subject bigint NOT NULL CHECK (subject <> 0),
    notification_id bigint NOT NULL,
    claimed_at bigint NOT NULL,
    cooldown_until bigint,
    PRIMARY KEY (key_id, subject)
) WITHOUT ROWID;

CREATE TABLE batches (
    id bigint PRIMARY KEY,
    notification_id bigint NOT NULL,
    app_id bigint NOT NULL,
    platform smallint NOT NULL,
    environment smallint NOT NULL,
    is_environment_known smallint NOT NULL,
    -- 0 waits for its time, 1 ready, 2 leased alone only, 3 quarantined. No lease changes it.
    state smallint NOT NULL,
    class smallint NOT NULL,
    attempts bigint NOT NULL,
    accepted_at bigint NOT NULL,
    -- When its time comes, or came; none was at once.
    wait_until bigint,
    -- When it ends without a worker: 0 when the notification was cancelled.
    expires_at bigint NOT NULL,
    -- The process that holds it, who in it, and until when; when it was leased last, and how often since the last
    -- settlement. No index has any of them, so that PostgreSQL changes the row in its place.
    lease_process bigint,
    lease_holder bigint,
    lease_until bigint NOT NULL,
    leased_at bigint,
    lease_count bigint NOT NULL,
    -- Of its members those without a result, as far as its workers said.
    waiting_count bigint NOT NULL,
    first_endpoint bigint NOT NULL,
    last_endpoint bigint NOT NULL,
    -- The last change of a preference that its members were gated with.
    mark bigint NOT NULL DEFAULT 0,
    members bytes NOT NULL
);

CREATE INDEX batches_queue ON batches (app_id, platform, environment, state, class, accepted_at, id);
CREATE INDEX batches_waiting ON batches (app_id, platform, environment, wait_until) WHERE state = 0;
CREATE INDEX batches_expiry ON batches (expires_at);
CREATE INDEX batches_notification ON batches (notification_id, first_endpoint);

-- Users who have read a notification in the inbox, or have a newer version of its item: a batch that is leased from then on
-- does not go to them.
CREATE TABLE withdrawals (
    notification_id bigint NOT NULL,
    user_id bigint NOT NULL,
    -- A reason of suppressions.
    reason smallint NOT NULL,
    PRIMARY KEY (notification_id, user_id)
) WITHOUT ROWID;

-- What is tried no more until somebody asks for it: a batch, or without one a fan-out of the notification.
CREATE TABLE quarantine (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    app_id bigint NOT NULL,
    notification_id bigint NOT NULL,
    hold_id bigint NOT NULL DEFAULT 0,
    batch_id bigint UNIQUE,
    -- 1 crashed, 2 unreadable.
    reason smallint NOT NULL,
    tries bigint NOT NULL,
    quarantined_at bigint NOT NULL
);

CREATE INDEX quarantine_notification ON quarantine (notification_id);

-- Deliveries that a provider took, as the list of members of each checkpoint.
CREATE TABLE accepted (
    notification_id bigint NOT NULL,
    first_endpoint bigint NOT NULL,
    last_endpoint bigint NOT NULL,
    batch_id bigint NOT NULL,
    attempts bigint NOT NULL,
    settled_at bigint NOT NULL,
    members bytes NOT NULL,
    PRIMARY KEY (notification_id, first_endpoint)
) WITHOUT ROWID;

-- The results of all others, and of answers that came when another worker had the batch.
CREATE TABLE deliveries (
    notification_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    user_id bigint,
    -- 1 accepted, 2 rejected, 3 expired, 4 cancelled, 5 dead.
    state smallint NOT NULL,
    attempts bigint NOT NULL,
    settled_at bigint NOT NULL,
    reason text,
    PRIMARY KEY (notification_id, endpoint_id)
) WITHOUT ROWID;

CREATE TABLE suppressions (
    notification_id bigint NOT NULL,
    -- The endpoint's key; without an endpoint the user's key below all endpoints, and below all users a running number.
    key bigint NOT NULL,
    user_id bigint,
    -- 1 duplicate, 2 no_endpoint, 3 unknown_endpoint, 4 endpoint_disabled, 5 endpoint_removed, 6 no_credential,
    -- 7 read_in_inbox, 8 quiet_hours, 9 preference_off, 10 device_off, 11 permission_off, 12 superseded.
    reason smallint NOT NULL,
    -- The notification whose claim it was, by its key inside; it may be forgotten by now.
    held_by bigint,
    created_at bigint NOT NULL,
    -- What else is to be said of the reason.
    detail text,
    PRIMARY KEY (notification_id, key)
) WITHOUT ROWID;

-- What processes agree on, such as provider tokens.
CREATE TABLE shared_values (
    name text PRIMARY KEY,
    made_at bigint NOT NULL,
    sealed bytes NOT NULL
) WITHOUT ROWID;

-- Counts changes of what processes keep in memory.
CREATE TABLE generations (
    name text PRIMARY KEY,
    value bigint NOT NULL
) WITHOUT ROWID;

-- The processes on the database, each of which says every second that it is alive, and the breakers that it has open.
CREATE TABLE processes (
    id bigint PRIMARY KEY,
    seen_at bigint NOT NULL
);

CREATE TABLE breakers (
    process bigint NOT NULL,
    app_id bigint NOT NULL,
    platform smallint NOT NULL,
    environment smallint NOT NULL,
    until bigint NOT NULL,
    openings bigint NOT NULL,
    reason text,
    PRIMARY KEY (process, app_id, platform, environment)
) WITHOUT ROWID;

-- What one process at a time does for all: who took it last, for which time, and until when nobody else takes it.
CREATE TABLE duties (
    name text PRIMARY KEY,
    holder bigint NOT NULL,
    term bigint NOT NULL,
    until bigint NOT NULL
) WITHOUT ROWID;

-- What was given up: a delivery, or a message to a webhook URL. Complete in itself, because it may outlive the notification
-- and the endpoint, or the topic and the subscription.
CREATE TABLE dead_letters (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- 1 a delivery, 2 a message to a webhook URL, which is no app's.
    kind smallint NOT NULL,
    app_id bigint REFERENCES apps (id) ON DELETE CASCADE,
    -- The notification, or the message; the endpoint, or the subscription.
    message bytes NOT NULL CHECK (length(message) = 16),
    recipient bytes NOT NULL CHECK (length(recipient) = 16),
    reason text,
    attempts bigint NOT NULL,
    died_at bigint NOT NULL,
    -- When it was sent again: kept from then on so that a repeated request is known as one.
    retried_at bigint,
    -- Of a delivery.
    notification_id bigint,
    endpoint_id bigint,
    user_id bigint,
    external_user_id text,
    platform smallint,
    environment smallint,
    -- Of a message to a webhook URL: whether it told of the end of its subscription, and its number in its FIFO topic.
    is_unsubscribe_confirmation smallint,
    sequence bigint,
    topic text,
    address text,
    document text,
    UNIQUE (notification_id, endpoint_id),
    CHECK ((kind = 1) = (app_id IS NOT NULL)),
    CHECK (kind <> 1 OR (notification_id IS NOT NULL AND endpoint_id IS NOT NULL AND platform IS NOT NULL
        AND environment IS NOT NULL)),
    CHECK (kind <> 2 OR (is_unsubscribe_confirmation IS NOT NULL AND topic IS NOT NULL AND address IS NOT NULL
        AND document IS NOT NULL AND reason IS NOT NULL))
);

CREATE INDEX dead_letters_app ON dead_letters (app_id, retried_at) WHERE retried_at IS NULL;
CREATE INDEX dead_letters_age ON dead_letters (died_at);

-- Topics, their subscriptions, and the audiences that are read from them.

CREATE TABLE topics (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    -- None for the server's own, whose subscribers may be of any app.
    app_id bigint REFERENCES apps (id),
    region text NOT NULL,
    name text NOT NULL,
    is_fifo smallint NOT NULL,
    attributes text NOT NULL,
    tags text NOT NULL,
    -- Subscriptions that messages go to, that wait for their confirmation, and that ended.
    confirmed bigint NOT NULL DEFAULT 0 CHECK (confirmed >= 0),
    pending bigint NOT NULL DEFAULT 0 CHECK (pending >= 0),
    ended bigint NOT NULL DEFAULT 0 CHECK (ended >= 0),
    policy_count bigint NOT NULL DEFAULT 0 CHECK (policy_count >= 0),
    created_at bigint NOT NULL,
    -- From then on it is gone for everybody but the audiences that are being read.
    deleted_at bigint
);

CREATE UNIQUE INDEX topics_name ON topics (coalesce(app_id, 0), region, name) WHERE deleted_at IS NULL;
CREATE INDEX topics_app ON topics (app_id, region, id);
CREATE INDEX topics_deleted ON topics (deleted_at) WHERE deleted_at IS NOT NULL;

-- Each different filter policy of a topic once. A row never changes, and its key never comes back: indexes in memory are
-- brought up to date with the rows after the last one that they have.
CREATE TABLE filter_policies (
    id key,
    topic_id bigint NOT NULL REFERENCES topics (id),
    -- 1 attributes, 2 body.
    scope smallint NOT NULL,
    hash bytes NOT NULL CHECK (length(hash) = 32),
    text text NOT NULL,
    -- How many subscriptions have it; with the last one it goes.
    uses bigint NOT NULL CHECK (uses > 0),
    UNIQUE (topic_id, hash, scope)
);

CREATE INDEX filter_policies_topic ON filter_policies (topic_id);

-- No foreign key to endpoints: a subscription outlives its endpoint. None to the policies: it would be looked up in all
-- subscriptions whenever a policy goes.
CREATE TABLE subscriptions (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    topic_id bigint NOT NULL REFERENCES topics (id),
    -- 1 an endpoint, 2 a user, 3 a webhook URL.
    kind smallint NOT NULL,
    app_id bigint REFERENCES apps (id),
    -- The endpoint's or the user's key.
    subject_id bigint,
    -- The endpoint's id outside, which it keeps when the endpoint is forgotten.
    endpoint bytes CHECK (length(endpoint) = 16),
    -- The subject as the caller wrote it; of a webhook URL, that.
    address text NOT NULL,
    policy_id bigint,
    is_confirmed smallint NOT NULL,
    attributes text NOT NULL,
    created_at bigint NOT NULL,
    CHECK ((kind = 3) = (subject_id IS NULL)),
    CHECK ((kind = 3) = (app_id IS NULL)),
    CHECK ((kind = 1) = (endpoint IS NOT NULL)),
    CHECK (kind = 3 OR is_confirmed = 1)
);

-- Audiences: one subscription of a subject, and all of them by subject.
CREATE UNIQUE INDEX subscriptions_subject ON subscriptions (topic_id, app_id, kind, subject_id) WHERE kind <> 3;
-- Those of one policy, or of none, by subject.
CREATE INDEX subscriptions_policy ON subscriptions (topic_id, app_id, kind, policy_id, subject_id) WHERE kind <> 3;
CREATE UNIQUE INDEX subscriptions_address ON subscriptions (topic_id, address) WHERE kind = 3;
CREATE INDEX subscriptions_topic ON subscriptions (topic_id);
CREATE INDEX subscriptions_webhooks ON subscriptions (topic_id, is_confirmed, rowid) WHERE kind = 3;
CREATE INDEX subscriptions_app ON subscriptions (app_id) WHERE app_id IS NOT NULL;

-- A notification whose audience is read from a topic, until it is read to its end.
CREATE TABLE topic_fan_outs (
    notification_id bigint PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES topics (id),
    -- Who subscribed after this one is not in the audience.
    last_subscription bigint NOT NULL,
    -- What filters look at.
    message text NOT NULL
);

CREATE INDEX topic_fan_outs_topic ON topic_fan_outs (topic_id);

-- Keys of the SNS interface, platform applications, and what its clients keep with an endpoint.

CREATE TABLE access_keys (
    id key,
    access_key text NOT NULL UNIQUE,
    sealed bytes NOT NULL,
    name text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    -- What it may do: a list of rules as JSON; none for a key that may do everything.
    allowed text,
    -- From when it opens nothing.
    expires_at bigint,
    -- To ten minutes.
    last_used_at bigint
);

CREATE TABLE platform_applications (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    platform smallint NOT NULL,
    environment smallint NOT NULL,
    -- SNS's word for both.
    kind text NOT NULL,
    -- Both of what was made through SNS, for which the app was made too. Without them it is called as its app is.
    region text,
    name text,
    is_enabled smallint NOT NULL,
    attributes text NOT NULL,
    sealed bytes,
    created_at bigint NOT NULL,
    UNIQUE (app_id, platform, environment),
    CHECK ((region IS NULL) = (name IS NULL))
);

CREATE UNIQUE INDEX platform_applications_name ON platform_applications (region, kind, name) WHERE name IS NOT NULL;
-- What waits for the webhook URLs that are subscribed to topics. What may be wide stands last in its row, so that nothing
-- else is read through it.

CREATE TABLE webhook_messages (
    id key,
    public_id bytes NOT NULL CHECK (length(public_id) = 16),
    topic_id bigint NOT NULL REFERENCES topics (id),
    -- How the topic is called outside.
    topic text NOT NULL,
    -- Messages of one group reach a subscription in their order.
    message_group text,
    -- Whether its recipients are being read: 0 to the end, 1 they are, 2 after those of the message before it in its
    -- group.
    fan_out smallint NOT NULL,
    -- The subscription that was read last, and the last one that counts.
    cursor bigint NOT NULL,
    last_subscription bigint NOT NULL,
    accepted_at bigint NOT NULL,
    -- Its number among the messages of its FIFO topic.
    sequence bigint,
    -- What filters look at; none for a message to one subscription.
    filtered text,
    -- What it says, for the interface that wrote it.
    document text NOT NULL
);

CREATE INDEX webhook_messages_fan_out ON webhook_messages (fan_out, rowid) WHERE fan_out <> 0;
CREATE INDEX webhook_messages_topic ON webhook_messages (topic_id);
CREATE INDEX webhook_messages_group ON webhook_messages (topic_id, message_group, id)
    WHERE fan_out <> 0 AND message_group IS NOT NULL;

-- No foreign key to subscriptions: what is for one that ended is dropped when it comes due.
CREATE TABLE webhook_deliveries (
    id key,
    message_id bigint NOT NULL REFERENCES webhook_messages (id) ON DELETE CASCADE,
    subscription_id bigint NOT NULL,
    -- Host and port.
    queue text NOT NULL,
    message_group text,
    -- Whether it tells of the end of its subscription.
    is_unsubscribe_confirmation smallint NOT NULL DEFAULT 0,
    -- 1 ready, 2 leased alone only. No lease changes it.
    state smallint NOT NULL DEFAULT 1,
    attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- When it may be taken; for ever ahead while one before it in its group is under way.
    due_at bigint NOT NULL,
    -- As of a batch, in no index; the count is of leases since the last attempt was recorded.
    lease_process bigint,
    lease_holder bigint,
    lease_until bigint NOT NULL DEFAULT 0,
    lease_count bigint NOT NULL DEFAULT 0,
    last_reason text
);

CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (queue, due_at, rowid);
CREATE INDEX webhook_deliveries_alone ON webhook_deliveries (queue, rowid) WHERE state = 2;
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);
CREATE INDEX webhook_deliveries_group ON webhook_deliveries (subscription_id, message_group, id)
    WHERE message_group IS NOT NULL;

-- Hosts with their ports: whose turn it is, and what is known of them.
CREATE TABLE webhook_queues (
    id rowid,
    queue text NOT NULL UNIQUE,
    -- How often in a row it did not answer.
    silences bigint NOT NULL DEFAULT 0 CHECK (silences >= 0),
    -- A column that is written, because an index of one that is made covers nothing.
    is_silent smallint NOT NULL DEFAULT 0 CHECK ((is_silent = 1) = (silences > 0)),
    rest_until bigint NOT NULL DEFAULT 0,
    -- When to look at its deliveries: none of them is due before.
    turn_at bigint NOT NULL,
    -- Drawn with each turn: of those whose turn comes at the same moment the one that waits longest is first.
    place bigint NOT NULL,
    -- Since when nothing waits for it.
    idle_since bigint
);

CREATE INDEX webhook_queues_turn ON webhook_queues (is_silent, turn_at, place, rowid);
CREATE INDEX webhook_queues_idle ON webhook_queues (idle_since) WHERE idle_since IS NOT NULL;

-- Subscriptions of webhook URLs that ended, for as long as that can be taken back.
CREATE TABLE ended_subscriptions (
    -- The key that the subscription had.
    id bigint PRIMARY KEY,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    token bytes NOT NULL UNIQUE CHECK (length(token) = 32),
    topic_id bigint NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    address text NOT NULL,
    attributes text NOT NULL,
    -- Its filter policy as that table has it.
    filter_scope smallint,
    filter text
);

CREATE INDEX ended_subscriptions_topic ON ended_subscriptions (topic_id);
CREATE INDEX ended_subscriptions_age ON ended_subscriptions (ended_at);

CREATE INDEX subscriptions_pending ON subscriptions (created_at, rowid) WHERE is_confirmed = 0;

-- What keeps the order of a FIFO topic's messages, and knows a repetition of one.

CREATE TABLE topic_sequences (
    topic_id bigint PRIMARY KEY REFERENCES topics (id) ON DELETE CASCADE,
    -- The number of the topic's last message.
    last bigint NOT NULL CHECK (last > 0)
);

-- No foreign key to the notifications: a message without subscribers has none.
CREATE TABLE fifo_messages (
    topic_id bigint NOT NULL REFERENCES topics (id) ON DELETE CASCADE,
    -- Of the deduplication id, and of the group where ids are unique in their group only.
    deduplication bytes NOT NULL CHECK (length(deduplication) = 32),
    message bytes NOT NULL CHECK (length(message) = 16),
    sequence bigint NOT NULL CHECK (sequence > 0),
    published_at bigint NOT NULL,
    PRIMARY KEY (topic_id, deduplication)
) WITHOUT ROWID;

CREATE INDEX fifo_messages_age ON fifo_messages (published_at);

-- What phones report.
--
-- type: 1 delivery, 2 open, 3 dismiss, 4 link_open, 5 deeplink_open, 6 token_register.
-- platform: 1 ios, 2 android, 3 web.

CREATE TABLE push_events (
    id key,
    app_id bigint NOT NULL,
    type smallint NOT NULL,
    platform smallint NOT NULL,
    time bigint NOT NULL,
    -- What the phone's clock said, where it was not believed.
    client_time bigint,
    received_at bigint NOT NULL,
    event_id bytes CHECK (length(event_id) = 16),
    message_id text,
    campaign_id text,
    -- Who the reporter said it was. Where nobody was logged in, the subject knows who came next.
    user_id text,
    subject_id bigint,
    value text,
    fcm_token text,
    apns_token text,
    installation_id bytes CHECK (length(installation_id) = 16),
    device_model text,
    os_version text,
    app_version text
);

-- The only index: by key, events are in the order of their receipt.
CREATE INDEX push_events_time ON push_events (app_id, time, rowid);

-- A device between two users, whose events are joined to the second one when it logs in: one row changes then, however
-- many events there are.
CREATE TABLE event_subjects (
    id key,
    user_id text,
    -- When the last event came, to the day.
    used_at bigint NOT NULL
);

CREATE INDEX event_subjects_age ON event_subjects (used_at);

-- By what a subject is found. kind: 1 an installation's id, 2 a token at FCM, 3 a token at APNs.
CREATE TABLE event_identities (
    app_id bigint NOT NULL REFERENCES apps (id),
    kind smallint NOT NULL,
    identity bytes NOT NULL,
    subject_id bigint NOT NULL REFERENCES event_subjects (id) ON DELETE CASCADE,
    PRIMARY KEY (app_id, kind, identity)
) WITHOUT ROWID;

CREATE INDEX event_identities_subject ON event_identities (subject_id);

-- What a repeated event is known by. Apart from the events, which may be kept shorter or longer.
CREATE TABLE event_keys (
    app_id bigint NOT NULL,
    event_key bytes NOT NULL CHECK (length(event_key) = 16),
    known_until bigint NOT NULL,
    PRIMARY KEY (app_id, event_key)
) WITHOUT ROWID;

CREATE INDEX event_keys_age ON event_keys (known_until);

-- Counted as events come in, because a notification may have millions of them.
CREATE TABLE event_counts (
    app_id bigint NOT NULL,
    message_id text NOT NULL,
    type smallint NOT NULL,
    count bigint NOT NULL CHECK (count > 0),
    -- When the last one came, to the day.
    counted_at bigint NOT NULL,
    PRIMARY KEY (app_id, message_id, type)
) WITHOUT ROWID;

CREATE INDEX event_counts_age ON event_counts (counted_at);

-- What happened over time: how deliveries ended, and which events came, each counted in the transaction that records it.
-- Each writer has rows of its own, so that none waits for another: a count is the sum over them, and what is taken out of an
-- earlier minute may leave one of them below 0. After some hours they are added up to one row of that minute, which is kept
-- for two days, and to one of its hour: a month of hours has few minutes to add.
CREATE TABLE minute_counts (
    app_id bigint NOT NULL,
    -- The minute's first millisecond.
    begins_at bigint NOT NULL,
    -- 0 for what was not made before a device was looked at.
    platform smallint NOT NULL,
    slot bigint NOT NULL,
    accepted bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    suppressed bigint NOT NULL DEFAULT 0,
    expired bigint NOT NULL DEFAULT 0,
    cancelled bigint NOT NULL DEFAULT 0,
    dead bigint NOT NULL DEFAULT 0,
    deliveries bigint NOT NULL DEFAULT 0,
    opens bigint NOT NULL DEFAULT 0,
    dismissals bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, begins_at, platform, slot)
) WITHOUT ROWID;

CREATE INDEX minute_counts_age ON minute_counts (begins_at);

CREATE TABLE past_minute_counts (
    app_id bigint NOT NULL,
    begins_at bigint NOT NULL,
    platform smallint NOT NULL,
    accepted bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    suppressed bigint NOT NULL DEFAULT 0,
    expired bigint NOT NULL DEFAULT 0,
    cancelled bigint NOT NULL DEFAULT 0,
    dead bigint NOT NULL DEFAULT 0,
    deliveries bigint NOT NULL DEFAULT 0,
    opens bigint NOT NULL DEFAULT 0,
    dismissals bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, begins_at, platform)
) WITHOUT ROWID;

CREATE INDEX past_minute_counts_age ON past_minute_counts (begins_at);

CREATE TABLE hour_counts (
    app_id bigint NOT NULL,
    begins_at bigint NOT NULL,
    platform smallint NOT NULL,
    accepted bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    suppressed bigint NOT NULL DEFAULT 0,
    expired bigint NOT NULL DEFAULT 0,
    cancelled bigint NOT NULL DEFAULT 0,
    dead bigint NOT NULL DEFAULT 0,
    deliveries bigint NOT NULL DEFAULT 0,
    opens bigint NOT NULL DEFAULT 0,
    dismissals bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, begins_at, platform)
) WITHOUT ROWID;

CREATE INDEX hour_counts_age ON hour_counts (begins_at);

-- Topics that were pushed to with a credential: whether the provider has taken a push, or has so far only said of tokens
-- that they belong to another app.

CREATE TABLE credential_topics (
    credential_id bigint NOT NULL REFERENCES credentials (id) ON DELETE CASCADE,
    topic text NOT NULL,
    -- 0 refused, 1 accepted.
    standing smallint NOT NULL,
    noted_at bigint NOT NULL,
    PRIMARY KEY (credential_id, topic)
) WITHOUT ROWID;

-- Numbers that an app's preference changes and shared inbox items are drawn from: whoever draws one locks the row until the
-- commit, so that the order of numbers is the order of commits, on both engines. A row is made with the first number.
CREATE TABLE app_sequences (
    app_id bigint PRIMARY KEY,
    -- The last preference change, and what is newest of the inboxes: an item that everybody or a set has, or its recall.
    preference_change bigint NOT NULL DEFAULT 0,
    inbox_item bigint NOT NULL DEFAULT 0
);

-- Kinds of notification that people can switch.
CREATE TABLE categories (
    id key,
    app_id bigint NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
    key text NOT NULL,
    -- By locale, as JSON.
    names text NOT NULL,
    -- What holds for who has chosen nothing; none is on.
    default_enabled smallint,
    default_push smallint,
    default_inbox smallint,
    is_push_required smallint NOT NULL,
    is_inbox_required smallint NOT NULL,
    bypasses_quiet_hours smallint NOT NULL,
    is_exempt_from_caps smallint NOT NULL,
    position bigint NOT NULL,
    archived_at bigint,
    created_at bigint NOT NULL,
    UNIQUE (app_id, key)
);

-- What people chose, and nothing for who chose nothing. Category 0 is the choice over all.
CREATE TABLE preferences (
    user_id bigint NOT NULL,
    category_id bigint NOT NULL,
    enabled smallint,
    push smallint,
    inbox smallint,
    PRIMARY KEY (user_id, category_id)
) WITHOUT ROWID;

-- Never updated: what was chosen at an earlier number is what is chosen now with the later changes undone.
CREATE TABLE preference_changes (
    app_id bigint NOT NULL,
    -- From app_sequences.
    id bigint NOT NULL,
    -- 0 for a category's default.
    user_id bigint NOT NULL,
    category_id bigint NOT NULL,
    before_enabled smallint,
    before_push smallint,
    before_inbox smallint,
    after_enabled smallint,
    after_push smallint,
    after_inbox smallint,
    actor text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (app_id, id)
) WITHOUT ROWID;

CREATE INDEX preference_changes_user ON preference_changes (user_id, id);
CREATE INDEX preference_changes_age ON preference_changes (at);

-- What people can read later: one row a notification, whoever has it.
CREATE TABLE inbox_items (
    app_id bigint NOT NULL,
    -- The notification's own key, or one that was drawn when the item was published, where that was later; of a shared
    -- item always that, at least one more than the last shared item's, drawn under the lock of app_sequences. So items are
    -- published in this order.
    id bigint NOT NULL,
    public_id bytes NOT NULL CHECK (length(public_id) = 16),
    notification_id bigint NOT NULL,
    category_id bigint,
    published_at bigint NOT NULL,
    -- The last preference change that counts for who sees it.
    mark bigint NOT NULL,
    expires_at bigint NOT NULL,
    -- 1 rows in inbox_entries, 2 every user up to last_user, 3 sets in inbox_sets.
    kind smallint NOT NULL,
    last_user bigint,
    recalled_at bigint,
    -- Makes a later item take this one's place for a person; kind 1 only.
    key text,
    content text NOT NULL,
    PRIMARY KEY (app_id, id)
) WITHOUT ROWID;

CREATE UNIQUE INDEX inbox_items_public ON inbox_items (app_id, public_id);
CREATE INDEX inbox_items_notification ON inbox_items (notification_id);
-- Announcements that are live: few, and read with each inbox.
CREATE INDEX inbox_items_shared ON inbox_items (app_id, id, kind, last_user, mark, category_id, expires_at, notification_id, recalled_at)
    WHERE kind <> 1 AND recalled_at IS NULL;
CREATE INDEX inbox_items_age ON inbox_items (expires_at);

-- Who has an item of kind 1, and what people did with an item of another kind.
CREATE TABLE inbox_entries (
    user_id bigint NOT NULL,
    item_id bigint NOT NULL,
    -- Those of its item, so that counting reads no item. Whether the item is one of kind 1.
    is_direct smallint NOT NULL,
    category_id bigint,
    expires_at bigint NOT NULL,
    key text,
    is_seen smallint NOT NULL,
    is_read smallint NOT NULL,
    is_archived smallint NOT NULL,
    -- When the person read it, 0 for what is unread.
    read_at bigint NOT NULL DEFAULT 0,
    -- The items whose places it took under its key, newest first, each with a comma behind it; the last of them.
    replaced text,
    PRIMARY KEY (user_id, item_id)
) WITHOUT ROWID;

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
    app_id bigint NOT NULL,
    -- The users' keys without their last twelve bits.
    block bigint NOT NULL,
    item_id bigint NOT NULL,
    -- A bit a user (512 bytes), or their offsets in two bytes each where that is shorter.
    members bytes NOT NULL,
    PRIMARY KEY (app_id, block, item_id)
) WITHOUT ROWID;

CREATE INDEX inbox_sets_item ON inbox_sets (app_id, item_id);

-- Up to which item a person has seen, read or archived all that is shared, and how often they changed something.
CREATE TABLE inbox_state (
    user_id bigint PRIMARY KEY,
    revision bigint NOT NULL DEFAULT 0,
    seen_before bigint NOT NULL DEFAULT 0,
    read_before bigint NOT NULL DEFAULT 0,
    archived_before bigint NOT NULL DEFAULT 0,
    -- When their other devices were sent a badge last, and when they are next, where something changed since.
    badge_sent_at bigint NOT NULL DEFAULT 0,
    badge_due_at bigint NOT NULL DEFAULT 0,
    -- On which installation all was read that they are told next, 0 where it is not known or not one.
    badge_reader bigint NOT NULL DEFAULT 0
);

CREATE INDEX inbox_state_badge ON inbox_state (badge_due_at) WHERE badge_due_at > 0;

-- People who use the console, for good: the audit log names them.
CREATE TABLE operators (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    name text NOT NULL,
    -- The name in the form by which it is found.
    name_key text NOT NULL UNIQUE,
    -- 1 viewer, 2 sender, 3 admin.
    role smallint NOT NULL,
    -- The hash, with its salt and parameters.
    password text NOT NULL,
    created_at bigint NOT NULL,
    disabled_at bigint
);

-- Links that make an operator, once.
CREATE TABLE operator_invitations (
    id key,
    hash bytes NOT NULL UNIQUE CHECK (length(hash) = 32),
    name text NOT NULL,
    name_key text NOT NULL,
    role smallint NOT NULL,
    -- Who sets a new password with it; none makes an operator.
    operator_id bigint REFERENCES operators (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);

CREATE INDEX operator_invitations_name ON operator_invitations (name_key);
CREATE INDEX operator_invitations_age ON operator_invitations (expires_at, rowid);

CREATE TABLE operator_sessions (
    id key,
    public_id bytes NOT NULL UNIQUE CHECK (length(public_id) = 16),
    operator_id bigint NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    hash bytes NOT NULL UNIQUE CHECK (length(hash) = 32),
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    -- When it ends if it is not used again.
    expires_at bigint NOT NULL
);

CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id, id);
CREATE INDEX operator_sessions_age ON operator_sessions (expires_at, rowid);

-- Who changed what. Never updated. No foreign keys: it outlives what it is about.
CREATE TABLE audit_log (
    id key,
    at bigint NOT NULL,
    -- 1 an operator, 2 the holder of a key, 3 the server itself, whose id is empty.
    actor_kind smallint NOT NULL,
    actor_id text NOT NULL,
    actor_name text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    app_id bigint,
    -- JSON without secrets; none for what was made, or is gone.
    before text,
    after text
);

CREATE INDEX audit_log_age ON audit_log (at, rowid);
CREATE INDEX audit_log_actor ON audit_log (actor_kind, actor_id, id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_subject ON audit_log (subject_kind, subject_id, id);
CREATE INDEX audit_log_app ON audit_log (app_id, id);
