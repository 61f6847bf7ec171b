// The Swift half of Apple's module, as far as the SDK's sources need it. Nothing is linked.
@_exported import ObjectiveC

/// A method's name.
public struct Selector: ExpressibleByStringLiteral, Hashable {
    /// A name that is written in a source.
    public init(stringLiteral value: String) {}
    /// A name that is made up at run time.
    public init(_ name: String) {}
}

extension NSObject: CVarArg {
    /// Never run.
    public var _cVarArgEncoding: [Int] { [] }
}

extension NSObject: Hashable {
    /// Apple's calls `isEqual`.
    public static func == (a: NSObject, b: NSObject) -> Bool { a.isEqual(b) }
    /// Apple's calls `hash`.
    public nonisolated func hash(into hasher: inout Hasher) {}
}
