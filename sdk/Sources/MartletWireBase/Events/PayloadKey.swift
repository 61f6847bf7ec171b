/// The names, at the top level of a push's payload, by which its events find back to it.
public enum PayloadKey {
    /// The id under which the push is counted. The server puts the notification's public id there, unless the sender
    /// gave a `message_id` of its own.
    public static let messageID = "message_id"
    /// The campaign's id, where there is one.
    public static let campaignID = "campaign_id"
    /// The other name of `campaign_id`, which is read first where both are present.
    public static let treasureDataCampaignID = "td_campaign_id"
}
