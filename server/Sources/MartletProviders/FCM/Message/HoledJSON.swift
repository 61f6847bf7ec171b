import MartletCore
import MartletWire

/// Writes JSON with places for values that differ from device to device: each is the first member of an object.
struct HoledJSON {
    /// A place: what stands before and behind its value.
    struct Place {
        var kind: Payload.Kind
        var before: String
        var after: String
    }

    private var text = JSONText()
    private var holes: [Payload.Hole] = []
    private let places: [String: Place]

    private init(_ places: [String: Place]) { self.places = places }

    /// The payload of an object.
    ///
    /// - Parameter places: by the path of their object, such as `message.android`; only objects on the way to one are
    ///   looked at.
    /// - Throws: `JSONText.NumberError`.
    static func payload(
        _ value: JSONValue,
        places: [String: Place]
    ) throws(JSONText.NumberError) -> Payload {
        var writer = HoledJSON(places)
        try writer.write(value, path: "")
        return Payload(writer.text.bytes, holes: writer.holes)
    }

    private mutating func write(_ value: JSONValue, path: String) throws(JSONText.NumberError) {
        let isOnWay = places.keys.contains { $0 == path || path.isEmpty || $0.hasPrefix(path + ".") }
        guard isOnWay, let members = value.objectValue else { return try text.write(value) }
        text.write(literal: "{")
        if let place = places[path] {
            let comma = members.isEmpty ? "" : ","
            holes.append(
                .init(place.kind, at: text.bytes.count, before: place.before, after: place.after + comma)
            )
        }
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text.write(literal: ",") }
            text.write(member.key)
            text.write(literal: ":")
            try write(member.value, path: path.isEmpty ? member.key : "\(path).\(member.key)")
        }
        text.write(literal: "}")
    }
}
