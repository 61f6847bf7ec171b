// Apple's log, as far as the SDK writes to it. Apple's module is Swift too; nothing is linked or run.

/// How much a line matters.
public struct OSLogType: Sendable {
    /// Kept.
    public static let `default` = OSLogType()
    /// Kept for a while.
    public static let info = OSLogType()
    /// Kept only where somebody looks.
    public static let debug = OSLogType()
    /// Something failed.
    public static let error = OSLogType()
}

/// What the log shows of a value.
public struct OSLogPrivacy: Sendable {
    /// All of it.
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
    /// Nothing of it.
    public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}

/// A line with values in it.
public struct OSLogInterpolation: StringInterpolationProtocol {
    /// A line of some length.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Adds what stands in the source.
    public mutating func appendLiteral(_ literal: String) {}
    /// Adds a value.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String,
        privacy: OSLogPrivacy = .private
    ) {}
}

/// A line of the log.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// A line with values in it.
    public init(stringInterpolation: OSLogInterpolation) {}
    /// A line without.
    public init(stringLiteral value: String) {}
}

/// A part of the log.
public final class OSLog: Sendable {
    /// A part of the log.
    public init(subsystem: String, category: String) {}
    /// The part for everything.
    public static let `default` = OSLog(subsystem: "", category: "")
}

/// Writes to a part of the log.
@available(iOS 14.0, macOS 11.0, *)
public struct Logger: Sendable {
    /// Writes to a part of the log.
    public init(subsystem: String, category: String) {}
    /// Writes a line.
    public func log(level: OSLogType, _ message: OSLogMessage) {}
}

/// Writes a line, as before iOS 14.
public func os_log(_ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ args: any CVarArg...) {
}
