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
            /// What another service than APNs calls the device.
            var target: String?
            /// Absent at APNs.
            var path: String?
            var headers: Headers
            var status: Int?
        }

        var received: [Push]
        var next: Int
    }

    private(set) var devices: [Device]
    /// The number of the last push that was read.
    private(set) var position = 0
    /// How many pushes came on a connection.
    private var arrivals: [Int: Int] = [:]
    /// How many came without an `apns-id`.
    private(set) var withoutID = 0
    /// How many were for none of the devices.
    private(set) var strangers = 0
    /// How many were refused because of the access token that they came with.
    private(set) var unauthenticated = 0
    /// How many pushes were forgotten before they were read: with any of these nothing can be said.
    private(set) var gaps = 0

    /// Each device's place, where its token does not say it.
    private let places: [String: Int]?

    /// A ledger for devices whose tokens are the numbers from 1 on.
    init(count: Int) {
        devices = Array(repeating: Device(), count: count)
        places = nil
    }

    /// A ledger for devices of a service without ids of pushes.
    ///
    /// - Parameter places: by what the service calls the device, from 0 on.
    init(places: [String: Int]) {
        devices = Array(repeating: Device(), count: places.count)
        self.places = places
    }

    /// Enters a page.
    mutating func enter(_ page: Page) {
        for push in page.received {
            gaps += push.seq - position - 1
            position = push.seq
            // Who asks for an access token pushes nothing.
            if push.path == "/token" { continue }
            arrivals[push.connection, default: 0] += 1
            if push.status == 401 {
                // The service looks at the token before it looks for whom the push is.
                unauthenticated += 1
                continue
            }
            if push.headers.id == nil, places == nil { withoutID += 1 }
            if let index = index(of: push.token ?? push.target) { note(push, for: index) } else { strangers += 1 }
        }
    }

    /// How many pushes came in all on other connections than these.
    func arrivals(but connections: Set<Int>) -> Int {
        arrivals.reduce(0) { connections.contains($1.key) ? $0 : $0 + $1.value }
    }

    /// How many devices were pushed under an id that was another one's.
    var sharedIDs: Int {
        let ids = devices.compactMap(\.id)
        return ids.count - Set(ids).count
    }

    private func index(of token: String?) -> Int? {
        if let places { return token.flatMap { places[$0] } }
        guard let token, token.utf8.count == 64, let number = Int(token, radix: 16),
            devices.indices.contains(number - 1)
        else { return nil }
        return number - 1
    }

    private mutating func note(_ push: Page.Push, for index: Int) {
        if let id = devices[index].id {
            if id != push.headers.id { devices[index].hasOtherID = true }
        } else {
            devices[index].id = push.headers.id
        }
        if push.status != 403 { devices[index].pushes += 1 }
        switch push.status {
        case 200?, 201?: devices[index].accepted.append(Acceptance(time: push.time, connection: push.connection))
        case 400?, 404?, 410?: devices[index].refused += 1
        default: break
        }
    }
}
