import Foundation

/// Whether the person lets the app report events. It outlives the process; without a word it is on.
final class ConsentSwitch: Sendable {
    private static let key = "martlet.consent"

    private let storage: any KeyValueStore
    private let state = Locked<Bool?>(nil)

    init(_ storage: any KeyValueStore) { self.storage = storage }

    /// Takes an answer for this launch, without touching the storage.
    func preset(_ isOn: Bool) { state.with { $0 = isOn } }

    /// Whether the person took the consent back, as far as it is written down; not so as long as that cannot be read.
    var isTakenBack: Bool { (try? storage.string(for: Self.key)) == "off" }

    /// Whether events are recorded; off as long as the answer cannot be read.
    var isOn: Bool {
        get {
            if let known = state.with({ $0 }) { return known }
            guard let stored = try? storage.string(for: Self.key) else {
                guard storage.isReadable else { return false }
                return state.with { $0 ?? true }
            }
            return state.with { state in
                let isOn = state ?? (stored != "off")
                state = isOn
                return isOn
            }
        }
        set {
            state.with { $0 = newValue }
            try? storage.set(newValue ? "on" : "off", for: Self.key)
        }
    }
}
