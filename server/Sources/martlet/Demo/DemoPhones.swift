import Foundation
import MartletWire
import PushNotificationSDK

/// The riders' phones: real apps with the real SDK, and the people who have them.
@MainActor
final class DemoPhones {
    /// Whose they are and what they are called.
    nonisolated static let owners = [
        (user: "amira", name: "iPhone"), (user: "amira", name: "old iPhone"), (user: "ben", name: "iPhone"),
        (user: "chiara", name: "iPhone"),
    ]
    /// The numbers by which the story calls some of them.
    nonisolated static let amiras = 1, old = 2, bens = 3

    /// What is known of each.
    private(set) var phones = owners.map { DemoPhone(user: $0.user, name: $0.name) }
    /// What the server gave their apps to prove themselves with.
    private(set) var secrets: [String] = []
    private let journal = DemoJournal()
    private let hands: Phones
    /// Seconds that something may take which takes a moment.
    private static let timeout = 30

    /// - Parameter key: the client key inside the app.
    init(_ world: DemoWorld, key: String) throws {
        guard let server = URL(string: world.address), let simulator = URL(string: world.controlURL) else {
            throw CommandFailure("The demo has no address.", status: .failed)
        }
        let setup = PhoneSetup(
            app: DemoStory.app,
            bundleID: DemoStory.app,
            apiKey: key,
            server: server,
            simulator: simulator,
            users: Self.owners.map(\.user),
            links: [.deepLink("transit")],
            folder: world.folder.appendingPathComponent("phones", isDirectory: true)
        )
        hands = try Phones(setup) { [journal] in journal.events.append($0) }
    }

    /// Every rider opens the app once and allows notifications.
    func begin() async throws {
        await hands.begin(allows: true)
        for number in 1...phones.count {
            try await perform(.wait(.registered, seconds: Self.timeout), on: number)
            let token = journal.events.last { $0.phone == number && $0.what == .token }
            phones[number - 1].token = token?.value ?? ""
        }
        secrets = hands.secrets
    }

    /// Amira deletes the app from her old phone; nobody tells the server.
    func uninstall() async throws { try await perform(.reinstall, on: Self.old) }

    /// The alert shows: amira taps it, ben dismisses it, and their apps report.
    func answer() async throws {
        for (number, order, did) in [
            (Self.amiras, PhoneOrder.tap(1), "tapped it"), (Self.bens, .dismiss(1), "dismissed it"),
        ] {
            try await perform(.wait(.shown, seconds: Self.timeout), on: number)
            try await perform(order, on: number)
            try await perform(.report, on: number)
            phones[number - 1].did = did
        }
    }

    /// The story of these phones is over.
    func end(in world: DemoWorld) async {
        for number in 1...phones.count {
            phones[number - 1].shown = journal.events.compactMap {
                $0.phone == number && $0.what == .shown ? $0.title : nil
            }
        }
        await world.putAway(hands)
    }

    /// What their apps did wrong: nothing, if all is well.
    var faults: [String] { journal.faults }

    private func perform(_ order: PhoneOrder, on number: Int) async throws {
        do throws(PhoneOrder.Wrong) {
            try await hands.perform(PhoneOrder.Line(phone: number, order: order))
        } catch {
            throw CommandFailure(error.message, hint: "Run it again with --log-level debug", status: .failed)
        }
    }
}

/// What happened on the phones.
@MainActor
final class DemoJournal {
    var events: [SessionEvent] = []

    /// What their apps did wrong.
    var faults: [String] {
        events.filter { [.fault, .error, .refused, .noToken].contains($0.what) }.map {
            "on phone \($0.phone): \($0.words)"
        }
    }
}
