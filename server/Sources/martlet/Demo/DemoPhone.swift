import MartletWire

/// A phone of the story, and its result.
struct DemoPhone: Codable, Sendable {
    /// Whose it is.
    let user: String
    /// What its owner calls it.
    let name: String
    /// What pushes to it go through.
    let platform: PlatformName
    /// The token that the app got from the simulated APNs, or FCM.
    var token = ""
    /// The endpoint that the server made of it.
    var endpoint: PublicID?
    /// The notifications that it showed, by their first lines.
    var shown: [String] = []
    /// What its owner did with them.
    var did: String?
    /// What its app reported of the alert, as the server has it.
    var reported: [EventType] = []
    /// Whether pushes are made to it after the story.
    var isActive: Bool?
    /// Why not.
    var inactiveReason: String?
    /// How many pushes the simulated APNs, or FCM, got for it.
    var received: Int?

    /// A phone that was never switched on.
    init(user: String, name: String, platform: PlatformName = .apns) {
        self.user = user
        self.name = name
        self.platform = platform
    }

    enum CodingKeys: String, CodingKey {
        case user, name, platform, token
        case endpoint = "endpoint_id"
        case shown, did, reported
        case isActive = "is_active"
        case inactiveReason = "inactive_reason"
        case received
    }
}
