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
    /// What is counted once.
    private struct Deed: Hashable, CustomStringConvertible {
        var type: EventType
        var message: String
        var value: String?
        var description: String { "\(type.rawValue) \(message) \(value ?? "")" }
    }

    /// Events at the server, and what the running process was told.
    private struct Expected {
        /// Deeds that the server must hear of.
        var certain: Set<Deed> = []
        /// Deliveries that it may hear of: of what was listed when the app came to the front.
        var possible: Set<Deed> = []
        /// How often the link of a message was followed.
        var links: [String: Int] = [:]
        /// What the handlers of this process were called with.
        var told: Set<String> = []
        /// What a person did with notifications in this process.
        var handled: Set<String> = []
        var actions: [String] = []
    }

    private static let button = NotificationCategory(
        "MISSION",
        actions: [.init("CONFIRM", title: "Confirm", options: .foreground), .init("LATER", title: "Later")]
    )

    private let disk = Disk()
    private let clock = ManualClock()
    private let server: UnsteadyServer
    private let network: PhoneNetwork
    private let app: SDKApp
    private let phone: Phone
    private var random: SeededRandom
    private var expected = Expected()
    /// Messages whose notification came through the extension, which gives the category that tells of dismissals.
    private var extended: Set<String> = []
    /// What the handlers were called with before this process.
    private var told = 0
    private var problems: [String] = []
    /// What happened, for whoever reads of a failure.
    private var history: [String] = []

    init(seed: UInt64) throws {
        random = SeededRandom(seed)
        server = UnsteadyServer(seed: ~seed)
        let address = URL(string: "https://api.example.test") ?? URL(fileURLWithPath: "/")
        network = PhoneNetwork(hosts: ["api.example.test": address])
        var configuration = try SDKConfiguration(
            apiURL: address,
            apiKey: "client-key-1234",
            playerAccountId: "player-1"
        )
        configuration.categories = [Self.button]
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: configuration)
        setup.hasScenes = seed % 2 == 0
        setup.links = LinkPolicy([.deepLink("game")])
        setup.transport = server
        setup.clock = clock
        setup.random = { 0.5 }
        setup.log = { _ in }
        app = SDKApp(setup)
        phone = Phone(PhoneSettings(folder: disk.folder), app: app.installed, network: network)
    }

    /// Lives through sequences of events, each of which ends well, and returns what is not as it must be.
    func problems(sequences: Int) async -> [String] {
        await begin()
        for _ in 0..<sequences where problems.isEmpty {
            history.append("|")
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                await step()
                if app.waitingEvents > 1_000 { problems.append("\(app.waitingEvents) events wait") }
            }
            await recover()
            judge()
        }
        endProcess()
        await phone.shutDown()
        if !problems.isEmpty { problems.append("after \(history.joined(separator: ", "))") }
        return problems
    }

    // MARK: What happens

    /// The first launch, until the system knows the app's categories: before that no dismissal is told.
    private func begin() async {
        phone.setNotifications(allowed: true)
        await phone.launch()
        let first = #"{"aps":{"alert":"First","category":"MISSION"},"message_id":"m","deep_link":"game://m"}"#
        await phone.receive(Push(first, collapseID: "m"))
        expected.certain.insert(Deed(type: .delivery, message: "m"))
        expected.told.insert("m")
        extended.insert("m")
        while phone.notifications.first?.buttons.isEmpty != false { await Task.yield() }
    }

    private func step() async {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: await push()
        case 6..<10: await act(.tap)
        case 10: await act(.dismissal)
        case 11: await act(.button(Bool.random(using: &random) ? "CONFIRM" : "LATER"))
        case 12:
            history.append("clear")
            await phone.clear()
        case 13:
            history.append("launch")
            await phone.launch()
        case 14:
            history.append("home")
            await phone.goHome()
        case 15: await kill()
        case 16:
            network.turn(on: !network.isOn)
            history.append("network \(network.isOn ? "on" : "off")")
        case 17: clock.advance(by: Int64.random(in: 0...120_000, using: &random))
        default:
            history.append("flush")
            await app.flush()
        }
    }

    private func push() async {
        let message = "m\(Int.random(in: 0..<6, using: &random))"
        let isMutable = Bool.random(using: &random)
        let category = Bool.random(using: &random) ? #","category":"MISSION""# : ""
        let aps = #"{"alert":"Mission"\#(isMutable ? #","mutable-content":1"# : "")\#(category)}"#
        let isInFront = phone.state == .foreground
        history.append("\(message) arrives\(isMutable ? ", mutable" : "")\(category.isEmpty ? "" : ", with buttons")")
        await phone.receive(
            Push(#"{"aps":\#(aps),"message_id":"\#(message)","deep_link":"game://\#(message)"}"#, collapseID: message)
        )
        let delivery = Deed(type: .delivery, message: message)
        if isInFront || isMutable { expected.certain.insert(delivery) } else { expected.possible.insert(delivery) }
        if isInFront { expected.told.insert(message) }
        if isMutable || !category.isEmpty { extended.insert(message) } else { extended.remove(message) }
    }

    private enum Act {
        case tap
        case dismissal
        case button(String)
    }

    private func act(_ act: Act) async {
        guard let message = phone.notifications.randomElement(using: &random)?.id else { return }
        history.append("\(act) \(message)")
        switch act {
        case .tap:
            guard (try? await phone.tap(message)) != nil, expected.handled.insert("tap \(message)").inserted else {
                return
            }
            expected.certain.insert(Deed(type: .open, message: message))
            expected.links[message, default: 0] += 1
            expected.told.insert(message)
        case .dismissal:
            guard (try? await phone.dismiss(message)) != nil, extended.contains(message) else { return }
            expected.certain.insert(Deed(type: .dismiss, message: message))
        case .button(let button):
            guard (try? await phone.act(button, on: message)) != nil,
                expected.handled.insert("\(button) \(message)").inserted
            else { return }
            expected.certain.insert(Deed(type: .open, message: message, value: button))
            expected.actions.append("\(button) \(message)")
        }
    }

    private func kill() async {
        history.append("kill")
        if Bool.random(using: &random) { await phone.kill() } else { await phone.swipeAway() }
        endProcess()
    }

    /// Everything works in the end, and time goes by.
    private func recover() async {
        network.turn(on: true)
        server.isWell = true
        defer { server.isWell = false }
        await phone.goHome()
        await phone.launch()
        let deadline = DispatchTime.now() + 30
        while DispatchTime.now() < deadline {
            clock.advance(by: 60_000)
            await app.flush()
            if app.waitingEvents == 0, server.hasRegistered, expected.certain.isSubset(of: Set(counts().keys)) {
                return
            }
            // A server that asked for time with its last answer is asked again when the app next comes to the front.
            if !server.hasRegistered {
                await phone.goHome()
                await phone.launch()
            }
            await Task.yield()
        }
        problems.append("\(app.waitingEvents) events were never taken")
    }

    // MARK: What must have come of it

    /// The process ended, or the life did: the handlers of this process were called once for each message.
    private func endProcess() {
        let received = app.received.dropFirst(told).compactMap(\.messageID)
        if received.sorted() != expected.told.sorted() {
            problems.append("told of \(received.sorted()), not of \(expected.told.sorted())")
        }
        told = app.received.count
        (expected.told, expected.handled) = ([], [])
    }

    private func counts() -> [Deed: Int] {
        let deeds = server.events.compactMap { event -> Deed? in
            switch event.type {
            case .delivery, .open, .dismiss: Deed(type: event.type, message: event.messageID ?? "", value: event.value)
            case .linkOpen, .deeplinkOpen, .tokenRegister: nil
            }
        }
        return deeds.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func judge() {
        let counts = counts()
        for (deed, count) in counts where count > 1 { problems.append("\(deed) counted \(count) times") }
        for deed in expected.certain where counts[deed] == nil { problems.append("\(deed) was lost") }
        for deed in counts.keys where !expected.certain.union(expected.possible).contains(deed) {
            problems.append("\(deed) never happened")
        }
        let links = server.events.filter { $0.type == .deeplinkOpen }.reduce(into: [String: Int]()) {
            $0[$1.messageID ?? "", default: 0] += 1
        }
        if links != expected.links { problems.append("links \(links), not \(expected.links)") }
        if app.deepLinks.count != expected.links.values.reduce(0, +) {
            problems.append("\(app.deepLinks.count) calls for links")
        }
        let actions = app.actions.map { "\($0.identifier) \($0.messageID ?? "")" }
        if actions != expected.actions { problems.append("actions \(actions), not \(expected.actions)") }
        if app.callsOffMain > 0 { problems.append("\(app.callsOffMain) calls off the main thread") }
        if app.droppedEvents > 0 { problems.append("\(app.droppedEvents) events dropped") }
        if server.unreadable > 0 { problems.append("\(server.unreadable) uploads could not be read") }
        problems += phone.journal.faults
    }
}
