import MartletWire
import PushNotificationSDKCore

/// What must have come of one install of the app: at the server, and in the queue on the phone.
///
/// It says what the guide says of events, users, consent and the queue, and nothing of how the SDK goes about it.
struct PhoneLifeInstall {
    /// What is counted once.
    struct Deed: Hashable, CustomStringConvertible {
        var type: EventType
        var message: String
        var value: String?
        var description: String { "\(type.rawValue) \(message) \(value ?? "")" }

        /// Whether it counts each time that a person does it.
        var isCountedEachTime: Bool { [.deeplinkOpen, .open, .dismiss].contains(type) }

        static func delivery(_ message: String) -> Deed { Deed(type: .delivery, message: message) }
        static func link(_ message: String) -> Deed {
            Deed(type: .deeplinkOpen, message: message, value: "game://\(message)")
        }
    }

    private struct Period {
        var since: Int64
        var user: String?
    }

    /// Its id, once the app ran.
    var id: String?
    /// Whether the person lets events be recorded; a new install asks nobody, so they are.
    private(set) var isTracked = true
    /// Events that newer ones took the place of.
    private(set) var dropped = 0
    /// What the server must hear of.
    private(set) var certain: Set<Deed> = []
    /// Deliveries that it may hear of: of what was listed when the app came to the front.
    private var possible: Set<Deed> = []
    /// What was on its way when the consent was taken back: it may have arrived, and is not recorded again.
    private var doubtful: Set<Deed> = []
    /// What was recorded, never arrived and was thrown away, so that it never may.
    private var gone: Set<Deed> = []
    /// How often the server hears of what is counted each time: that a message was opened, and its link followed.
    private var many: [Deed: ClosedRange<Int>] = [:]
    private var periods: [Period]

    /// An install that nobody has started yet.
    ///
    /// - Parameter user: whom the app's configuration names.
    init(of user: String) { periods = [Period(since: .min, user: user)] }

    /// Who is logged in.
    var user: String? { periods[periods.count - 1].user }

    /// Who was, before somebody last logged in or out.
    var userBefore: String? { periods[max(0, periods.count - 2)].user }

    // MARK: What happens

    /// The app, or its service extension, saw something.
    mutating func happened(_ deed: Deed) {
        guard isTracked else { return }
        if deed.isCountedEachTime {
            let before = many[deed] ?? 0...0
            many[deed] = before.lowerBound + 1...before.upperBound + 1
        } else if !gone.contains(deed), !doubtful.contains(deed) {
            certain.insert(deed)
        }
    }

    /// A message came through the service extension, which may upload its delivery at once. It does not know what the app
    /// recorded and threw away when the same message came before.
    mutating func cameThroughExtension(_ message: String) {
        guard isTracked, gone.remove(.delivery(message)) != nil else { return }
        doubtful.insert(.delivery(message))
    }

    /// A notification is listed, and the app may find it there, also with a consent that is given later.
    mutating func isListed(_ message: String) { possible.insert(.delivery(message)) }

    /// Somebody logs in, or nobody is any more.
    mutating func becomes(_ user: String?, at time: Int64) { periods.append(Period(since: time, user: user)) }

    /// The person takes the consent back: what waits is thrown away.
    ///
    /// - Parameters:
    ///   - events: what the server has.
    ///   - isStill: whether nothing is on its way to it, and nothing waits in the app group.
    mutating func takeBackConsent(_ events: [EventRequest], isStill: Bool) {
        isTracked = false
        let seen = counts(in: events)
        let unseen = certain.filter { seen[$0] == nil }
        certain.subtract(unseen)
        doubtful.formUnion(possible.filter { seen[$0] == nil })
        possible.subtract(doubtful)
        if isStill { gone.formUnion(unseen) } else { doubtful.formUnion(unseen) }
        for (deed, range) in many {
            let least = seen[deed] ?? 0
            many[deed] = least...(isStill ? least : range.upperBound)
        }
    }

    /// The person gives the consent again.
    mutating func giveConsent() { isTracked = true }

    /// The queue was full.
    ///
    /// - Parameters:
    ///   - kept: what waits at the end.
    ///   - lost: what had to make room for it.
    mutating func filled(_ kept: some Sequence<Deed>, dropping lost: some Collection<Deed>) {
        for deed in kept { happened(deed) }
        gone.formUnion(lost.filter { !$0.isCountedEachTime })
        dropped += lost.count
    }

    /// The app is deleted, and what waited goes with it.
    mutating func delete() {
        possible.formUnion(certain)
        certain = []
        many = many.mapValues { 0...$0.upperBound }
    }

    // MARK: What must have come of it

    /// How often the server heard of each deed.
    func counts(in events: [EventRequest]) -> [Deed: Int] {
        events.reduce(into: [:]) { counts, event in
            guard event.type != .tokenRegister, "\(event.installationID)" == id else { return }
            counts[Deed(type: event.type, message: event.messageID ?? "", value: event.value), default: 0] += 1
        }
    }

    /// What is not as it must be.
    func problems(in events: [EventRequest]) -> [String] {
        var problems: [String] = []
        let counts = counts(in: events)
        for (deed, count) in counts where !deed.isCountedEachTime {
            if count > 1 { problems.append("\(deed) counted \(count) times") }
            if gone.contains(deed) {
                problems.append("\(deed) was sent after it was thrown away")
            } else if !certain.contains(deed), !possible.contains(deed), !doubtful.contains(deed) {
                problems.append("\(deed) never happened")
            }
        }
        for deed in certain where counts[deed] == nil { problems.append("\(deed) was lost") }
        for deed in Set(many.keys).union(counts.keys.filter(\.isCountedEachTime)) {
            let (count, range) = (counts[deed] ?? 0, many[deed] ?? 0...0)
            if !range.contains(count) { problems.append("\(deed) counted \(count) times, not \(range)") }
        }
        for event in events where "\(event.installationID)" == id && !isOfItsUser(event) {
            problems.append("\(event.type.rawValue) \(event.messageID ?? "") is of \(event.userID ?? "nobody")")
        }
        return problems
    }

    /// Whether an event has the user of its time. A registration ends while the person does other things: who logs in
    /// just then may be its user.
    private func isOfItsUser(_ event: EventRequest) -> Bool {
        let time = event.time.milliseconds
        guard event.type == .tokenRegister else { return periods.last { $0.since <= time }?.user == event.userID }
        let first = periods.lastIndex { $0.since < time } ?? 0
        return periods[first...].contains { $0.user == event.userID }
    }
}
