import Testing

@testable import MartletSimulator

/// What clients in other languages send, in their own form: ALPN, SETTINGS, fields in their order, provider token.
@Suite("Forms of other clients", .timeLimit(.minutes(4)))
struct ClientFormTests {
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var protocols = ["h2"]
        var settings: [(UInt16, UInt32)] = []
        /// The connection's window is made so much larger at once.
        var windowUpdate: UInt32?
        /// The token's header and claims; `NOW` stands for the time in seconds.
        var header: String
        var claims: String
        var isDER = false
        /// The word before the token.
        var scheme = "bearer"
        /// The fields; `PATH`, `TOKEN` and `HOST` stand for what they say.
        var fields: [(String, String)]
        /// Whether END_STREAM comes in an empty DATA frame of its own.
        var endsWithEmptyData = false
    }

    private static let (headerTable, push, concurrent, window, frameSize, headerList):
        (
            UInt16, UInt16, UInt16, UInt16, UInt16, UInt16
        ) = (1, 2, 3, 4, 5, 6)
    private static let kid = "ABC123DEFG"
    private static let claims = #"{"iss":"TEAM123456","iat":NOW}"#

    static let forms: [Form] = [
        Form(
            testDescription: "pushy: a signature as DER",
            settings: [(headerList, 8_192)],
            header: #"{"alg":"ES256","typ":"JWT","kid":"\#(kid)"}"#,
            claims: claims,
            isDER: true,
            fields: [
                (":method", "POST"), (":authority", "HOST"), (":path", "PATH"), (":scheme", "https"),
                ("apns-expiration", "0"), ("apns-priority", "10"), ("apns-push-type", "alert"),
                ("apns-topic", Account.topic), ("apns-id", "a5ea4c07-46a7-4f25-a9d9-9f5bd47f3c9a"),
                ("authorization", "TOKEN"),
            ]
        ),
        Form(
            testDescription: "apnotic: no ALPN",
            protocols: [],
            settings: [(headerTable, 4_096), (push, 1), (concurrent, 100), (window, 65_535), (frameSize, 16_384)],
            header: #"{"kid":"\#(kid)","alg":"ES256"}"#,
            claims: claims,
            fields: [
                (":scheme", "https"), (":method", "POST"), (":path", "PATH"), ("host", "HOST"),
                ("apns-id", "0b1f1a0e-5f0c-4a07-9d0b-5d5d8d1b8a51"), ("apns-priority", "10"),
                ("apns-topic", Account.topic), ("authorization", "TOKEN"), ("apns-push-type", "alert"),
                ("content-length", "21"),
            ]
        ),
        Form(
            testDescription: "APNSwift: Bearer, an id in upper case",
            settings: [(push, 0), (concurrent, 0), (headerList, 16_384)],
            header: #"{"alg":"ES256","typ":"JWT","kid":"\#(kid)"}"#,
            claims: #"{"iat":NOW,"iss":"TEAM123456"}"#,
            scheme: "Bearer",
            fields: [
                (":method", "POST"), (":path", "PATH"), (":authority", "HOST"), (":scheme", "https"),
                ("content-type", "application/json"), ("user-agent", "APNS/swift-nio"), ("authorization", "TOKEN"),
                ("apns-id", "7E7AF6B0-1B0C-4C8C-8E8A-4F5C8F4E9F11"), ("apns-push-type", "alert"),
                ("apns-expiration", "0"), ("apns-priority", "10"), ("apns-topic", Account.topic),
                ("content-length", "21"),
            ]
        ),
        Form(
            testDescription: "PyAPNs2: iat with a fraction, the end in a frame of its own",
            settings: [(push, 0)],
            header: #"{"typ":"JWT","alg":"ES256","kid":"\#(kid)"}"#,
            claims: #"{"iss":"TEAM123456","iat":NOW.7301948}"#,
            fields: [
                (":method", "POST"), (":scheme", "https"), (":authority", "HOST"), (":path", "PATH"),
                ("apns-topic", Account.topic), ("apns-push-type", "alert"), ("authorization", "TOKEN"),
            ],
            endsWithEmptyData: true
        ),
        Form(
            testDescription: "kalyke: iat as text",
            settings: [(headerTable, 4_096), (push, 0), (concurrent, 100), (window, 65_535), (headerList, 65_536)],
            windowUpdate: 16_777_216,
            header: #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT"}"#,
            claims: #"{"iss":"TEAM123456","iat":"NOW"}"#,
            fields: [
                (":method", "POST"), (":authority", "HOST"), (":scheme", "https"), (":path", "PATH"),
                ("accept", "*/*"), ("accept-encoding", "gzip, deflate"), ("user-agent", "python-httpx2/2.16.2"),
                ("apns-push-type", "alert"), ("apns-expiration", "1900000000"), ("apns-priority", "10"),
                ("apns-topic", Account.topic), ("authorization", "TOKEN"), ("content-length", "21"),
                ("content-type", "application/json"),
            ]
        ),
        Form(
            testDescription: "aioapns: no ALPN, Host in place of :authority",
            protocols: [],
            settings: [(headerTable, 4_096), (push, 1), (concurrent, 100), (window, 65_535), (frameSize, 16_384)],
            header: #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT"}"#,
            claims: claims,
            fields: [
                (":method", "POST"), (":scheme", "https"), (":path", "PATH"), ("host", "api.push.apple.com"),
                ("apns-id", "57e5d6f2-98cc-4b5d-8d5e-3f0d4dd6e7a9"), ("apns-topic", Account.topic),
                ("apns-push-type", "alert"), ("authorization", "TOKEN"),
            ]
        ),
        Form(
            testDescription: "apns2 for Go: a window of a gigabyte",
            settings: [(push, 0), (window, 4_194_304), (headerList, 10_485_760)],
            windowUpdate: 1_073_741_824,
            header: #"{"alg":"ES256","kid":"\#(kid)"}"#,
            claims: #"{"iat":NOW,"iss":"TEAM123456"}"#,
            fields: [
                (":authority", "HOST"), (":method", "POST"), (":path", "PATH"), (":scheme", "https"),
                ("apns-topic", Account.topic), ("authorization", "TOKEN"), ("apns-push-type", "alert"),
                ("content-type", "application/json; charset=utf-8"), ("content-length", "21"),
                ("accept-encoding", "gzip"), ("user-agent", "Go-http-client/2.0"),
            ]
        ),
        Form(
            testDescription: "node-apn: iat before iss",
            settings: [(push, 1), (headerTable, 4_096), (window, 65_535)],
            header: #"{"alg":"ES256","typ":"JWT","kid":"\#(kid)"}"#,
            claims: #"{"iat":NOW,"iss":"TEAM123456"}"#,
            fields: [
                (":scheme", "https"), (":method", "POST"), (":authority", "HOST"), (":path", "PATH"),
                ("apns-topic", Account.topic), ("apns-push-type", "alert"), ("authorization", "TOKEN"),
            ]
        ),
    ]

    @Test("a good push is accepted and one to an unregistered token is told so, whatever the form")
    func forms() async throws {
        try await withSimulator { live in
            live.simulator.register(
                try SimulatorDevice(token: Account.otherDevice, state: .unregistered(since: 1_700_000_000_000))
            )
            for form in Self.forms {
                live.simulator.removeReceived()
                try await push(form, to: live)
                let received = live.simulator.received()
                #expect(received.map(\.status) == [200, 410], "\(form.testDescription)")
                #expect(received.map(\.reason) == [nil, "Unregistered"], "\(form.testDescription)")
            }
        }
    }

    private func push(_ form: Form, to live: LiveSimulator) async throws {
        let claims = form.claims.replacing("NOW", with: "\(LiveSimulator.now)")
        let token = try live.account.token(header: form.header, claims: claims, isDER: form.isDER)
        try await live.withConnection(protocols: form.protocols, settings: form.settings) { connection in
            if let count = form.windowUpdate { try await connection.send(.windowUpdate(0, count)) }
            for (stream, device) in [(1, Account.device), (3, Account.otherDevice)] {
                let fields = form.fields.map { name, value in
                    switch value {
                    case "PATH": (name, "/3/device/\(device)")
                    case "TOKEN": (name, "\(form.scheme) \(token)")
                    case "HOST": (name, "localhost:\(live.simulator.port)")
                    default: (name, value)
                    }
                }
                var data = Frame.data(stream)
                if form.endsWithEmptyData {
                    data.flags = 0
                    try await connection.send(.headers(stream, fields), data, .data(stream, ""))
                } else {
                    try await connection.send(.headers(stream, fields), data)
                }
                let end = await connection.next { $0.stream == stream && $0.endsAnswer }
                #expect(end != nil && end?.kind != .reset, "\(form.testDescription)")
            }
        }
    }
}
