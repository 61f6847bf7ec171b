package import Foundation
import Transit

/// What the feed's server answers at a time of the week; each fault once.
package struct FeedPlayer: Sendable {
    /// An answer.
    package struct Answer: Sendable, Equatable {
        package var status: Int
        package var type: String
        package var tag: String?
        package var body: Data
        /// Seconds before it is sent.
        package var delay: Double

        package init(
            status: Int = 200,
            type: String = "application/x-protobuf",
            tag: String? = nil,
            body: Data = Data(),
            delay: Double = 0
        ) {
            self.status = status
            self.type = type
            self.tag = tag
            self.body = body
            self.delay = delay
        }
    }

    /// Seconds after which a feed is made anew though nothing has changed.
    package var heartbeat = 7_200
    /// Seconds that the slow answer takes, by the machine's clock.
    package var slowness = 1.5
    private let week: CityWeek
    private var faults: [(time: Int, fault: FeedFault)]
    private var made = 0
    private var content: [ServiceAlert]?
    private var bytes = Data()

    package init(_ week: CityWeek) {
        self.week = week
        faults = week.faults
    }

    package mutating func answer(at time: Date, tag: String?) throws -> Answer {
        let now = Int(time.timeIntervalSince1970)
        if let next = faults.first, next.time <= now {
            faults.removeFirst()
            return try fault(next.fault, now)
        }
        let alerts = week.alerts(at: now)
        if alerts != content || now - made >= heartbeat {
            made = max(now, made + 1)
            content = alerts
            bytes = try FeedFile.bytes(alerts, made: made)
        }
        let current = "\"\(made)\""
        return tag == current ? Answer(status: 304, tag: current) : Answer(tag: current, body: bytes)
    }

    private mutating func fault(_ fault: FeedFault, _ now: Int) throws -> Answer {
        let alerts = week.alerts(at: now)
        switch fault {
        case .late: return Answer(body: try FeedFile.bytes(alerts, made: now - 7 * 86_400))
        case .twice: return Answer(body: bytes)
        case .malformed: return Answer(body: bytes.prefix(bytes.count / 2) + Data([0xFF, 0xFF, 0x07]))
        case .backwards: return Answer(body: try FeedFile.bytes([], made: made - 60))
        case .empty: return Answer(body: try FeedFile.bytes([], made: now))
        case .tenThousand: return try tenThousand(alerts, now)
        case .contentType: return Answer(type: "text/html", body: Data("<h1>Maintenance</h1>".utf8))
        case .tooLarge: return Answer(body: Data(count: 33 * 1024 * 1024))
        case .slow: return Answer(body: bytes, delay: slowness)
        case .failing: return Answer(status: 500, type: "text/plain", body: Data("error".utf8))
        case .future: return Answer(body: try FeedFile.bytes([], made: now + 30 * 86_400))
        case .changesOnly: return Answer(body: try FeedFile.bytes([], made: now, changesOnly: true))
        }
    }

    /// All there is, and alerts of lines that nobody has chosen: nobody is told of them.
    private mutating func tenThousand(_ alerts: [ServiceAlert], _ now: Int) throws -> Answer {
        let others = (0..<(10_000 - alerts.count)).map { number in
            ServiceAlert(
                id: "other-\(number)",
                header: TranslatedText([.init("Another line", language: "en")]),
                entities: [InformedEntity(route: "other-\(number)")]
            )
        }
        content = nil
        made = max(now, made + 1)
        return Answer(body: try FeedFile.bytes(alerts + others, made: made))
    }
}
