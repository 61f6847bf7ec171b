public import MartletWire

/// An event as it is kept.
public struct Event: Sendable, Hashable {
    /// The key inside the store, which grows in the order of receipt.
    public var row: Int64
    /// Whose it is.
    public var app: RowID<App>
    /// What was reported; its user is the one who was logged in, or who logged in next on the same device.
    public var draft: EventDraft
    /// When it happened.
    public var time: EventTime
    /// When it was received.
    public var receivedAt: Timestamp

    package init(row: Int64, app: RowID<App>, draft: EventDraft, time: EventTime, receivedAt: Timestamp) {
        self.row = row
        self.app = app
        self.draft = draft
        self.time = time
        self.receivedAt = receivedAt
    }
}

/// How many events of each type were reported under one message id.
public struct EventCounts: Sendable, Hashable {
    private var values: [EventType: Int]

    /// Counts by type; what is absent is 0.
    public init(_ values: [EventType: Int] = [:]) { self.values = values.filter { $0.value != 0 } }

    /// How many there were of one type.
    public subscript(type: EventType) -> Int {
        get { values[type] ?? 0 }
        set { values[type] = newValue == 0 ? nil : newValue }
    }
}

extension Content {
    /// The id under which a notification's events are counted: what the sender put into the payload, or else the
    /// notification's own.
    ///
    /// - Parameter providers: those whose overrides may put a payload in place of the rendered one.
    package func messageID(orElse id: PublicID, providers: [Platform: any Provider]) -> String {
        let raw = Platform.allCases.lazy.compactMap { platform in
            overrides[platform].flatMap { providers[platform]?.payload(of: $0) }
        }.first
        return (raw ?? data)[PayloadKey.messageID]?.stringValue ?? id.description
    }
}
