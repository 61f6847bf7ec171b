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
    /// How often the server hears that the link of a message was followed.
    private var links: [String: ClosedRange<Int>] = [:]
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
        if deed.type == .deeplinkOpen {
            let before = links[deed.message] ?? 0...0
            links[deed.message] = before.lowerBound + 1...before.upperBound + 1
        } else if !gone.contains(deed), !doubtful.contains(deed) {
            certain.insert(deed)
        }
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
        for (message, range) in links {
            let least = seen[.link(message)] ?? 0
            links[message] = least...(isStill ? least : range.upperBound)
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
        gone.formUnion(lost)
        dropped += lost.count
    }

    /// The app is deleted, and what waited goes with it.
    mutating func delete() {
        possible.formUnion(certain)
        certain = []
        links = links.mapValues { 0...$0.upperBound }
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
        for (deed, count) in counts where deed.type != .deeplinkOpen {
            if count > 1 { problems.append("\(deed) counted \(count) times") }
            if gone.contains(deed) {
                problems.append("\(deed) was sent after it was thrown away")
            } else if !certain.contains(deed), !possible.contains(deed), !doubtful.contains(deed) {
                problems.append("\(deed) never happened")
            }
        }
        for deed in certain where counts[deed] == nil { problems.append("\(deed) was lost") }
        let followed = Set(links.keys).union(counts.keys.filter { $0.type == .deeplinkOpen }.map(\.message))
        for message in followed {
            let (count, range) = (counts[.link(message)] ?? 0, links[message] ?? 0...0)
            if !range.contains(count) { problems.append("\(count) links of \(message), not \(range)") }
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
