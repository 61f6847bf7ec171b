import Foundation
import MartletTesting

/// Connections that cost nothing to hold: whoever holds a thousand must not keep anybody else out.
enum SlowConnections {
    private static let count = 1_000
    /// What nine and ninety of a hundred others' calls take at most, in milliseconds.
    private static let bound = 100.0

    /// What a slow connection does.
    enum Form: String, CaseIterable {
        case idle = "that say nothing"
        case head = "that send a head byte by byte"
        case unreadBody = "with 100 MB for a route that reads none"
        case readBody = "that send a body byte by byte"
        case unreadAnswer = "that read no answer"

        fileprivate var beginning: String {
            switch self {
            case .idle: ""
            case .head: "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: "
            case .unreadBody: "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n"
            case .readBody:
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n"
            case .unreadAnswer: String(repeating: "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n", count: 8)
            }
        }
    }

    static func run(_ victim: Victim, probes: Int) throws -> Tally {
        var tally = Tally("slow connections")
        for form in Form.allCases {
            let calls = try attack(victim, form, probes: probes)
            let took = calls.dropFirst().sorted()
            let answered = took.filter { $0 < .infinity }
            let high = took[took.count * 99 / 100]
            tally.attempt(
                heldOff: calls[0] < .infinity,
                "with \(count) connections \(form.rawValue), nobody was answered"
            )
            tally.attempt(
                heldOff: high < bound && answered.count == took.count,
                "with \(count) connections \(form.rawValue), \(answered.count) of \(took.count) calls were answered, p99 \(high) ms"
            )
            tally.figure(
                String(
                    format: "%d connections %@: GET /healthz p50 %.1f ms, p99 %.1f ms; %.0f ms while they came",
                    count,
                    form.rawValue,
                    took[took.count / 2],
                    high,
                    calls[0]
                )
            )
        }
        return tally
    }

    /// Holds the connections, opens again what the server closes, and calls from another address in between; what each
    /// call took, in milliseconds. The first call comes while the server still takes the connections in.
    private static func attack(_ victim: Victim, _ form: Form, probes: Int) throws -> [Double] {
        func open(_ number: Int) throws -> RawConnection {
            let connection = try RawConnection(
                port: victim.port,
                from: "127.0.0.\(number % 249 + 2)",
                receiveBuffer: form == .unreadAnswer ? 4_096 : nil
            )
            _ = connection.sendNow(Array(form.beginning.utf8)[...])
            return connection
        }
        var held = try (0..<count).map(open)
        var took = [try probe(victim, seconds: 30)]
        var next = 0
        for _ in 0..<probes {
            took.append(try probe(victim, seconds: 5))
            for _ in 0..<20 {
                next = (next + 1) % held.count
                if held[next].hasEnded() {
                    held[next] = try open(next)
                } else if form == .head || form == .readBody || form == .unreadBody {
                    _ = held[next].sendNow([UInt8(ascii: "x")])
                }
            }
        }
        return took
    }

    private static func probe(_ victim: Victim, seconds: Double) throws -> Double {
        let begin = ContinuousClock.now
        let answer = try? victim.call("GET", "/healthz", from: "127.0.2.1", seconds: seconds)
        guard answer?.status == 200 else { return .infinity }
        return (ContinuousClock.now - begin) / .milliseconds(1)
    }
}
