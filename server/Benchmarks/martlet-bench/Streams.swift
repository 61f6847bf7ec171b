import Crypto
import Foundation
import MartletTesting
import NIOHTTP1

/// Ten thousand phones with the app in front, each with a stream of its user's inbox, and one announcement to all.
struct Streams {
    let provider: ServerUnderTest.Provider

    private static let count = 10_000
    private static let secret = "the secret of the benchmark's users, 32 bytes"
    private static let (issuer, audience) = ("https://accounts.example.com", "bench")
    /// Seconds: an announcement is told over ten, and a look takes up to one.
    private static let time = 11.0

    func rows() async throws -> [Row] {
        // Three in seven users have a second device: so many users need this many devices.
        let server = try await ServerUnderTest(endpoints: Self.count * 10 / 7 + 10, provider: provider)
        try await server.start(environment: [
            "MARTLET_CONNECTIONS": "\(2 * Self.count)", "MARTLET_CONNECTIONS_PER_ADDRESS": "0",
        ])
        let rows = try await rows(of: server)
        try await server.stop()
        return rows
    }

    private func rows(of server: ServerUnderTest) async throws -> [Row] {
        let identity =
            #"{"identity": {"mode": "signed", "issuer": "\#(Self.issuer)", "audience": "\#(Self.audience)", "#
        _ = try await server.call(
            .PATCH,
            "/api/v1/apps/\(ServerUnderTest.app)",
            identity + #""secret": "\#(Self.secret)"}}"#
        )
        _ = try await server.call(
            .POST,
            "/api/v1/categories",
            #"{"app": "\#(ServerUnderTest.app)", "key": "news"}"#
        )
        guard let port = URL(string: server.address)?.port.flatMap({ UInt16($0) }) else {
            throw BenchmarkError("no port")
        }
        try server.figures.forgetPeak()
        let before = try server.figures.peakMegabytes()
        let streams = try Self.open(port)
        let (cpu, start) = (try server.figures.cpuSeconds(), ContinuousClock.now)
        let id = try await server.send(to: #"{"all": true}"#, category: "news")
        let (told, last) = Self.told(streams, since: start)
        let memory = try server.figures.peakMegabytes() - before
        let seconds = try server.figures.cpuSeconds() - cpu
        _ = try await server.untilDone(id)
        // What would be told a second time has come by then.
        let twice = streams.count { $0.read(seconds: 0.001).contains("event: changed") }
        return [
            Row(
                "P13 announcement over 10,000 streams",
                ours: "\(last.text(1)) s",
                goal: "≤ \(Self.time.text(0)) s",
                isMet: last <= Self.time && told == Self.count && twice == 0,
                note: "\(told) told once, \(twice) twice; \(seconds.text(2)) s of CPU with the pushes"
            ),
            Row(
                "P13 memory of 10,000 streams",
                ours: "\(memory.text(0)) MB",
                goal: "≤ 100 MB",
                isMet: memory <= 100,
                note: "with the announcement"
            ),
        ]
    }

    /// Opens them all, and reads what each is told first.
    private static func open(_ port: UInt16) throws -> [RawConnection] {
        try (1...count).map { number in
            let connection = try RawConnection(port: port)
            let token = token(of: "user-\(number)")
            try connection.send(
                "GET /api/v1/inbox/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer \(token)\r\n\r\n"
            )
            let answer = connection.read(until: "event: state", seconds: 10)
            guard answer.contains("event: state") else { throw BenchmarkError("no stream: \(answer.prefix(300))") }
            return connection
        }
    }

    /// How many were told of a change, and after how many seconds the last one was.
    private static func told(_ streams: [RawConnection], since start: ContinuousClock.Instant) -> (Int, Double) {
        let told = streams.count { stream in
            let left = 2 * time - (ContinuousClock.now - start) / .seconds(1)
            return stream.read(until: "event: changed", seconds: max(0.01, left)).contains("event: changed")
        }
        return (told, (ContinuousClock.now - start) / .seconds(1))
    }

    /// A user token (HS256, RFC 7519).
    private static func token(of user: String) -> String {
        let end = Int(Date().timeIntervalSince1970) + 3_600
        let claims = #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"\#(user)","exp":\#(end)}"#
        let signed = base64URL(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "." + base64URL(Data(claims.utf8))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(signed.utf8),
            using: SymmetricKey(data: Data(secret.utf8))
        )
        return signed + "." + base64URL(Data(code))
    }

    private static func base64URL(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
