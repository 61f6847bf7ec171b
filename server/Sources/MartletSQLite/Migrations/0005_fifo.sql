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
