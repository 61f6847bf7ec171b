package import MartletWire

/// A message's body: bytes that are the same for every device, and holes that a device's values fill.
public struct Payload: Sendable, Hashable {
    /// What is the same for every device.
    public var bytes: [UInt8]
    /// Where values stand, by ascending position.
    public var holes: [Hole]

    /// A place for a value.
    public struct Hole: Sendable, Hashable, Codable {
        /// What fills it.
        public var kind: Kind
        /// How many of the bytes stand before it.
        public var position: Int
        /// What stands before a value, and is left out with it: a member's name, say.
        public var before: String
        /// What stands behind it, likewise: a comma, say.
        public var after: String

        package init(_ kind: Kind, at position: Int, before: String = "", after: String = "") {
            self.kind = kind
            self.position = position
            self.before = before
            self.after = after
        }
    }

    /// A kind of value.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The number on the app's icon, which not every user has.
        case badge
        /// The delivery's id.
        case deliveryID = "delivery_id"
        /// The member that names the device, at providers that take it in the body.
        case target
        /// How many seconds the provider may keep it, counted from when it is sent.
        case timeToLive = "time_to_live"

        /// The most bytes that a value has.
        package var limit: Int {
            switch self {
            case .badge: String(Int32.max).utf8.count
            case .deliveryID: 36
            case .target: 4_200
            case .timeToLive: String(Int32.max).utf8.count
            }
        }
    }

    package init(_ bytes: [UInt8], holes: [Hole] = []) {
        self.bytes = bytes
        self.holes = holes
    }

    /// How many bytes it has at most, whatever fills its holes.
    package var largestCount: Int {
        holes.reduce(bytes.count) { $0 + $1.before.utf8.count + $1.kind.limit + $1.after.utf8.count }
    }

    /// Whether values of a kind stand in it.
    package func has(_ kind: Kind) -> Bool { holes.contains { $0.kind == kind } }

    /// The bytes that one device gets.
    ///
    /// - Parameters:
    ///   - target: the member that names the device.
    ///   - secondsToLive: how long the provider may keep it.
    package func filled(
        badge: Int32?,
        deliveryID: PublicID,
        target: String? = nil,
        secondsToLive: Int64? = nil
    ) -> [UInt8] {
        var filled: [UInt8] = []
        filled.reserveCapacity(bytes.count + 96 * holes.count + (target?.utf8.count ?? 0))
        var start = 0
        for hole in holes {
            filled += bytes[start..<hole.position]
            start = hole.position
            let value: String? =
                switch hole.kind {
                case .badge: badge.map { String($0) }
                case .deliveryID: deliveryID.description
                case .target: target
                case .timeToLive: secondsToLive.map { String($0) }
                }
            guard let value else { continue }
            filled += hole.before.utf8
            filled += value.utf8
            filled += hole.after.utf8
        }
        return filled + bytes[start...]
    }
}
