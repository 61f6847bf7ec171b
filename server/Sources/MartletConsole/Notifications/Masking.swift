import Foundation
import MartletCore
import MartletWire

extension ConsoleCall {
    /// A text of a payload as who asks may read it: for viewers only how long it is.
    func shown(_ text: String) -> String {
        may(.readUnmasked) ? text : texts["notifications.masked", ["n": Texts.number(text.count)]]
    }
}

extension JSONValue {
    /// The same without its texts and numbers; names stay.
    var masked: JSONValue {
        switch self {
        case .null, .bool: self
        case .integer, .number, .decimal, .string: "•••"
        case .array(let values): .array(values.map(\.masked))
        case .object(let members): .object(members.mapValues(\.masked))
        }
    }

    /// For people to read.
    var pretty: String { (try? JSONText(indented: self).text) ?? "" }
}

extension Message {
    /// Its body for people to read, without what is each device's own.
    func text(masked: Bool, for notification: PublicID) -> String {
        let bytes = payload.filled(badge: nil, deliveryID: notification)
        guard let value = try? JSONValue(json: Data(bytes)) else {
            return masked ? "•••" : String(decoding: bytes, as: UTF8.self)
        }
        return (masked ? value.masked : value).pretty
    }
}
