import CZlib
import Foundation
import MartletTesting

/// Requests that are small for who sends them and dear for who answers: each is measured in the server's processor time.
enum Costs {
    /// What one of them may cost, in milliseconds of processor time: an ordinary request takes less than one.
    private static let bound = 20.0
    private static let count = 20

    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("small and dear requests")
        for (what, path, status) in paths {
            let (cost, answer) = try cost(victim) { try victim.call("GET", path) }
            tally.attempt(
                heldOff: cost < bound && answer.status == status,
                "\(what): \(cost) ms each, status \(answer.status)"
            )
            tally.figure(String(format: "%@: %.1f ms of processor time, status %d", what, cost, answer.status))
        }
        for (what, field) in fields {
            let (cost, answer) = try cost(victim) { try victim.call("GET", "/console/sign-in", fields: [field]) }
            tally.attempt(heldOff: cost < bound, "\(what): \(cost) ms each")
            tally.figure(String(format: "%@: %.1f ms of processor time, status %d", what, cost, answer.status))
        }
        try names(victim, &tally)
        try numbers(victim, &tally)
        try members(victim, &tally)
        try preferences(victim, &tally)
        return tally
    }

    private static let paths = [
        ("a path of 7 kB on no route", "/" + String(repeating: "a/", count: 3_500) + "a", 404),
        ("a path of 20 kB on no route", "/" + String(repeating: "a/", count: 10_000) + "a", 414),
        ("a path of 60 kB on no route", "/" + String(repeating: "a/", count: 30_000) + "a", 431),
        ("a path of 60 kB below /api/v1", "/api/v1/" + String(repeating: "a/", count: 30_000) + "a", 431),
        ("a query of 60 kB", "/healthz?" + String(repeating: "a&", count: 30_000) + "a", 431),
    ]

    private static let fields = [
        ("30 kB of languages", "Accept-Language: " + String(repeating: "a;q=0.5,", count: 3_700)),
        ("30 kB of cookies", "Cookie: " + String(repeating: "a=b;", count: 7_400)),
        ("70 kB of cookies", "Cookie: " + String(repeating: "a=b;", count: 17_000)),
    ]

    /// Long names of whoever has used up their tries to sign in, which are read and shown again.
    private static func names(_ victim: Victim, _ tally: inout Tally) throws {
        func send(_ length: Int) throws -> RawAnswer {
            let form = "password=x&name=" + String(repeating: "<", count: length)
            let head = "POST /console/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: \(form.utf8.count)\r\n\r\n"
            let connection = try RawConnection(port: victim.port, from: "127.0.5.1")
            try connection.send(head + form)
            return RawAnswer(connection.read(until: "</html>", seconds: 30))
        }
        for _ in 0..<20 { _ = try send(1) }
        for length in [16_000, 1_000_000] {
            let (cost, answer) = try cost(victim) { try send(length) }
            tally.attempt(heldOff: cost < bound, "a name of \(length) bytes: \(cost) ms each")
            tally.figure(
                String(format: "a name of %d bytes: %.1f ms of processor time, status %d", length, cost, answer.status)
            )
        }
    }

    /// Some kilobytes with a client key that become a million numbers, again and again.
    private static func numbers(_ victim: Victim, _ tally: inout Tally) throws {
        let json = #"{"events":[{"event_id":"x","data":["# + String(repeating: "1,", count: 1_000_000) + "1]}]}"
        let body = try gzip(Array(json.utf8))
        let head = [
            "POST /td/v1/mobile/push_events HTTP/1.1", "Host: 127.0.0.1:\(victim.port)", "Connection: close",
            "Authorization: Bearer \(victim.credentials[.client] ?? "")", "Content-Type: application/json",
            "Content-Encoding: gzip", "Content-Length: \(body.count)",
        ]
        let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        func send() throws -> RawAnswer {
            let connection = try RawConnection(port: victim.port, from: "127.0.4.1")
            try connection.send(bytes)
            return RawAnswer(connection.read(seconds: 30))
        }
        try useUp("a million numbers", body.count, 100, victim, &tally, send)
    }

    /// A registration with as many members as JSON may have, and one with as many escapes as a body holds.
    private static func members(_ victim: Victim, _ tally: inout Tally) throws {
        let members = (0..<90_000).map { #""\#($0)":1"# }.joined(separator: ",")
        let escapes = String(repeating: #"\n"#, count: 520_000)
        let bodies = [
            ("90,000 members", "{\(members)}", "127.0.4.2"),
            ("520,000 escapes", #"{"token":"\#(escapes)"}"#, "127.0.4.3"),
        ]
        for (what, body, address) in bodies {
            func send() throws -> RawAnswer {
                let key = victim.credentials[.client]
                return try victim.call("POST", "/api/v1/tokens", bearer: key, body: body, from: address)
            }
            try useUp(what, body.utf8.count, 200, victim, &tally, send)
        }
    }

    /// Sends bodies that are refused, as far as a bound, until the address has used up its bytes; what either costs.
    private static func useUp(
        _ what: String,
        _ bytes: Int,
        _ most: Int,
        _ victim: Victim,
        _ tally: inout Tally,
        _ send: () throws -> RawAnswer
    ) throws {
        let (cost, answer) = try cost(victim, send)
        tally.attempt(heldOff: answer.status >= 400, "\(what) are answered \(answer.status)")
        tally.figure(String(format: "%@ in %d bytes: %.1f ms of processor time", what, bytes, cost))
        var last = answer
        for _ in 0..<most where last.status != 429 { last = try send() }
        let (refused, _) = try self.cost(victim, send)
        tally.attempt(heldOff: last.status == 429, "\(most) of \(what) are not refused: \(last.status)")
        tally.attempt(heldOff: refused < bound, "a refused one costs \(refused) ms")
        tally.figure(String(format: "a refused one: %.1f ms of processor time", refused))
    }

    /// A user who switches to and fro.
    private static func preferences(_ victim: Victim, _ tally: inout Tally) throws {
        var (made, refusal) = (0, 0)
        for number in 0..<500 where refusal == 0 {
            let answer = try victim.call(
                "PATCH",
                "/api/v1/preferences",
                bearer: victim.token(of: "switcher"),
                body: #"{"master":{"enabled":\#(number % 2 == 0)}}"#
            )
            if answer.status == 200 { made += 1 } else { refusal = answer.status }
        }
        tally.attempt(heldOff: refusal == 429, "\(made) preference changes of one user, refused with \(refusal)")
        tally.figure("\(made) preference changes of one user")
    }

    /// What one call costs the server, in milliseconds of processor time, and the last answer.
    private static func cost(_ victim: Victim, _ call: () throws -> RawAnswer) throws -> (Double, RawAnswer) {
        _ = try call()
        let before = try processorTime(of: victim.processID)
        var answer = try call()
        for _ in 1..<count { answer = try call() }
        return ((try processorTime(of: victim.processID) - before) / Double(count), answer)
    }

    /// In milliseconds.
    private static func processorTime(of id: pid_t) throws -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        // The fields behind the name begin with the state, which is the third; 14 and 15 are hundredths of a second.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw AttackFailure("The server has ended.")
        }
        return (user + system) * 10
    }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            throw AttackFailure("There is no memory to compress with.")
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: 64 * 1024)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }
}
