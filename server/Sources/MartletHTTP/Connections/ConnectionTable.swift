import Synchronization

/// The open connections, and which of them goes when there are too many.
final class ConnectionTable: Sendable {
    /// One open connection.
    final class Entry: Sendable {
        /// The client's address without its port; `nil` is of a trusted proxy and not counted by address.
        let address: String?
        /// In nanoseconds of the loop's clock.
        fileprivate let waitingSince: Atomic<UInt64>
        /// Since when it is a stream; 0 while it is none.
        fileprivate let streamingSince = Atomic<UInt64>(0)
        /// The bytes of answers that lie here; changed under the table's lock.
        fileprivate let unsentBytes = Atomic<Int>(0)
        fileprivate let close: @Sendable () -> Void
        private let isShed = Atomic<Bool>(false)

        /// An entry of a connection that nothing has been heard of yet.
        init(address: String?, now: UInt64, close: @escaping @Sendable () -> Void) {
            self.address = address
            self.close = close
            waitingSince = Atomic(now)
        }

        /// Notes since when the client is waited for; 0 while it is the server's turn.
        func wait(since time: UInt64) { waitingSince.store(time, ordering: .relaxed) }

        /// Notes since when its answer goes on for as long as there is a client; 0 where it does not.
        func stream(since time: UInt64) { streamingSince.store(time, ordering: .relaxed) }

        /// Whether it still counts.
        fileprivate var isOpen: Bool { !isShed.load(ordering: .relaxed) }

        fileprivate func markAsShed() { isShed.store(true, ordering: .relaxed) }
    }

    private let limits: ConnectionLimits
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
    private let unsentBytes = Mutex(0)
    /// When it was last said that there are too many, in nanoseconds of the loop's clock.
    private let lastSaid = Atomic<UInt64>(0)

    init(limits: ConnectionLimits) { self.limits = limits }

    /// Takes a connection in. Where that is one too many, the one whose client has been waited for longest goes, and
    /// where all are answered the oldest stream: of the same address when it has too many, otherwise of all.
    ///
    /// - Returns: whether there is capacity for it.
    func admit(_ entry: Entry) -> Bool {
        let (isAdmitted, victim) = entries.withLock { entries -> (Bool, Entry?) in
            var victim: Entry?
            let own = entry.address == nil ? [] : entries.values.filter { $0.address == entry.address }
            if limits.connectionsPerAddress > 0, own.count >= limits.connectionsPerAddress {
                victim = Self.slowest(own) ?? Self.oldestStream(own)
            } else if entries.count >= limits.connections {
                victim = Self.slowest(entries.values) ?? Self.oldestStream(entries.values)
            } else {
                entries[ObjectIdentifier(entry)] = entry
                return (true, nil)
            }
            guard let victim else { return (false, nil) }
            entries[ObjectIdentifier(victim)] = nil
            entries[ObjectIdentifier(entry)] = entry
            return (true, victim)
        }
        if let victim { shed(victim) }
        return isAdmitted
    }

    /// Whether it is to be said now that there are too many: once a minute is enough.
    func isToBeSaid(at now: UInt64) -> Bool {
        let last = lastSaid.load(ordering: .relaxed)
        guard last == 0 || now >= last + 60_000_000_000 else { return false }
        return lastSaid.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
    }

    /// Forgets a connection that is closed.
    func remove(_ entry: Entry) {
        entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(entry)) }
    }

    /// Counts bytes of an answer that are given out, or taken when negative. Beyond the limit the connection with the
    /// most of them is closed, and counts no more.
    func count(_ bytes: Int, of entry: Entry) {
        let isTooMuch = unsentBytes.withLock { all in
            guard entry.isOpen else { return false }
            entry.unsentBytes.add(bytes, ordering: .relaxed)
            all += bytes
            return bytes > 0 && all > limits.answerBytes
        }
        guard isTooMuch else { return }
        let victim = entries.withLock { entries in
            entries.values.filter(\.isOpen).max {
                $0.unsentBytes.load(ordering: .relaxed) < $1.unsentBytes.load(ordering: .relaxed)
            }
        }
        if let victim { shed(victim) }
    }

    private func shed(_ entry: Entry) {
        let isFirst = unsentBytes.withLock { all in
            guard entry.isOpen else { return false }
            entry.markAsShed()
            all -= entry.unsentBytes.load(ordering: .relaxed)
            return true
        }
        if isFirst { entry.close() }
    }

    private static func oldestStream(_ entries: some Sequence<Entry>) -> Entry? {
        entries.lazy.map { ($0.streamingSince.load(ordering: .relaxed), $0) }.filter { $0.0 > 0 }
            .min { $0.0 < $1.0 }?.1
    }

    private static func slowest(_ entries: some Sequence<Entry>) -> Entry? {
        var slowest: (since: UInt64, entry: Entry)?
        for entry in entries {
            let since = entry.waitingSince.load(ordering: .relaxed)
            guard since > 0, since < slowest?.since ?? .max else { continue }
            slowest = (since, entry)
        }
        return slowest?.entry
    }
}
