/// How loud a notification is on the phone; the numbers are those of the API and the store. A provider has its own for each.
public enum Priority: Int, Sendable, Hashable, Comparable, Codable, CaseIterable {
    /// When it costs the device nothing.
    case low = 1
    /// When it suits the device's power.
    case normal = 5
    /// At once.
    case high = 10

    /// Less urgent is smaller.
    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
}
