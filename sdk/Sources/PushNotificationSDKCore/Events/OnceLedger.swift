import Foundation

/// What has been counted already: a bounded set that outlives the process and forgets the oldest first.
///
/// It holds 64-bit hashes. Among 1,000 of them one false match is to be expected in 10¹³ new entries.
final class OnceLedger: Sendable {
    /// As many as the queue holds events: 8 kB.
    static let bound = 1000

    private struct State {
        var entries: [UInt64] = []
        var known: Set<UInt64> = []
        var isLoaded = false
    }

    private let storage: any KeyValueStore
    private let key: String
    private let state = Locked(State())

    init(_ storage: any KeyValueStore, key: String) {
        self.storage = storage
        self.key = key
    }

    /// Whether a text is in the set.
    func contains(_ text: String) -> Bool {
        state.with { state in
            load(&state)
            return state.known.contains(EventIdentity.hash(text))
        }
    }

    /// Puts a text into the set.
    ///
    /// - Returns: whether it was not there before.
    @discardableResult
    func insert(_ text: String) -> Bool { insert(contentsOf: [text]) > 0 }

    /// Puts texts into the set, in one write.
    ///
    /// - Returns: how many were not there before.
    @discardableResult
    func insert(contentsOf texts: [String]) -> Int {
        state.with { state in
            load(&state)
            let new = texts.map { EventIdentity.hash($0) }.filter { state.known.insert($0).inserted }
            guard !new.isEmpty else { return 0 }
            state.entries += new
            trim(&state)
            if state.isLoaded { try? storage.set(Self.bytes(of: state.entries), for: key) }
            return new.count
        }
    }

    /// Takes everything out.
    func removeAll() {
        state.with { state in
            state = State()
            try? storage.remove(key)
        }
    }

    private func trim(_ state: inout State) {
        let surplus = state.entries.count - Self.bound
        guard surplus > 0 else { return }
        state.known.subtract(state.entries.prefix(surplus))
        state.entries.removeFirst(surplus)
    }

    private func load(_ state: inout State) {
        guard !state.isLoaded else { return }
        do throws(StorageUnreadable) {
            let stored = Self.entries(of: try storage.data(for: key) ?? Data())
            let isNew = !state.entries.isEmpty
            state.isLoaded = true
            // What was entered before the storage could be read is the newest.
            state.entries = stored.filter { !state.known.contains($0) } + state.entries
            state.known = Set(state.entries)
            trim(&state)
            if isNew { try storage.set(Self.bytes(of: state.entries), for: key) }
        } catch {
            // It is tried again with the next call.
        }
    }

    private static func bytes(of entries: [UInt64]) -> Data {
        var bytes = Data(capacity: entries.count * 8)
        for entry in entries { withUnsafeBytes(of: entry.bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// What a torn or foreign value holds beyond whole entries is passed over.
    private static func entries(of bytes: Data) -> [UInt64] {
        let bytes = Array(bytes)
        var seen: Set<UInt64> = []
        return stride(from: 0, to: bytes.count - bytes.count % 8, by: 8)
            .map { start in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
            .filter { seen.insert($0).inserted }
    }
}
