/// The queries about reported events that have to run unchanged, to the letter, with their zone and limit.
public enum SpecifiedQueries {
    /// The newest hundred events of iPhones.
    public static let newest = """
        SELECT
        time,
        type,
        campaign_id,
        message_id,
        platform
        FROM mobile.push_events
        WHERE platform = 'ios'
        ORDER BY time DESC
        LIMIT 100
        """

    /// What iPhones reported within the last hour, with whose they are.
    public static let lastHour = """
        SELECT
        time,
        type,
        campaign_id,
        message_id,
        platform,
        user_id
        FROM mobile.push_events
        WHERE platform = 'ios'
        AND time > td_time_add(now(), '-1h', 'JST')
        ORDER BY time DESC
        LIMIT 20
        """
}
