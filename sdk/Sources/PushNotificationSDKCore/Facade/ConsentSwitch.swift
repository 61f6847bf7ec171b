import Foundation

/// Whether the person lets the app report events. It outlives the process; without a word it is as configured.
///
/// An answer counts at once. Writing it down and having it obeyed is done by one caller at a time, with the answer that
/// counts then: whoever comes late repeats the newest answer, and never brings back an older one.
final class ConsentSwitch: Sendable {
    private struct State {
        var isOn: Bool?
        /// Whether it was taken back since an answer was obeyed last.
        var wasTakenBack = false
        /// Whether the answer has yet to be written down.
        var isOwed = false
        var isClosed = false
    }

    static let key = "martlet.consent"

    private let storage: any KeyValueStore
    private let state = Locked(State())
    /// Held while an answer is written down and obeyed.
    private let settling = NSLock()

    /// What holds until the person has answered.
    private let unanswered: Bool

    init(_ storage: any KeyValueStore, unanswered: Bool) {
        self.storage = storage
        self.unanswered = unanswered
    }

    /// Whether the person took the consent back, as far as it is written down; not so as long as that cannot be read.
    var isTakenBack: Bool { (try? storage.string(for: Self.key)) == "off" }

    /// Whether an answer was given that could not be written down yet.
    var isOwed: Bool { state.with { $0.isOwed } }

    /// Whether events are recorded; off as long as the answer cannot be read.
    var isOn: Bool { answer ?? false }

    /// The person's answer; without a word it is as configured. `nil` as long as it cannot be read.
    var answer: Bool? {
        if let known = state.with({ $0.isOn }) { return known }
        guard let stored = try? storage.string(for: Self.key) else {
            return storage.isReadable ? state.with { $0.isOn ?? unanswered } : nil
        }
        return state.with { state in
            let isOn = state.isOn ?? (stored != "off")
            state.isOn = isOn
            return isOn
        }
    }

    /// Takes an answer, without touching the storage; ``settle(_:)`` follows.
    func set(_ isOn: Bool) {
        state.with { state in
            state.isOn = isOn
            state.isOwed = true
            if !isOn { state.wasTakenBack = true }
        }
    }

    /// Writes the answer down and has it obeyed.
    ///
    /// - Parameter obey: records events from now on, or discards them; it must not come back here.
    func settle(_ obey: (Bool) -> Void) {
        settling.withLock {
            let isStoredOff = isTakenBack
            let (answer, wasTakenBack) = state.with { state in
                defer { state.wasTakenBack = false }
                return (state.isClosed ? nil : state.isOn, state.wasTakenBack || isStoredOff)
            }
            guard let isOn = answer else { return }
            // What was seen in between is discarded before anything is recorded again, and while it is still off on disk.
            if isOn, wasTakenBack { obey(false) }
            let isWritten = (try? storage.set(isOn ? "on" : "off", for: Self.key)) != nil
            state.with { if isWritten, $0.isOn == isOn { $0.isOwed = false } }
            obey(isOn)
        }
    }

    /// Has an answer obeyed, unless another one counts by now.
    func settle(only isOn: Bool, _ obey: (Bool) -> Void) {
        settling.withLock {
            if !state.with({ $0.isClosed }), self.isOn == isOn { obey(isOn) }
        }
    }

    /// Writes nothing down any more: another client has taken over.
    func close() {
        settling.withLock { state.with { $0.isClosed = true } }
    }
}
