package import MartletWire

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

extension Priority {
    package init(_ name: PriorityName) {
        switch name {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}

extension PriorityName {
    package init(_ priority: Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}
