import Foundation
import MartletPhone

/// The phones on the table: passes orders to the one that is meant.
@MainActor
final class Phones {
    private let hands: [PhoneSession]
    /// The number of the phone that orders are for, from 1.
    private(set) var selected = 1

    /// Phones that were never switched on.
    ///
    /// - Parameter tell: called with everything that happens, in its order.
    init(_ setup: PhoneSetup, tell: @escaping @MainActor (SessionEvent) -> Void) throws {
        hands = try setup.users.indices.map { index in
            let (app, phone) = try setup.make(index + 1)
            return PhoneSession(
                index + 1,
                setup.users[index],
                app: app,
                phone: phone,
                hasFirebase: setup.firebaseProject != nil,
                tell: tell
            )
        }
    }

    /// How many there are.
    var count: Int { hands.count }
    /// What shows on each.
    var screens: [PhoneScreen] { hands.map(\.screen) }
    /// What the server gave the running apps to prove themselves with.
    var secrets: [String] { hands.compactMap(\.secret) }
    /// What shows on the selected one.
    var screen: PhoneScreen { hands[selected - 1].screen }

    /// Switches all of them on.
    func begin(allows: Bool?) async {
        await all { await $0.begin(allows: allows) }
    }

    /// Takes the app away from all of them and switches them off.
    func end() async {
        await all { await $0.end() }
    }

    /// Switches all of them off with the app on them: pushes go on to be accepted for them.
    func switchOff() async {
        await all { await $0.switchOff() }
    }

    /// Does what a line says; `show`, `help` and `quit` are for who reads the lines.
    ///
    /// - Throws: `PhoneOrder.Wrong` when that cannot be done.
    func perform(_ line: PhoneOrder.Line) async throws(PhoneOrder.Wrong) {
        let number = line.phone ?? selected
        guard hands.indices.contains(number - 1) else { throw noPhone(number) }
        guard case .select(let other) = line.order else { return try await hands[number - 1].perform(line.order) }
        guard hands.indices.contains(other - 1) else { throw noPhone(other) }
        selected = other
    }

    /// Selects the next phone, or with -1 the one before.
    func move(by step: Int) {
        selected = (selected - 1 + step + count) % count + 1
    }

    private func noPhone(_ number: Int) -> PhoneOrder.Wrong {
        PhoneOrder.Wrong(
            message: "There is no phone \(number).",
            hint: count == 1 ? "There is one; --count adds more." : "They are numbered from 1 to \(count)."
        )
    }

    private func all(_ body: @escaping @MainActor (PhoneSession) async -> Void) async {
        let tasks = hands.map { hand in Task { await body(hand) } }
        for task in tasks { await task.value }
    }
}
