-- What waits for the web addresses that are subscribed to topics.

CREATE TABLE webhook_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL CHECK (length(public_id) = 16),
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    -- How the topic is called outside.
    topic TEXT NOT NULL,
    -- What it says, for the interface that wrote it.
    document TEXT NOT NULL,
    -- What filters look at; none for a message to one subscription.
    filtered TEXT,
    -- Messages of one group reach a subscription in their order.
    message_group TEXT,
    -- Whether its recipients are being read: 0 to the end, 1 they are, 2 after those of the message before it in its
    -- group.
    fan_out INTEGER NOT NULL CHECK (fan_out IN (0, 1, 2)),
    -- The subscription that was read last, and the last one that counts.
    cursor INTEGER NOT NULL,
    last_subscription INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_messages_fan_out ON webhook_messages (id) WHERE fan_out = 1;
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
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- When it may be taken; for ever ahead while one before it in its group is under way.
    due_at INTEGER NOT NULL,
    lease_holder INTEGER,
    last_reason TEXT
) STRICT;

CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (queue, due_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at);
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);
CREATE INDEX webhook_deliveries_group ON webhook_deliveries (subscription_id, message_group, id)
    WHERE message_group IS NOT NULL;

CREATE TABLE webhook_dead_letters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id BLOB NOT NULL UNIQUE CHECK (length(public_id) = 16),
    message BLOB NOT NULL CHECK (length(message) = 16),
    topic TEXT NOT NULL,
    subscription BLOB NOT NULL CHECK (length(subscription) = 16),
    address TEXT NOT NULL,
    document TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    died_at INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_dead_letters_age ON webhook_dead_letters (died_at);
