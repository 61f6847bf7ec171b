import Foundation
import MartletTesting
import MartletWire

/// A client key, which is inside every copy of an app, in the hands of somebody who has taken it out.
enum Quotas {
    private static let address = "127.0.3.1"
    private static let neighbour = "127.0.3.2"
    /// What one address may fill an hour with, in MB: the default quotas' 32 installations with 4 MiB each, and what
    /// the database needs around it.
    private static let bound = 300.0

    /// Uploads of 2 MB: four times what an address has in an hour.
    private static let uploads = 250

    static func run(_ victim: Victim) throws -> Tally {
        var tally = Tally("floods with a client key")
        try floodEvents(victim, &tally)
        try floodRegistrations(victim, &tally)
        try fillUser(victim, &tally)
        // What one address has used up is nobody else's.
        let other = try upload(victim, events: 1, bytes: 10, from: neighbour)
        tally.attempt(
            heldOff: other.status == 200,
            "another address's upload: \(other.status) \(other.body.prefix(200))"
        )
        let send = try victim.call(
            "POST",
            "/api/v1/notifications",
            bearer: victim.credentials[.send],
            body: #"{"audience":{"users":["nobody"]},"title":"Hello"}"#
        )
        tally.attempt(heldOff: send.status == 202, "a send: \(send.status) \(send.body.prefix(200))")
        return tally
    }

    private static func floodEvents(_ victim: Victim, _ tally: inout Tally) throws {
        let before = size(victim)
        let begin = ContinuousClock.now
        var taken = 0
        var refusal: RawAnswer?
        for _ in 0..<uploads {
            let answer = try upload(victim, events: 500, bytes: 4_000, from: address)
            if answer.status == 200 { taken += 1 } else { refusal = refusal ?? answer }
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let written = Double(size(victim) - before) / 1_000_000
        tally.attempt(heldOff: written < bound, "\(Int(written)) MB of events")
        tally.attempt(
            heldOff: refusal?.status == 429 && refusal?["retry-after"] != nil,
            "\(uploads) uploads, refused with \(refusal?.status ?? 0)"
        )
        tally.figure("\(uploads) uploads of 2 MB in \(Int(seconds)) s: \(taken) taken, \(Int(written)) MB on the disk")
    }

    private static func floodRegistrations(_ victim: Victim, _ tally: inout Tally) throws {
        var refusal: RawAnswer?
        var made = 0
        for _ in 0..<3_000 where refusal == nil {
            let id = UUID().uuidString.lowercased()
            let body = #"{"installation_id":"\#(id)","token":"\#(String(format: "%064x", made))"}"#
            let answer = try victim.call(
                "POST",
                "/api/v1/tokens",
                bearer: victim.credentials[.client],
                body: body,
                from: address
            )
            if (200..<300).contains(answer.status) { made += 1 } else { refusal = answer }
        }
        tally.attempt(
            heldOff: refusal?.status == 429 && refusal?["retry-after"] != nil,
            "\(made) installations, refused with \(refusal?.status ?? 0) \(refusal?.body.prefix(200) ?? "")"
        )
        tally.figure("\(made) installations from one address")
    }

    private static func fillUser(_ victim: Victim, _ tally: inout Tally) throws {
        var refusal: RawAnswer?
        var made = 0
        for number in 0..<1_000 where refusal == nil {
            let token = String(format: "%064x", number)
            let answer = try victim.call(
                "POST",
                "/api/v1/devices",
                bearer: victim.token(of: "hoarder"),
                body: #"{"token":"\#(token)"}"#,
                from: neighbour
            )
            if (200..<300).contains(answer.status) { made += 1 } else { refusal = answer }
        }
        tally.attempt(
            heldOff: made <= 100 && refusal?.status == 429,
            "\(made) devices of one user, refused with \(refusal?.status ?? 0) \(refusal?.body.prefix(200) ?? "")"
        )
        tally.figure("\(made) devices of one user")
    }

    private static func upload(_ victim: Victim, events: Int, bytes: Int, from address: String) throws -> RawAnswer {
        let filling = String(repeating: "x", count: bytes)
        let time = Int(Date().timeIntervalSince1970)
        let records = (0..<events).map { _ in
            let id = UUID().uuidString.lowercased()
            return
                #"{"event_id":"\#(id)","type":"link_open","platform":"ios","time":\#(time),"value":"https://a.example/\#(filling)","message_id":"m"}"#
        }
        return try victim.call(
            "POST",
            "/td/v1/mobile/push_events",
            bearer: victim.credentials[.client],
            body: #"{"events":[\#(records.joined(separator: ","))]}"#,
            from: address
        )
    }

    /// The bytes of the database and its log.
    private static func size(_ victim: Victim) -> Int {
        ["martlet.sqlite", "martlet.sqlite-wal"].reduce(0) { sum, name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: victim.data + "/" + name)
            return sum + (attributes?[.size] as? Int ?? 0)
        }
    }
}
