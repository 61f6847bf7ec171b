import MartletCore
import MartletWire

/// Virtual phones as they lie on a table: what each lock screen shows. A pure value.
struct PhoneScreens: Sendable, Hashable {
    /// One phone.
    struct Phone: Sendable, Hashable {
        var platform: Platform
        var device: String
        /// What shows, newest first.
        var pushes: [SimulatedPush]
        /// When something came last.
        var last: Timestamp
    }

    /// What somebody did with a push on a device.
    struct Answered: Sendable, Hashable {
        var device: String
        var messageID: String
    }

    /// The phone with the newest push first.
    let phones: [Phone]

    /// The most phones, and the most that one of them shows. Ours: what fits a page.
    static let (phoneLimit, pushLimit) = (24, 6)

    /// What the phones show of these pushes, oldest first.
    ///
    /// - Parameter answered: what was tapped or dismissed, and shows no more.
    init(_ pushes: [SimulatedPush], answered: Set<Answered>) {
        var phones: [String: Phone] = [:]
        for push in pushes {
            let key = "\(push.platform.rawValue) \(push.device)"
            var phone =
                phones[key] ?? Phone(platform: push.platform, device: push.device, pushes: [], last: push.at)
            if let id = push.collapseID { phone.pushes.removeAll { $0.collapseID == id } }
            phone.last = push.at
            let isAnswered = push.messageID.map { answered.contains(Answered(device: push.device, messageID: $0)) }
            if isAnswered != true { phone.pushes.insert(push, at: 0) }
            phones[key] = phone
        }
        self.phones = Array(
            phones.values
                .map { phone in
                    var phone = phone
                    phone.pushes = Array(phone.pushes.prefix(Self.pushLimit))
                    return phone
                }
                .sorted { ($0.last, $0.device) > ($1.last, $1.device) }
                .prefix(Self.phoneLimit)
        )
    }
}

/// What a reader knows of one service's log of pushes: how far it was read, and the last pushes of it. A pure value.
struct SimulatorLog: Sendable, Hashable {
    let platform: Platform
    /// The pushes that phones show, oldest first.
    private(set) var pushes: [SimulatedPush] = []
    private var total = 0
    private var after = 0

    /// How many pushes are kept of a service.
    static let limit = 300
    /// How many are asked for at once: at most so many are behind.
    static let page = 1_000

    init(_ platform: Platform) { self.platform = platform }

    /// The service has counted so many since its start.
    ///
    /// - Returns: the number behind which to read on; `nil` where nothing is new.
    mutating func reading(total now: Int) -> Int? {
        // It was started anew, or told to forget.
        if now < total { (pushes, after) = ([], 0) }
        defer { total = now }
        guard now != total else { return nil }
        after = max(after, now - Self.limit)
        return after
    }

    /// What was read.
    mutating func add(_ report: SimulatorReport) {
        pushes = Array((pushes + report.shown(on: platform)).suffix(Self.limit))
        after = max(after, report.next)
    }
}
