import Foundation

/// What the simulator received and answered, by device, in little memory: read page by page, because the simulator
/// forgets what lies far back.
struct PushLedger {
    /// One device's.
    struct Device {
        /// The `apns-id` that it was pushed under first.
        var id: String?
        /// Whether it was pushed under another one too.
        var hasOtherID = false
        /// Pushes that were accepted.
        var accepted: [Acceptance] = []
        /// How many were refused for good.
        var refused = 0
        /// How many came in all but for those that were refused because of their sender, who sends these again within
        /// the same attempt.
        var pushes = 0
    }

    /// A push that was accepted.
    struct Acceptance {
        /// When it had arrived, in milliseconds since 1970.
        var time: Int64
        /// The simulator's number of its connection.
        var connection: Int
    }

    /// A page of received pushes, as far as it is looked at.
    struct Page: Decodable {
        struct Push: Decodable {
            struct Headers: Decodable {
                var id: String?
                enum CodingKeys: String, CodingKey { case id = "apns-id" }
            }

            var seq: Int
            var time: Int64
            var connection: Int
            var token: String?
            var headers: Headers
            var status: Int?
        }

        var received: [Push]
        var next: Int
    }

    private(set) var devices: [Device]
    /// The number of the last push that was read.
    private(set) var position = 0
    /// How many pushes were forgotten before they were read: with any of these nothing can be said.
    private(set) var gaps = 0

    /// A ledger for devices whose tokens are the numbers from 1 on.
    init(count: Int) { devices = Array(repeating: Device(), count: count) }

    /// Enters a page.
    mutating func enter(_ page: Page) {
        for push in page.received {
            gaps += push.seq - position - 1
            position = push.seq
            guard let number = push.token.flatMap({ Int($0.suffix(15), radix: 16) }),
                devices.indices.contains(number - 1)
            else { continue }
            note(push, for: number - 1)
        }
    }

    private mutating func note(_ push: Page.Push, for index: Int) {
        if let id = devices[index].id {
            if id != push.headers.id { devices[index].hasOtherID = true }
        } else {
            devices[index].id = push.headers.id
        }
        if push.status != 403 { devices[index].pushes += 1 }
        switch push.status {
        case 200: devices[index].accepted.append(Acceptance(time: push.time, connection: push.connection))
        case 400, 410: devices[index].refused += 1
        default: break
        }
    }
}
