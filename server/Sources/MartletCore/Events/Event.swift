import Foundation
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
    public func messageID(orElse id: PublicID) -> String {
        let override = overrides[.apns]?.objectValue
        let raw = override?["payload"]?.objectValue ?? Content.members(ofText: override?["text"]?.stringValue)
        if let own = (raw ?? data)[PayloadKey.messageID]?.stringValue { return own }
        return id.description
    }

    private static func members(ofText text: String?) -> [String: JSONValue]? {
        text.flatMap { try? JSONValue(json: Data($0.utf8)) }?.objectValue
    }
}
