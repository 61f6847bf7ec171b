import Foundation
package import MartletWire

extension TopicMessage {
    /// What filters look at of a request: its attributes, and its own values as the body.
    ///
    /// - Throws: `Failure` naming the attribute.
    package init(attributes: [String: JSONValue]?, data: [String: JSONValue]?) throws(Failure) {
        var found: [String: Attribute] = [:]
        for (name, value) in attributes ?? [:] {
            found[name] = try Attribute(value, field: FieldPath.join("attributes", name))
        }
        let body = data.flatMap { try? JSONValue.object($0).json() }
        self.init(attributes: found, body: body.map { String(decoding: $0, as: UTF8.self) })
    }
}
