/// What a rule does.
package enum SimulatorAction: Sendable, Equatable {
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
}

extension SimulatorAction {
    /// Whether it answers that the provider token has expired.
    var isExpiredToken: Bool {
        if case .respond(_, APNsReason.expiredProviderToken.rawValue, _) = self { true } else { false }
    }
}

extension SimulatorAction: Codable {
    private enum Name: String, Codable {
        case proceed, respond, hang, reset, abort, goAway, maxStreams, pauseReading, withholdWindow, stopListening
    }

    private enum CodingKeys: String, CodingKey {
        case action = "do"
        case status, reason, timestamp, code, processed, value, milliseconds, mode
    }

    /// Reads a rule's `then`, whose `do` names the action.
    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader(
            decoder,
            allowing: "do",
            "status",
            "reason",
            "timestamp",
            "code",
            "processed",
            "value",
            "milliseconds",
            "mode"
        )
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
            guard let time = try fields.number("milliseconds", in: 1...SimulatorRule.longestDelay) else {
                throw fields.invalid("milliseconds", "is missing")
            }
            self = .pauseReading(milliseconds: time)
        case .withholdWindow: self = .withholdWindow
        case .stopListening:
            self = .stopListening(
                mode: try fields.optional("mode") ?? .refuse,
                milliseconds: try fields.number("milliseconds", in: 1...SimulatorRule.longestDelay)
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
        var fields = encoder.container(keyedBy: CodingKeys.self)
        func name(_ name: Name) throws { try fields.encode(name, forKey: .action) }
        switch self {
        case .proceed: try name(.proceed)
        case .respond(let status, let reason, let timestamp):
            try name(.respond)
            try fields.encode(status, forKey: .status)
            try fields.encodeIfPresent(reason, forKey: .reason)
            try fields.encodeIfPresent(timestamp, forKey: .timestamp)
        case .hang: try name(.hang)
        case .reset(let code):
            try name(.reset)
            try fields.encode(code, forKey: .code)
        case .abort: try name(.abort)
        case .goAway(let reason, let code, let processed):
            try name(.goAway)
            try fields.encodeIfPresent(reason, forKey: .reason)
            try fields.encode(code, forKey: .code)
            try fields.encode(processed, forKey: .processed)
        case .maxStreams(let value):
            try name(.maxStreams)
            try fields.encode(value, forKey: .value)
        case .pauseReading(let milliseconds):
            try name(.pauseReading)
            try fields.encode(milliseconds, forKey: .milliseconds)
        case .withholdWindow: try name(.withholdWindow)
        case .stopListening(let mode, let milliseconds):
            try name(.stopListening)
            try fields.encode(mode, forKey: .mode)
            try fields.encodeIfPresent(milliseconds, forKey: .milliseconds)
        }
    }
}
