/// How many a notification would go to if it were sent now: `POST /api/v1/notifications/estimate`.
public struct EstimateResponse: Sendable, Hashable, Codable {
    /// People who would get it on at least one device.
    public var people: Int
    /// Devices that it would be sent to.
    public var devices: Int
    /// People who would get it on no device, by what keeps them out, most first.
    public var keptOut: [KeptOut]
    /// Whether everybody was looked at; otherwise the numbers come from samples.
    public var isExact: Bool

    public init(people: Int, devices: Int, keptOut: [KeptOut], isExact: Bool) {
        self.people = people
        self.devices = devices
        self.keptOut = keptOut
        self.isExact = isExact
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case people, devices
        case keptOut = "kept_out"
        case isExact = "is_exact"
    }

    /// How many people one reason keeps out.
    public struct KeptOut: Sendable, Hashable, Codable {
        /// The reason, as a suppression has it.
        public var reason: String
        /// How many people.
        public var people: Int
        /// The reason as a sentence.
        public var detail: String

        public init(reason: String, people: Int, detail: String) {
            self.reason = reason
            self.people = people
            self.detail = detail
        }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable { case reason, people, detail }
    }
}
