import Foundation
package import MartletWireBase

extension JSONValue {
    /// How deep values are read; what lies below reads as `null`. Ours: a payload of 4 KiB could hold 2,000 levels, and a
    /// thread of the system has a stack of 512 KiB.
    package static let deepestLevel = 128

    /// The members of what the system hands over; keys that are not text are passed over.
    package static func members(of userInfo: [AnyHashable: Any]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (key, value) in userInfo {
            if let key = key.base as? String { members[key] = JSONValue(value, level: 1) }
        }
        return members
    }

    /// A value of Foundation as JSON; what JSON does not have reads as `null`.
    private init(_ value: Any, level: Int) {
        guard level <= Self.deepestLevel else {
            self = .null
            return
        }
        switch value {
        case let text as String: self = .string(text)
        // A number first, and by its type code: `NSNumber(1) as? Bool` is true as well.
        case let number as NSNumber: self = JSONValue(number)
        case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0, level: level + 1) })
        case let elements as [Any]: self = .array(elements.map { JSONValue($0, level: level + 1) })
        case let members as [AnyHashable: Any]:
            var object: [String: JSONValue] = [:]
            for (key, value) in members {
                if let key = key.base as? String { object[key] = JSONValue(value, level: level + 1) }
            }
            self = .object(object)
        default: self = .null
        }
    }

    /// A number by the C type that it was made from.
    private init(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        // `c` is what booleans are stored as; JSON has no 8-bit integers that it could be confused with.
        case "c", "B": self = .bool(number.boolValue)
        case "d", "f": self = JSONValue(number.doubleValue)
        case "Q" where number.uint64Value > UInt64(Int64.max): self = .decimal(String(number.uint64Value))
        default: self = .integer(number.int64Value)
        }
    }

    private init(_ number: Double) {
        self = number.isFinite ? .number(number) : .null
    }

    /// The value as apps use it.
    package var foundationValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .decimal(let text): if let whole = UInt64(text) { whole } else { doubleValue ?? 0 }
        case .string(let value): value
        case .array(let elements): elements.map(\.foundationValue)
        case .object(let members): members.mapValues(\.foundationValue)
        }
    }
}
