import Foundation
<<<<<<<< HEAD:server/Sources/MartletCore/Topics/TopicMessage+JSON.swift
package import MartletWire

extension TopicMessage.Attribute {
    /// A value in the types of Amazon SNS, where a truth value stands in lists alone.
    ///
    /// - Throws: `Failure` for an object, and for a list of anything but text, numbers, truth values and null.
    package init(_ value: JSONValue, field: String) throws(Failure) {
        switch value {
        case .string(let text): self.init(type: "String", value: text)
        case .integer(let number): self.init(type: "Number", value: String(number))
        case .number(let number): self.init(type: "Number", value: "\(number)")
        case .bool, .null: try self.init(.array([value]), field: field)
        case .array(let elements):
            for element in elements {
                switch element {
                case .array, .object: throw Self.unfit(field)
                case .string, .integer, .number, .bool, .null: break
                }
            }
            guard let text = try? value.json() else { throw Self.unfit(field) }
            self.init(type: "String.Array", value: String(decoding: text, as: UTF8.self))
        case .object: throw Self.unfit(field)
        }
    }

    private static func unfit(_ field: String) -> Failure {
        .invalid(field, "An attribute is text, a number, true, false, null, or a list of these.")
========
import MartletCore
import MartletWire

extension TopicMessage {
    /// What filters look at of a request: its attributes, and its own values as the body.
    ///
    /// - Throws: `Failure` naming the attribute.
    init(_ request: NotificationRequest) throws(Failure) {
        var attributes: [String: Attribute] = [:]
        for (name, value) in request.attributes ?? [:] {
            attributes[name] = try Attribute(value, field: Schema.join("attributes", name))
        }
        let body = request.data.flatMap { try? JSONValue.object($0).json() }
        self.init(attributes: attributes, body: body.map { String(decoding: $0, as: UTF8.self) })
>>>>>>>> 880d9ca:server/Sources/MartletHTTP/REST/TopicMessage+Request.swift
    }
}
