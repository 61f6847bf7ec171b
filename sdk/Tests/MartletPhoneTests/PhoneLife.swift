import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// What happens to one phone as a seed says, and what must have come of it: the real SDK, its files, its service
/// extension, and a server whose answers go wrong.
///
/// What a person and the network do comes from the seed. How the SDK's own tasks lie in between does not, and every
/// order of them has to come to the same.
@MainActor
final class PhoneLife {
    /// What one process of the app does.
    struct Run {
        /// The silent messages that the app was told of.
        private var told: Set<String> = []
        /// What the handler must have been called with.
        private(set) var received: [String] = []

        /// A silent message woke the app: once.
        mutating func woken(by message: String) {
            if told.insert(message).inserted { received.append(message) }
        }

        /// A notification arrived in front, or was tapped: each time.
        mutating func toldOf(_ message: String) { received.append(message) }
    }

    static let configuredUser = "player-1"

    private static let button = NotificationCategory(
        "MISSION",
        actions: [.init("CONFIRM", title: "Confirm", options: .foreground), .init("LATER", title: "Later")]
    )

    let disk = Disk()
    let clock: ManualClock
    let server: UnsteadyServer
    let network: PhoneNetwork
    let app: SDKApp
    let phone: Phone
    /// The most events that wait, where it is not the SDK's own bound.
    let bound: Int?
    var random: SeededRandom
    /// The app's installs, the one that is there last.
    var installs: [PhoneLifeInstall] = []
    var run = Run()
    /// What happens without a network until the queue is full, while it does.
    var stretch: PhoneLifeStretch?
    var actions: [String] = []
    /// How often the app was handed a link.
    var linkCalls = 0
    /// Messages whose notification came through the extension, which gives the category that tells of dismissals.
    var extended: Set<String> = []
    /// Whether consent was missing at some time in this sequence.
    var lackedConsent = false
    var problems: [String] = []
    /// What happened, for whoever reads of a failure.
    var history: [String] = []
    /// What the handlers were called with before this process.
    private var told = 0

    init(seed: UInt64, bound: Int? = nil) throws {
        let clock = ManualClock()
        self.clock = clock
        self.bound = bound
        random = SeededRandom(seed)
        server = UnsteadyServer(seed: ~seed, clock: clock)
        let address = URL(string: "https://api.example.test") ?? URL(fileURLWithPath: "/")
        network = PhoneNetwork(hosts: ["api.example.test": address])
        var configuration = try SDKConfiguration(
            apiURL: address,
            apiKey: "client-key-1234",
            playerAccountId: Self.configuredUser
        )
        configuration.categories = [Self.button]
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: configuration)
        setup.hasScenes = seed % 2 == 0
        setup.links = LinkPolicy([.deepLink("game")])
        setup.transport = server
        setup.clock = clock
        setup.random = { 0.5 }
        setup.log = { _ in }
        setup.eventBound = bound
        app = SDKApp(setup)
        var settings = PhoneSettings(folder: disk.folder)
        settings.now = { Date(timeIntervalSince1970: Double(clock.now) / 1000) }
        phone = Phone(settings, app: app.installed, network: network)
    }

    /// The install that is on the phone.
    var install: PhoneLifeInstall {
        get { installs[installs.count - 1] }
        set { installs[installs.count - 1] = newValue }
    }

    /// Lives through sequences of events, each of which ends well, and returns what is not as it must be.
    ///
    /// - Parameter offline: the sequence in which the phone has no network until the queue is full.
    func problems(sequences: Int, offline: Int? = nil) async -> [String] {
        await begin()
        for number in 0..<sequences where problems.isEmpty {
            history.append("|")
            lackedConsent = !install.isTracked
            let registered = server.registrations.count
            if number == offline, install.isTracked {
                await liveOffline()
            } else {
                for _ in 0..<Int.random(in: 1...6, using: &random) { await step() }
            }
            await recover()
            judge()
            judgeToken(registeredBefore: registered)
        }
        await end { await phone.shutDown() }
        if !problems.isEmpty { problems.append("after \(history.joined(separator: ", "))") }
        return problems
    }

    /// The first launch of an install, until the system knows the app's categories: before that no dismissal is told.
    func begin() async {
        installs.append(PhoneLifeInstall(of: Self.configuredUser))
        extended = ["m"]
        phone.setNotifications(allowed: true)
        await phone.launch()
        let first = #"{"aps":{"alert":"First","category":"MISSION"},"message_id":"m","deep_link":"game://m"}"#
        await phone.receive(Push(first, collapseID: "m"))
        install.happened(.delivery("m"))
        run.toldOf("m")
        while phone.notifications.first?.buttons.isEmpty != false { await Task.yield() }
        install.id = installationID
        if installs.dropLast().contains(where: { $0.id == install.id }) { problems.append("an old installation") }
    }

    /// Ends the app's process, and waits for what of it was on its way: a dead process sends nothing more.
    func end(_ process: () async -> Void) async {
        let client = app.client
        // The next launch registers anew.
        server.mayHearOfAnother()
        await process()
        server.disconnect()
        if let client { _ = await answer(of: client, to: phone.token ?? Data([0]), by: DispatchTime.now() + 30) }
        server.disconnect()
        endProcess()
    }

    /// The process ended, or the life did: the handlers of this process were called as they must.
    private func endProcess() {
        let received = app.received.dropFirst(told).compactMap(\.messageID)
        if received.sorted() != run.received.sorted() {
            problems.append("told of \(received.sorted()), not of \(run.received.sorted())")
        }
        told = app.received.count
        run = Run()
    }

    // MARK: Everything works in the end

    /// The network is there and the server well, and time goes by.
    private func recover() async {
        network.turn(on: true)
        server.isWell = true
        defer { server.isWell = false }
        // A token that the system gave up is replaced when the app next asks for one, which it does once a launch.
        if phone.token == nil { await end { await phone.kill() } }
        await comeToFront()
        for notification in phone.notifications { install.happened(.delivery(notification.id)) }
        let deadline = DispatchTime.now() + 30
        while DispatchTime.now() < deadline {
            clock.advance(by: 60_000)
            await app.flush()
            let seen = Set(install.counts(in: server.events).keys)
            if isRegistered, await registrationsEnded(by: deadline), app.waitingEvents == 0,
                install.certain.isSubset(of: seen)
            {
                return server.settle()
            }
            // A server that asked for time with its last answer is asked again when the app next comes to the front.
            if !isRegistered { await comeToFront() }
            await Task.yield()
        }
        let registration = isRegistered ? "" : ", and the server does not know token and user"
        problems.append("\(app.waitingEvents) events were never taken\(registration)")
    }

    private func comeToFront() async {
        await phone.goHome()
        await phone.launch()
    }

    /// Whether the server last heard of the phone's token and of who is logged in, less than a day ago.
    private var isRegistered: Bool {
        guard let last = server.registrations.last else { return false }
        return last.installation == install.id && last.token == phone.token?.hexadecimalText
            && last.user == install.user && clock.now - last.time < UnsteadyServer.day
    }

    /// Waits until the SDK has ended the registrations that it began: they are made one after the other, and one more is
    /// answered behind them.
    func registrationsEnded(by deadline: DispatchTime) async -> Bool {
        guard let client = app.client, let token = phone.token else { return false }
        return await answer(of: client, to: token, by: deadline)
    }

    private func answer(of client: PushClient, to token: Data, by deadline: DispatchTime) async -> Bool {
        let answer = Locked<Bool?>(nil)
        Task {
            let isTaken = (try? await client.register(DeviceTokenText(token))) != nil
            answer.with { $0 = isTaken }
        }
        while answer.with({ $0 }) == nil, DispatchTime.now() < deadline {
            clock.advance(by: 1000)
            await Task.yield()
        }
        return answer.with { $0 } ?? false
    }

    // MARK: What must have come of it

    var installationID: String? { (try? app.client?.context.identity.installationID())?.description }

    private func judge() {
        let events = server.events
        problems += installs.flatMap { $0.problems(in: events) }
        if app.deepLinks.count != linkCalls { problems.append("\(app.deepLinks.count) calls for links") }
        let actions = app.actions.map { "\($0.identifier) \($0.messageID ?? "")" }
        if actions != self.actions { problems.append("actions \(actions), not \(self.actions)") }
        if app.callsOffMain > 0 { problems.append("\(app.callsOffMain) calls off the main thread") }
        if app.droppedEvents != install.dropped {
            problems.append("\(app.droppedEvents) events dropped, not \(install.dropped)")
        }
        if app.client?.isTrackingEnabled != install.isTracked { problems.append("the consent was forgotten") }
        if installationID != install.id { problems.append("the installation is another one") }
        problems += server.problems
        problems += phone.journal.faults
    }

    /// A token that is new to the server is an event, and there are no more of them than registrations.
    private func judgeToken(registeredBefore: Int) {
        let registrations = server.registrations
        let events = server.events.filter { $0.type == .tokenRegister && "\($0.installationID)" == install.id }
        let taken = registrations.filter { $0.installation == install.id }
        if events.count > taken.count {
            problems.append("\(events.count) events of tokens for \(taken.count) registrations")
        }
        let token = phone.token?.hexadecimalText
        let isNew = !registrations.prefix(registeredBefore).contains { $0.token == token }
        if isNew, !lackedConsent, !events.contains(where: { $0.apnsToken == token }) {
            problems.append("no event of the new token")
        }
    }
}
