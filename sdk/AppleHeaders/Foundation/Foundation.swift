// The Swift half of Foundation: the toolchain's own value types, bridged as Apple's are, and the names that the SDK's
// sources use beside them. Written for scripts/check-interop: nothing is linked or run, so no body says anything.
@_exported import Dispatch
@_exported import Foundation
@_exported import Glibc
@_exported import ObjectiveC

@_exported import struct FoundationEssentials.Calendar
@_exported import struct FoundationEssentials.CocoaError
@_exported import protocol FoundationEssentials.ContiguousBytes
@_exported import struct FoundationEssentials.Data
@_exported import protocol FoundationEssentials.DataProtocol
@_exported import struct FoundationEssentials.Date
@_exported import struct FoundationEssentials.DateComponents
@_exported import struct FoundationEssentials.FileAttributeKey
@_exported import class FoundationEssentials.FileManager
@_exported import struct FoundationEssentials.FileProtectionType
@_exported import class FoundationEssentials.JSONDecoder
@_exported import class FoundationEssentials.JSONEncoder
@_exported import struct FoundationEssentials.Locale
@_exported import protocol FoundationEssentials.LocalizedError
@_exported import class FoundationEssentials.ProcessInfo
@_exported import class FoundationEssentials.PropertyListDecoder
@_exported import typealias FoundationEssentials.TimeInterval
@_exported import struct FoundationEssentials.TimeZone
@_exported import struct FoundationEssentials.URL
@_exported import struct FoundationEssentials.UUID

/// Apple's is a structure of its own, which takes a `Double` wherever it is wanted.
public typealias CGFloat = Double

/// What the importer takes for an Objective-C class, as Apple's Foundation says for these types.
public protocol Bridged: _ObjectiveCBridgeable {}

extension Bridged {
    /// Never run.
    public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }  // a header: never linked
    /// Never run.
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
    /// Never run.
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool {
        false
    }
    /// Never run.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self {
        fatalError()  // a header: type-checked, and linked into nothing
    }
}

extension AnyHashable: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSObject
}
extension Array: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSArray
}
extension Data: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSData
}
extension Date: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSDate
}
extension Dictionary: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSDictionary
}
extension Set: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSSet
}
extension String: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSString
}
extension URL: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSURL
}
extension UUID: Bridged, @retroactive _ObjectiveCBridgeable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSUUID
}

/// Apple's is a value too; what it holds is of no interest here.
public struct URLRequest: Bridged, Sendable {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSURLRequest
    /// A request.
    public init(url: URL) {}
}

/// A notification of the process.
public struct Notification: Bridged {
    /// Apple's class for it.
    public typealias _ObjectiveCType = NSNotification
    /// What it is called.
    public typealias Name = NSNotification.Name
    /// Who posted it.
    public var object: Any?
}

/// An error with a domain and a number.
public protocol CustomNSError: Error {
    /// The domain.
    static var errorDomain: String { get }
    /// The number.
    var errorCode: Int { get }
    /// More about it.
    var errorUserInfo: [String: Any] { get }
}

/// Writes a line to the system's log.
public func NSLog(_ format: String, _ arguments: any CVarArg...) {}

extension Error {
    /// The error in words.
    public var localizedDescription: String { "" }
}

extension String {
    /// A text with parts replaced.
    public func replacingOccurrences(of target: String, with replacement: String) -> String { self }
}

extension FileManager {
    /// The folder of an app group.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

extension DateFormatter {
    /// The calendar of the texts.
    public var calendar: Calendar! {
        get { nil }
        set {}
    }
    /// The language of the texts.
    public var locale: Locale! {
        get { nil }
        set {}
    }
    /// The time zone of the texts.
    public var timeZone: TimeZone! {
        get { nil }
        set {}
    }
}

/// What a file or a folder says of itself.
public struct URLResourceValues: Sendable {
    /// Whether backups leave it out.
    public var isExcludedFromBackup: Bool?

    /// Nothing said.
    public init() {}
}

extension URL {
    /// Never run.
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}
