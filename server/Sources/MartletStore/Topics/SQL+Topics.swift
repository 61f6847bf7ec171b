import MartletCore

extension SQL {
    /// Subscribers of a topic by subject, with their policies: topic, app, kind, after, last subscription, limit.
    static let subscribers = """
        SELECT subject_id, policy_id FROM subscriptions /*+ subscriptions_subject */
        WHERE topic_id = ? AND app_id = ? AND kind = ? AND kind <> 3 AND subject_id > ? AND id <= ?
        ORDER BY subject_id LIMIT ?
        """

    /// Subscribers of a topic that have one policy, or none: topic, app, kind, policy, after, last subscription, limit.
    static let subscribersOfPolicy = """
        SELECT subject_id FROM subscriptions /*+ subscriptions_policy */
        WHERE topic_id = ? AND app_id = ? AND kind = ? AND kind <> 3 AND policy_id IS NOT DISTINCT FROM ?
            AND subject_id > ? AND id <= ?
        ORDER BY subject_id LIMIT ?
        """

    /// One subject's subscription to a topic: topic, app, kind, subject.
    static let subjectSubscription = """
        SELECT id, policy_id FROM subscriptions
        WHERE topic_id = ? AND app_id = ? AND kind = ? AND kind <> 3 AND subject_id = ?
        """

    /// The next app that has subscribers: topic, the app after which to look.
    static let nextSubscribedApp = """
        SELECT app_id FROM subscriptions /*+ subscriptions_subject */
        WHERE topic_id = ? AND kind <> 3 AND app_id > ? ORDER BY app_id LIMIT 1
        """

    /// A topic's policies after the last one that is known: topic, after, limit.
    static let policies = """
        SELECT id, scope, text FROM filter_policies /*+ filter_policies_topic */
        WHERE topic_id = ? AND id > ? ORDER BY id LIMIT ?
        """

    /// An endpoint whose own subscription changes while audiences are read from its topic: topic, endpoint.
    static let noteSubscriptionChange = """
        INSERT INTO moves (notification_id, endpoint_id)
        SELECT notification_id, ?2 FROM topic_fan_outs WHERE topic_id = ?1
        ON CONFLICT (notification_id, endpoint_id) DO NOTHING
        """

    /// One endpoint as the gate looks at it: its key, app.
    static let candidate = "\(Candidate.select) WHERE id = ? AND app_id = ?"
}
