import Foundation
import MartletTesting

/// Connections and bodies that are held, so that nobody else gets one.
enum Crowding {
    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("held streams and bodies")
        try streams(victim, &tally)
        try bodies(victim, &tally)
        return tally
    }

    /// Every stream that users can open: 128 with four each, from several addresses.
    private static func streams(_ victim: Victim, _ tally: inout Tally) throws {
        let streams = try (0..<512).map { number in
            let connection = try RawConnection(port: victim.port, from: "127.0.5.\(number / 100 + 1)")
            let token = victim.token(of: "listener-\(number / 4)")
            try connection.send(
                "GET /api/v1/inbox/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n"
            )
            return connection
        }
        let opened = streams.count { RawAnswer($0.read(until: "\r\n", seconds: 5)).status == 200 }
        var answered = 0
        for _ in 0..<50 {
            let answer = try? victim.call("GET", "/healthz", from: "127.0.6.1", seconds: 5)
            if answer?.status == 200 { answered += 1 }
        }
        tally.attempt(heldOff: opened <= 256, "\(opened) of 512 connections are streams")
        tally.attempt(heldOff: answered == 50, "with \(opened) streams, \(answered) of 50 others were answered")
        tally.figure("\(opened) of 512 streams were opened, \(answered) of 50 others were answered")
    }

    /// As many bodies as there are connections, each as long as the interface takes it, without their last byte.
    private static func bodies(_ victim: Victim, _ tally: inout Tally) throws {
        let memory = ServerMemory(id: victim.processID)
        let before = try memory.megabytes("VmRSS")
        try memory.forgetPeak()
        let filling = [UInt8](repeating: UInt8(ascii: "a"), count: 900_000)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        let held = try (0..<400).map { number in
            let connection = try RawConnection(port: victim.port, from: "127.0.7.\(number / 100 + 1)")
            try? connection.send(head + "Content-Length: \(filling.count + 1)\r\n\r\n")
            try? connection.send(filling)
            return connection
        }
        let grown = try memory.megabytes("VmHWM") - before
        let answer = try? victim.call("GET", "/healthz", from: "127.0.8.1", seconds: 10)
        tally.attempt(heldOff: grown < 300, "\(held.count) bodies that nobody ends hold \(Int(grown)) MB")
        tally.attempt(heldOff: answer?.status == 200, "/healthz answers \(answer?.status ?? 0) meanwhile")
        tally.figure("\(held.count) bodies of 0.9 MB without their end: \(Int(grown)) MB more")
    }
}
