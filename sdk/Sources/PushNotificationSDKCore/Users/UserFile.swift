import Foundation

/// A value of one user of one app, in a file of its own and in memory. It is given away only while that user is logged in,
/// and goes with the login.
final class UserFile<Value: Codable & Sendable>: Sendable {
    /// What is stored: whose it is stands in it, so that no name of a file is believed.
    private struct Stored: Codable {
        var server: String
        var user: String
        var value: Value
    }

    private struct Held {
        var user: String
        var value: Value?
    }

    private let context: ClientContext
    private let prefix: String
    private let held = Locked<Held?>(nil)
    /// Held while the file is read, written or removed.
    private let storing = NSLock()

    /// - Parameter kind: what the values are; two kinds have two files.
    init(_ context: ClientContext, kind: String) {
        self.context = context
        prefix = "martlet.\(kind)."
    }

    /// The value, while its user is logged in.
    func value(of user: String) -> Value? {
        guard isCurrent(user) else { return nil }
        if let held = held.with({ $0 }), held.user == user { return held.value }
        return storing.withLock { known(user) }
    }

    /// Changes the value, while its user is logged in. What cannot be written yet stays in memory.
    func change<Result>(of user: String, _ body: (inout Value?) -> Result) -> Result? {
        storing.withLock {
            // Who logs out now waits with the removal until the value is written.
            guard isCurrent(user) else { return nil }
            var value = known(user)
            let result = body(&value)
            held.with { $0 = Held(user: user, value: value) }
            store(value, of: user)
            return result
        }
    }

    /// Removes the values of everybody who is not logged in.
    func forgetOthers() {
        storing.withLock {
            let current = context.identity.userID
            held.with { if $0?.user != current { $0 = nil } }
            guard let keys = try? context.environment.storage.keys(prefix: prefix) else { return }
            let own = current.map(key)
            for key in keys where key != own { try? context.environment.storage.remove(key) }
        }
    }

    private func isCurrent(_ user: String) -> Bool { context.identity.userID == user }

    private func known(_ user: String) -> Value? {
        if let held = held.with({ $0 }), held.user == user { return held.value }
        do throws(StorageUnreadable) {
            let bytes = try context.environment.storage.data(for: key(of: user))
            let stored = bytes.flatMap { try? JSONDecoder().decode(Stored.self, from: $0) }
            let isOwn = stored?.user == user && stored?.server == context.configuration.server
            let value = isOwn ? stored?.value : nil
            held.with { $0 = Held(user: user, value: value) }
            return value
        } catch {
            return nil
        }
    }

    private func store(_ value: Value?, of user: String) {
        guard let value else {
            try? context.environment.storage.remove(key(of: user))
            return
        }
        let stored = Stored(server: context.configuration.server, user: user, value: value)
        guard let bytes = try? JSONEncoder().encode(stored) else { return }
        try? context.environment.storage.set(bytes, for: key(of: user))
    }

    /// A key for app and user that is short enough for a file's name, and does not show the user's id. FNV-1a, 64 bits: where
    /// two users meet in one, the file says whose it is.
    private func key(of user: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(context.configuration.server)\n\(user)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return prefix + String(hash, radix: 16)
    }
}
