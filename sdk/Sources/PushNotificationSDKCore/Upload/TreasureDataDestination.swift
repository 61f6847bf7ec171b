package import Foundation
import MartletWire

/// Treasure Data's ingest interface or its older postback interface, or a server that speaks their formats.
package struct TreasureDataDestination: EventDestination {
    package let name = "treasure-data"
    /// The interfaces' bounds: 500 records, 1 MB each and 5 MB together; of the older one a record of 1,048,064 bytes.
    package let limits: BatchLimits
    private let settings: TreasureDataSettings
    private let timeout: TimeInterval

    private static let mediaType = "application/vnd.treasuredata.v1+json"
    /// What will never succeed: the record's collection or one of its properties cannot be.
    private static let permanent: Set<String> = [
        EventReceipt.Failure.invalidCollectionName, EventReceipt.Failure.invalidPropertyName,
        EventReceipt.Failure.invalidPropertyValue,
    ]

    /// A destination; the timeout is the most seconds of one request.
    package init(_ settings: TreasureDataSettings, timeout: TimeInterval) {
        self.settings = settings
        limits =
            settings.form == .ingest
            ? BatchLimits(events: 500, bytes: 4_000_000) : BatchLimits(events: 1, bytes: 1_048_064)
        self.timeout = timeout
    }

    package func isReady() -> Bool { true }

    package func call(for events: [PushEvent]) -> HTTPCall? {
        if settings.form == .postback { return postback(events) }
        let records = JSONValue.object(["events": .array(events.map { .object(Self.record(of: $0)) })])
        guard let body = try? records.json() else { return nil }
        let headers = [
            "Authorization": "TD1 \(settings.writeKey)", "Content-Type": Self.mediaType, "Accept": Self.mediaType,
        ]
        return HTTPCall("POST", settings.url, headers: headers, body: body, timeout: timeout)
    }

    /// One record, whose time has another name.
    private func postback(_ events: [PushEvent]) -> HTTPCall? {
        guard let event = events.first, events.count == 1 else { return nil }
        var record = Self.record(of: event)
        record["td_record_time"] = record.removeValue(forKey: "time")
        record["uuid"] = nil
        guard let body = try? JSONValue.object(record).json() else { return nil }
        let headers = [HeaderName.treasureDataKey: settings.writeKey, "Content-Type": "application/json"]
        return HTTPCall("POST", settings.url, headers: headers, body: body, timeout: timeout)
    }

    package func receipts(_ answer: HTTPAnswer, count: Int) -> [ReceiptVerdict]? {
        // It does not say what happened to the record.
        if settings.form == .postback { return Array(repeating: .kept, count: count) }
        guard let response = try? JSONDecoder().decode(EventsResponse.self, from: answer.body),
            response.receipts.count == count
        else { return nil }
        return response.receipts.map { receipt in
            guard !receipt.success else { return .kept }
            let name = receipt.error?.name ?? ""
            return Self.permanent.contains(name) ? .refused(name) : .later
        }
    }

    /// A row of the events table: seconds since 1970, and the campaign under both of its names.
    private static func record(of event: PushEvent) -> [String: JSONValue] {
        let id = event.id.uuidString.lowercased()
        var record: [String: JSONValue] = [
            "uuid": .string(id), "event_id": .string(id), "type": .string(event.type.rawValue),
            "time": .integer(event.time / 1000), "platform": .string(EventPlatform.ios.rawValue),
        ]
        for (name, value) in event.columns {
            if let value { record[name] = .string(value) }
        }
        record["request_id"] = nil
        record["message_id"] = (event.message.messageID ?? event.message.requestID).map { .string($0) }
        record["td_campaign_id"] = record["campaign_id"]
        return record
    }
}
