import MartletWire

/// A phone of the story, with the app installed.
struct DemoPhone: Codable, Sendable {
    /// Whose it is.
    let user: String
    /// What its owner calls it.
    let name: String
    /// The token that the app got from APNs.
    let token: String
    /// The id that the SDK made.
    let installation: PublicID
    /// The endpoint that the server made of it.
    var endpoint: PublicID?
    /// The secret that the first registration returned.
    var secret: String?
    /// Whether pushes are made to it after the story.
    var isActive: Bool?
    /// Why not.
    var inactiveReason: String?
    /// How many pushes the simulated APNs got for it.
    var received: Int?

    /// A phone that has never registered.
    init(user: String, name: String) {
        var random = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        self.user = user
        self.name = name
        // APNs tokens are 32 bytes today.
        token = String((0..<64).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
        installation = PublicID(high: random.next(), low: random.next())
    }

    enum CodingKeys: String, CodingKey {
        case user
        case name
        case token
        case installation = "installation_id"
        case endpoint = "endpoint_id"
        case secret = "installation_secret"
        case isActive = "is_active"
        case inactiveReason = "inactive_reason"
        case received
    }
}
