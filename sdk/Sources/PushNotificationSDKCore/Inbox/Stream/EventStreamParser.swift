import Foundation

/// One event of a stream of server-sent events.
struct StreamEvent: Sendable, Hashable {
    /// What happened; `message` where nothing is said.
    var name = "message"
    /// The lines of data, with a line feed between them.
    var data = ""
    /// The last id that came, with this event or before.
    var id: String?
}

/// Reads server-sent events from bytes as they come, as the HTML standard says it (section 9.2.6); what it keeps is bounded.
struct EventStreamParser: Sendable {
    /// A line, or an event, that is too long.
    struct TooLong: Error {}

    /// The most bytes of a line, and of an event's data.
    static let bound = 64 << 10

    private var line: [UInt8] = []
    private var event = StreamEvent()
    private var data: String?
    private var id: String?
    private var isAfterReturn = false
    private var isFirstLine = true

    /// Takes bytes.
    ///
    /// - Returns: the events that are whole with them.
    /// - Throws: ``TooLong``; the stream is of no use then.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = try endOfLine() { events.append(event) }
            default:
                guard line.count < Self.bound else { throw TooLong() }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endOfLine() throws(TooLong) -> StreamEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        var bytes = line[...]
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        guard !bytes.isEmpty else { return dispatch() }
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        // A line that begins with the colon is a comment.
        guard !name.isEmpty else { return nil }
        var value = bytes.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try take(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func take(_ field: String, _ value: String) throws(TooLong) {
        switch field {
        case "data":
            data = data.map { "\($0)\n\(value)" } ?? value
            guard data?.utf8.count ?? 0 <= Self.bound else { throw TooLong() }
        case "event": event.name = value.isEmpty ? "message" : value
        case "id" where !value.unicodeScalars.contains("\0"): id = value.isEmpty ? nil : value
        default: break
        }
    }

    private mutating func dispatch() -> StreamEvent? {
        defer {
            event = StreamEvent()
            data = nil
        }
        guard let data else { return nil }
        event.data = data
        event.id = id
        return event
    }
}
