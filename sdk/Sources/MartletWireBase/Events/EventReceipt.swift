/// What became of a batch of events.
public struct EventsResponse: Sendable, Hashable, Codable {
    /// One receipt for each event, by position.
    public var receipts: [EventReceipt]

    /// Receipts in the order of the events.
    public init(receipts: [EventReceipt]) { self.receipts = receipts }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case receipts }
}

/// What became of one event: it is kept, or it will never be.
public struct EventReceipt: Sendable, Hashable, Codable {
    /// Why an event was not taken. Sending it again unchanged never helps.
    public struct Failure: Error, Sendable, Hashable, Codable {
        /// The word that never changes; clients keep words that they do not know.
        public var name: String
        /// One sentence for a person, which names the field.
        public var description: String

        public init(name: String, description: String) {
            self.name = name
            self.description = description
        }

        /// The fields on the wire.
        public enum CodingKeys: String, CodingKey, CaseIterable { case name, description }
    }

    /// Whether the event is kept.
    public var success: Bool
    /// Why not.
    public var error: Failure?

    public init(success: Bool, error: Failure? = nil) {
        self.success = success
        self.error = error
    }

    /// The fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable { case success, error }

    /// The event is kept.
    public static let kept = EventReceipt(success: true)
    /// The event was refused.
    public static func refused(_ failure: Failure) -> EventReceipt { EventReceipt(success: false, error: failure) }
}

extension EventReceipt.Failure {
    /// A field is missing, of the wrong type, too long, or has a value that it cannot have.
    public static let invalidPropertyValue = "InvalidPropertyValueError"
    /// A field has a name that no column can have.
    public static let invalidPropertyName = "InvalidPropertyNameError"
    /// The database or the table has a name that it cannot have.
    public static let invalidCollectionName = "InvalidCollectionNameError"
    /// The event names another installation than the one whose secret was presented.
    public static let foreignInstallation = "ForeignInstallationError"
}
