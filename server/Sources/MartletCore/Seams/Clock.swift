package import MartletWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A moment: whole UTC milliseconds since 1970-01-01, the only form in which time is stored.
public struct Timestamp: Sendable, Hashable, Comparable, Codable, RawRepresentable {
    /// Milliseconds since 1970.
    public let rawValue: Int64

    /// A moment by its milliseconds since 1970.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// A moment by its milliseconds since 1970.
    public init(milliseconds: Int64) { self.rawValue = milliseconds }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { rawValue >= 0 ? rawValue / 1000 : (rawValue - 999) / 1000 }

    /// Earlier moments are smaller.
    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.rawValue < b.rawValue }

    /// The moment that lies `duration` later, in whole milliseconds.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.rawValue + duration.milliseconds)
    }

    /// The moment that lies `duration` earlier, in whole milliseconds.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.rawValue - duration.milliseconds)
    }

    /// How long it is from `earlier` to `later`.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.rawValue - earlier.rawValue)
    }
}

extension Duration {
    /// Whole milliseconds, the rest dropped.
    public var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

/// Where the time comes from, so that tests can move it.
///
/// Stores compare leases with their database's clock; the embedded store's database clock is this one.
public protocol WallClock: Sendable {
    /// The present moment.
    func now() -> Timestamp
    /// Returns when the moment has come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(until deadline: Timestamp) async throws
    /// Returns when so much time has passed, however the clock is set meanwhile.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

extension WallClock {
    /// Returns when the clock shows so much more.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now() + duration)
    }
}

/// The machine's own clock.
public struct SystemClock: WallClock {
    /// The machine's clock.
    public init() {}

    /// Reads `CLOCK_REALTIME`.
    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Sleeps on the monotonic clock for as long as the moment lies ahead now.
    public func sleep(until deadline: Timestamp) async throws {
        let left = deadline - now()
        if left > .zero { try await sleep(for: left) } else { try Task.checkCancellation() }
    }

    /// Sleeps on the monotonic clock.
    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}

extension UTCTime {
    package init(_ moment: Timestamp) { self.init(milliseconds: moment.rawValue) }
}

extension Timestamp {
    package init(_ time: UTCTime) { self.init(milliseconds: time.milliseconds) }
}
