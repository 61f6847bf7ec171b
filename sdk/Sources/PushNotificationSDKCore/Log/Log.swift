import Foundation

/// How much the SDK says in the log.
public enum PushLogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing.
    case off = 0
    /// What failed.
    case error
    /// What will not work as the app may expect.
    case warning
    /// What was done.
    case info
    /// Every step.
    case debug

    /// Less is smaller.
    public static func < (a: PushLogLevel, b: PushLogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The log of one client. Messages are fixed texts with plain facts: no token, no key, no payload, no user id.
package struct Log: Sendable {
    /// Where a line goes.
    package typealias Sink = @Sendable (PushLogLevel, String) -> Void

    private let level: @Sendable () -> PushLogLevel
    private let sink: Sink

    /// A log whose level may change at any time.
    package init(level: @escaping @Sendable () -> PushLogLevel, sink: @escaping Sink) {
        self.level = level
        self.sink = sink
    }

    /// Says something, if the level lets it through.
    package func callAsFunction(_ level: PushLogLevel, _ message: @autoclosure () -> String) {
        guard level != .off, level <= self.level() else { return }
        sink(level, message())
    }

    /// The system's log.
    package static let systemSink: Sink = { level, message in
        // NSLog takes a format, in which a percent sign would be read.
        NSLog("[PushNotificationSDK] \(level): \(message)".replacingOccurrences(of: "%", with: "%%"))
    }
}
