import MartletCore

extension SQL {
    /// Whether a topic has a confirmed webhook URL: topic.
    static let webhookSubscriber = """
        SELECT 1 FROM subscriptions /*+ subscriptions_webhooks */
        WHERE topic_id = ? AND is_confirmed = 1 AND kind = 3 ORDER BY id LIMIT 1
        """

    /// A topic's confirmed webhook URLs, with their policies: topic, after, last subscription, limit.
    static let webhookSubscribers = """
        SELECT id, address, policy_id FROM subscriptions /*+ subscriptions_webhooks */
        WHERE topic_id = ? AND is_confirmed = 1 AND kind = 3 AND id > ? AND id <= ? ORDER BY id LIMIT ?
        """

    /// The next message whose recipients are being read: the message after which to look.
    static let nextWebhookFanOut = """
        SELECT id, topic_id, cursor, last_subscription, filtered, message_group
        FROM webhook_messages /*+ webhook_messages_fan_out */
        WHERE fan_out = 1 AND fan_out <> 0 AND id > ? ORDER BY id LIMIT 1
        """

    /// How many messages have recipients that are not read.
    static let webhookFanOuts = """
        SELECT count(*) AS count FROM webhook_messages /*+ webhook_messages_fan_out */ WHERE fan_out <> 0
        """

    /// How many dead letters nobody had sent again, by app; those of webhook URLs have none.
    static let deadLetters = """
        SELECT app_id, count(*) AS count FROM dead_letters /*+ dead_letters_app */ WHERE retried_at IS NULL GROUP BY app_id
        """

    /// Messages of a group whose recipients are not read to their end: topic, group.
    static let webhookGroupFanOut = """
        SELECT id FROM webhook_messages /*+ webhook_messages_group */
        WHERE topic_id = ? AND message_group = ? AND fan_out <> 0 ORDER BY id LIMIT 1
        """

    /// The first delivery of a group to a subscription: subscription, group.
    static let webhookGroupDelivery = """
        SELECT id FROM webhook_deliveries /*+ webhook_deliveries_group */
        WHERE subscription_id = ? AND message_group = ? ORDER BY id LIMIT 1
        """

    /// Queues whose turn has come, those that wait longest first: whether their hosts are silent, now, limit.
    static let dueWebhookQueues = """
        SELECT \(WebhookQueue.columns) FROM webhook_queues /*+ webhook_queues_turn */
        WHERE is_silent = ? AND turn_at <= ? ORDER BY turn_at, place, id LIMIT ?
        """

    /// When the next queue's turn comes: whether its host is silent, now.
    static let nextWebhookTurn = """
        SELECT turn_at FROM webhook_queues /*+ webhook_queues_turn */
        WHERE is_silent = ? AND turn_at > ? ORDER BY turn_at, place, id LIMIT 1
        """

    /// Hosts that do not answer.
    static let silentWebhookHosts = """
        SELECT count(*) AS count FROM webhook_queues /*+ webhook_queues_turn */ WHERE is_silent = 1
        """

    /// A delivery of a queue that may be poison and is leased: queue, now, failures from which on it may.
    static let isolatedWebhook = """
        SELECT 1 FROM webhook_deliveries /*+ webhook_deliveries_alone */
        WHERE state = 2 AND queue = ? AND lease_holder IS NOT NULL AND lease_until > ? AND lease_count > ?
        ORDER BY id LIMIT 1
        """

    /// Whether a delivery of a queue is leased: queue, now. Those that are stand before all others that are due; so many
    /// are not in flight to one host.
    static let calledWebhook = """
        SELECT 1 FROM (
            SELECT lease_holder, lease_until FROM webhook_deliveries /*+ webhook_deliveries_queue */
            WHERE queue = ?1 AND due_at <= ?2 ORDER BY due_at, id LIMIT 1000
        ) d
        WHERE d.lease_holder IS NOT NULL AND d.lease_until > ?2 LIMIT 1
        """

    /// When a queue's first delivery is due that nobody holds: queue, now.
    static let nextWebhookDue = """
        SELECT due_at FROM webhook_deliveries /*+ webhook_deliveries_queue */
        WHERE queue = ? AND lease_until <= ? ORDER BY due_at, id LIMIT 1
        """

    /// When the first lease of a queue's deliveries ends: queue, now.
    static let nextWebhookFree = """
        SELECT min(lease_until) AS next_at FROM webhook_deliveries /*+ webhook_deliveries_queue */
        WHERE queue = ?1 AND due_at <= ?2 AND lease_until > ?2
        """

    /// A queue's due deliveries that nobody holds: queue, now, limit.
    static let dueWebhooks = """
        SELECT d.id, d.message_id, d.subscription_id, d.message_group, d.is_unsubscribe_confirmation, d.attempts,
            d.state, d.lease_process, d.lease_count, m.accepted_at
        FROM webhook_deliveries d /*+ webhook_deliveries_queue */
            /*+ CROSS */ JOIN webhook_messages m ON m.id = d.message_id
        WHERE d.queue = ?1 AND d.due_at <= ?2 AND d.lease_until <= ?2 ORDER BY d.due_at, d.id LIMIT ?3
        """

    /// Brings a queue's turn forward: queue, the moment, the place of a new queue. A host that rests is left to rest. A
    /// new queue stands behind all others, as after a turn.
    static let wakeWebhookQueue = """
        INSERT INTO webhook_queues (queue, turn_at, place) VALUES (?1, ?2, ?3)
        ON CONFLICT (queue) DO UPDATE SET idle_since = NULL,
            turn_at = CASE WHEN webhook_queues.rest_until > ?2 THEN webhook_queues.rest_until ELSE ?2 END
        WHERE webhook_queues.turn_at > webhook_queues.rest_until AND webhook_queues.turn_at > ?2
        """

    /// Keeps a delivery that is given up, with what is known of its subscription: id, attempts made with it, reason,
    /// now, delivery. One whose subscription ended meanwhile is nobody's.
    static let addWebhookDeadLetter = """
        INSERT INTO dead_letters (kind, public_id, attempts, reason, died_at, message, topic, recipient, address,
            is_unsubscribe_confirmation, sequence, document)
        SELECT 2, ?, d.attempts + ?, ?, ?, m.public_id, m.topic, coalesce(s.public_id, f.public_id),
            coalesce(s.address, f.address), d.is_unsubscribe_confirmation, m.sequence, m.document
        FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
            LEFT JOIN subscriptions s ON d.is_unsubscribe_confirmation = 0 AND s.id = d.subscription_id
            LEFT JOIN ended_subscriptions f ON d.is_unsubscribe_confirmation = 1 AND f.id = d.subscription_id
        WHERE d.id = ? AND coalesce(s.id, f.id) IS NOT NULL
        """

    /// Webhook URLs that were asked and never confirmed, by age: before, limit.
    static let pendingWebhooks = """
        SELECT id FROM subscriptions /*+ subscriptions_pending */
        WHERE is_confirmed = 0 AND created_at < ? ORDER BY created_at, id LIMIT ?
        """

    /// Forgets a message that everybody has: message.
    static let forgetWebhookMessage = """
        DELETE FROM webhook_messages WHERE id = ?1 AND fan_out = 0
            AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.message_id = ?1)
        """
}
