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
    last_reason TEXT
) STRICT;

CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (queue, due_at);
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);
CREATE INDEX webhook_deliveries_group ON webhook_deliveries (subscription_id, message_group, id)
    WHERE message_group IS NOT NULL;

-- Hosts with their ports: whose turn it is, and what is known of them.
CREATE TABLE webhook_queues (
    -- Another one with each turn: of those whose turn comes at the same moment the one that waits longest is first.
    id INTEGER PRIMARY KEY,
    queue TEXT NOT NULL UNIQUE,
    -- Whether it answers: 0 nobody knows, 1 it does, 2 it does not.
    standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2)),
    silences INTEGER NOT NULL DEFAULT 0 CHECK (silences >= 0),
    rest_until INTEGER NOT NULL DEFAULT 0,
    -- When to look at its deliveries: none of them is due before.
    turn_at INTEGER NOT NULL,
    -- Since when nothing waits for it.
    idle_since INTEGER
) STRICT;

CREATE INDEX webhook_queues_turn ON webhook_queues (standing, turn_at);
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
