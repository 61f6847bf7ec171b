import Crypto
import Foundation
import MartletCore
import MartletPhone
import MartletTesting
import MartletWire
import Synchronization
import Testing

/// A phone that two people use, at a real server, beside what must come of an order.
@MainActor
final class OwnerScene {
    /// What the server must hear of a push, once.
    private struct Deed {
        var type: EventType
        /// Who was logged in then.
        var user: String?
    }

    private struct Push {
        var id: PublicID
        /// Whether it must not show: it was sent to somebody else than was logged in, and the server knew.
        var isForbidden: Bool
        /// Nothing while it has not arrived.
        var deeds: [Deed] = []
    }

    private let loop: Loop
    private let identity: IdentityMode
    private let clock: ManualClock
    private let network: PhoneNetwork
    private let app: SDKApp
    private let phone: Phone
    private let account: Account
    /// No other scene has these users.
    private let mark = UUID().uuidString.prefix(8)
    /// Whom the app let in last.
    private var who: String?
    /// Whether the server has acknowledged a registration that was made since ``who`` became so.
    private var isKnown = false
    /// How much the phone's journal said before ``who`` became so.
    private var past = 0
    /// By their second lines, which are unique.
    private var pushes: [String: Push] = [:]
    /// Those that APNs took and that do not show yet, because the phone has no network.
    private var waiting: Set<String> = []
    private var isOver = false
    private var problems: [String] = []

    /// A day, so that none of the app's events is of the future, whatever time it passes.
    private static let lead: Int64 = 86_400_000

    init(_ loop: Loop, _ identity: IdentityMode) throws {
        self.loop = loop
        self.identity = identity
        let clock = ManualClock(Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000) - Self.lead))
        self.clock = clock
        let network = PhoneNetwork(hosts: [Loop.api: try #require(URL(string: loop.server.address))])
        self.network = network
        let account = Account()
        self.account = account
        (app, phone) = try loop.phone(of: nil, clock: clock, network: network) { setup in
            guard identity == .signed else { return }
            setup.onUserTokenNeeded = { user, reply in
                if account.replies { reply(Account.token(of: user)) }
            }
        }
        phone.setNotifications(allowed: true)
    }

    /// Takes the order's steps, and says what is not as it must be.
    func problems(in order: OwnerOrder) async -> [String] {
        do {
            for step in order.steps where problems.isEmpty {
                try await take(step)
                look()
            }
            if problems.isEmpty { try await end() }
        } catch {
            problems.append("\(error)")
        }
        await phone.shutDown()
        problems += phone.journal.faults
        if app.callsOffMain > 0 { problems.append("\(app.callsOffMain) calls off the main thread") }
        return problems
    }

    // MARK: Steps

    private func take(_ step: OwnerOrder.Step) async throws {
        switch step {
        case .login(let person, let proof):
            let user = name(of: person)
            become(user) { app.login(user, token: token(of: user, proof)) }
        case .logout: become(nil) { app.logout() }
        case .launch: await phone.launch()
        case .home: await phone.goHome()
        case .kill:
            // A dead process sends nothing more: what is on its way arrives, or does not, before there is another one.
            let registrations = app.registrationsUnderWay()
            await phone.kill()
            try await end(of: registrations)
        case .rotate:
            await phone.rotateToken()
            waiting = []
        case .network(let isOn):
            network.turn(on: isOn)
            try await arrive()
        case .answers(let areHeard): network.losesAnswers = !areHeard
        case .replies(let replies): account.replies = replies
        case .push(let person): try await push(to: [person])
        case .tap:
            guard let shown = phone.notifications.last else { return }
            try await phone.tap(shown.id)
            pushes[shown.subtitle]?.deeds.append(Deed(type: .open, user: who))
        case .settle:
            try await settle()
            if isKnown { try await push(to: OwnerOrder.Person.allCases) }
        }
    }

    private func name(of person: OwnerOrder.Person) -> String { "\(person.rawValue)-\(mark)" }

    private func token(of user: String, _ proof: OwnerOrder.Proof) -> String? {
        guard identity == .signed, proof != .none else { return nil }
        return Account.token(of: user, isExpired: proof == .expired)
    }

    /// Somebody logs in, or out; only a running app has a button for that.
    private func become(_ user: String?, _ change: () -> Void) {
        guard isRunning else { return }
        // No event has the time of the change itself: whose it would be nobody can say.
        clock.advance(by: .milliseconds(10))
        (who, isKnown, past) = (user, false, phone.journal.events.count)
        change()
        clock.advance(by: .milliseconds(10))
    }

    private var isRunning: Bool { phone.state == .foreground || phone.state == .background }

    // MARK: Registrations

    /// Waits until the SDK has nothing to register any more, and, where it hears the server, has registered.
    private func settle() async throws {
        try await end(of: app.registrationsUnderWay())
        guard isRunning, network.isOn, !network.losesAnswers else { return }
        if registrationStatus(after: 0) == nil {
            try await Eventually.is("the server answers a registration") {
                clock.advance(by: .seconds(30))
                return registrationStatus(after: 0) != nil
            }
            try await end(of: app.registrationsUnderWay())
        }
        // Registrations are made one after the other, so that the last one is of the last user.
        if let status = registrationStatus(after: past), (200..<300).contains(status) { isKnown = true }
    }

    private func end(of registrations: Task<Void, Never>) async throws {
        isOver = false
        Task {
            await registrations.value
            isOver = true
        }
        try await Eventually.is("the registrations end") {
            if !isOver { clock.advance(by: .seconds(30)) }
            return isOver
        }
    }

    /// What the last registration of the running process was answered with, of those that the journal has after its
    /// first so many events; `nil` where it had no answer, or there is none.
    private func registrationStatus(after count: Int) -> Int? {
        for event in phone.journal.events.dropFirst(count).reversed() {
            switch event {
            case .called(path: "/api/v1/tokens", status: let status): return status
            case .started: return nil
            default: continue
            }
        }
        return nil
    }

    // MARK: Pushes

    /// Sends something to each of them, which shows where the server has their device and the phone a network.
    ///
    /// - Returns: the pushes' second lines.
    @discardableResult
    private func push(to people: [OwnerOrder.Person]) async throws -> [String] {
        var sent: [String] = []
        for person in people {
            let user = name(of: person)
            let line = "\(user) \(pushes.count + 1)"
            let id = try await loop.send(to: user, #","subtitle":"\#(line)""#)
            pushes[line] = Push(id: id, isForbidden: isKnown && user != who)
            sent.append(line)
        }
        for line in sent {
            guard let id = pushes[line]?.id else { continue }
            if try await loop.settled(id).counts.accepted > 0 { waiting.insert(line) }
        }
        try await arrive()
        return sent
    }

    /// What APNs took shows as soon as there is a network.
    private func arrive() async throws {
        guard network.isOn else { return }
        try await Eventually.is("\(waiting.sorted()) show") {
            waiting.isSubset(of: phone.notifications.map(\.subtitle))
        }
        waiting = []
    }

    /// Looks at what is new on the screen.
    private func look() {
        for line in phone.notifications.map(\.subtitle) where pushes[line]?.deeds.isEmpty == true {
            pushes[line]?.deeds.append(Deed(type: .delivery, user: who))
            if pushes[line]?.isForbidden == true {
                problems.append("'\(line)' shows, although \(who ?? "nobody") is logged in and the server knew")
            }
        }
    }

    // MARK: Everything works in the end

    private func end() async throws {
        for step in [OwnerOrder.Step.answers(true), .replies(true), .network(true), .kill, .launch] {
            try await take(step)
            look()
        }
        let expected = who.map { [$0] } ?? []
        try await Eventually.is("the phone is \(who ?? "nobody")'s at the server, which has every event") {
            await comeToFront()
            guard app.waitingEvents == 0 else { return false }
            return try await owners() == expected
        }
        isKnown = true
        let last = try await push(to: OwnerOrder.Person.allCases)
        look()
        for line in last where pushes[line]?.isForbidden == false && pushes[line]?.deeds.isEmpty == true {
            problems.append("'\(line)' does not show")
        }
        try await Eventually.is("the server has every event") {
            await comeToFront()
            return app.waitingEvents == 0
        }
        try await check()
    }

    /// Time passes, and what was put off is tried again.
    private func comeToFront() async {
        clock.advance(by: .seconds(30))
        await phone.goHome()
        await phone.launch()
        await app.flush()
    }

    /// Whose the phone is at the server.
    private func owners() async throws -> [String] {
        guard let token = phone.token?.hexadecimalText else { return [] }
        var owners: [String] = []
        for person in OwnerOrder.Person.allCases {
            let user = name(of: person)
            let devices = try await loop.devices(of: user)
            if devices.contains(where: { $0.isActive && $0.deviceToken == token }) { owners.append(user) }
        }
        return owners
    }

    /// Of each push that arrived the server has what happened, once, and of its user.
    private func check() async throws {
        for (line, push) in pushes where !push.deeds.isEmpty {
            let events = try await loop.events(of: push.id)
            let found = events.map(\.type.rawValue).sorted()
            let expected = push.deeds.map(\.type.rawValue).sorted()
            if found != expected { problems.append("of '\(line)' the server has \(found), not \(expected)") }
            if Set(events.compactMap(\.eventID)).count != events.count {
                problems.append("of '\(line)' an event is there twice")
            }
            for event in events where !isOfItsUser(event, push) {
                problems.append("\(event.type.rawValue) of '\(line)' is \(event.userID ?? "nobody")'s")
            }
        }
    }

    /// What happened while nobody was logged in becomes the next user's. Of a user whom nothing proves a signed app's
    /// server keeps the event without a user.
    private func isOfItsUser(_ event: EventItem, _ push: Push) -> Bool {
        guard let user = push.deeds.first(where: { $0.type == event.type })?.user else { return true }
        return event.userID == user || event.userID == nil && identity == .signed
    }
}

/// The app's own login, which knows the secret that the server checks user tokens with.
final class Account: Sendable {
    private static let secret = "a secret that is long enough for HS256"
    private static let issuer = "https://login.example.test/"
    private static let audience = "game"

    private let isReplying = Mutex(true)

    /// Whether an app that asks gets a token; otherwise it waits for ever.
    var replies: Bool {
        get { isReplying.withLock { $0 } }
        set { isReplying.withLock { $0 = newValue } }
    }

    /// What makes an app's identity `signed`.
    static var identity: JSONValue {
        ["mode": "signed", "issuer": .string(issuer), "audience": .string(audience), "secret": .string(secret)]
    }

    /// A token that speaks for a user for an hour, or did until an hour ago.
    static func token(of user: String, isExpired: Bool = false) -> String? {
        let end = Int64(Date().timeIntervalSince1970) + (isExpired ? -3_600 : 3_600)
        let claims: JSONValue = [
            "iss": .string(issuer), "aud": .string(audience), "sub": .string(user), "exp": .integer(end),
        ]
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        guard let head = try? header.json(), let body = try? claims.json() else { return nil }
        let signed = Secret.base64URL(Array(head)) + "." + Secret.base64URL(Array(body))
        let key = SymmetricKey(data: Data(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return signed + "." + Secret.base64URL(Array(code))
    }
}
