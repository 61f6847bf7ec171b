/// What a rule does.
package enum SimulatorAction: RuleAction {
    /// The answer that the checks give (useful with a delay).
    case proceed
    /// This answer. For status 410 a missing timestamp becomes the time of the answer.
    case respond(status: Int, reason: String?, timestamp: Int64? = nil)
    /// No answer, ever.
    case hang
    /// RST_STREAM with this code (RFC 9113 section 7).
    case reset(code: UInt32)
    /// The TCP connection is reset.
    case abort
    /// GOAWAY with `{"reason":…}` as debug data. Unless `processed`, the push that fired it and the streams after it lie
    /// above the last stream id: they were not processed. Where a later stream was taken on before, the push is refused
    /// with REFUSED_STREAM instead.
    case goAway(reason: String?, code: UInt32 = 0, processed: Bool = false)
    /// SETTINGS_MAX_CONCURRENT_STREAMS of the connection becomes this; the push is answered as checked.
    case maxStreams(Int)
    /// The connection is not read for this many milliseconds; the push is answered as checked.
    case pauseReading(milliseconds: Int)
    /// No WINDOW_UPDATE for the connection any more, so that its window runs out; the push is answered as checked.
    case withholdWindow
    /// New connections are refused, for this many milliseconds or until told; the push is answered as checked.
    case stopListening(mode: ListenerMode = .refuse, milliseconds: Int? = nil)
}

extension SimulatorAction {
    /// An answer with one of Apple's reasons and its status.
    package static func refuse(_ reason: APNsReason, timestamp: Int64? = nil) -> SimulatorAction {
        .respond(status: reason.status, reason: reason.rawValue, timestamp: timestamp)
    }

    package var isProceed: Bool { self == .proceed }

    /// Whether it answers that the provider token has expired.
    var isExpiredToken: Bool {
        if case .respond(_, APNsReason.expiredProviderToken.rawValue, _) = self { true } else { false }
    }
}

// MARK: - JSON

extension SimulatorAction {
    private enum Name: String, Codable {
        case proceed, respond, hang, reset, abort, goAway, maxStreams, pauseReading, withholdWindow, stopListening
    }

    /// The members as they are written; which of them are there is the action's.
    private struct Document: Encodable {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case action = "do"
            case status, reason, timestamp, code, processed, value, milliseconds, mode
        }

        var action: Name
        var status: Int?
        var reason: String?
        var timestamp: Int64?
        var code: UInt32?
        var processed: Bool?
        var value: Int?
        var milliseconds: Int?
        var mode: ListenerMode?
    }

    /// Reads a rule's `then`, whose `do` names the action.
    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder, of: Document.CodingKeys.self)
        switch try fields.required("do", as: Name.self) {
        case .proceed: self = .proceed
        case .respond: self = try Self.respond(fields)
        case .hang: self = .hang
        case .reset: self = .reset(code: try fields.errorCode() ?? 0x8)
        case .abort: self = .abort
        case .goAway:
            self = .goAway(
                reason: try fields.optional("reason"),
                code: try fields.errorCode() ?? 0,
                processed: try fields.optional("processed") ?? false
            )
        case .maxStreams:
            guard let value = try fields.number("value", in: 0...Int(Int32.max)) else {
                throw fields.invalid("value", "is missing")
            }
            self = .maxStreams(value)
        case .pauseReading:
            guard let time = try fields.number("milliseconds", in: 1...longestDelay) else {
                throw fields.invalid("milliseconds", "is missing")
            }
            self = .pauseReading(milliseconds: time)
        case .withholdWindow: self = .withholdWindow
        case .stopListening:
            self = .stopListening(
                mode: try fields.optional("mode") ?? .refuse,
                milliseconds: try fields.number("milliseconds", in: 1...longestDelay)
            )
        }
    }

    private static func respond(_ fields: FieldReader) throws -> SimulatorAction {
        let reason: String? = try fields.optional("reason")
        let known = reason.flatMap(APNsReason.init(rawValue:))?.status
        guard let status = try fields.number("status", in: 200...599) ?? known else {
            throw fields.invalid("status", "is missing", hint: "It can only be left out with one of Apple's reasons.")
        }
        return .respond(status: status, reason: reason, timestamp: try fields.optional("timestamp"))
    }

    /// Writes what `init(from:)` reads.
    package func encode(to encoder: any Encoder) throws {
        let document =
            switch self {
            case .proceed: Document(action: .proceed)
            case .respond(let status, let reason, let timestamp):
                Document(action: .respond, status: status, reason: reason, timestamp: timestamp)
            case .hang: Document(action: .hang)
            case .reset(let code): Document(action: .reset, code: code)
            case .abort: Document(action: .abort)
            case .goAway(let reason, let code, let processed):
                Document(action: .goAway, reason: reason, code: code, processed: processed)
            case .maxStreams(let value): Document(action: .maxStreams, value: value)
            case .pauseReading(let time): Document(action: .pauseReading, milliseconds: time)
            case .withholdWindow: Document(action: .withholdWindow)
            case .stopListening(let mode, let time):
                Document(action: .stopListening, milliseconds: time, mode: mode)
            }
        try document.encode(to: encoder)
    }
}
