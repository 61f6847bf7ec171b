import Foundation
package import MartletWire

extension TopicMessage {
    /// What filters look at of a request: its attributes, and its own values as the body.
    ///
    /// - Throws: `Failure` naming the attribute.
    package init(_ request: NotificationRequest) throws(Failure) {
        var attributes: [String: Attribute] = [:]
        for (name, value) in request.attributes ?? [:] {
            attributes[name] = try Attribute(value, field: FieldPath.join("attributes", name))
        }
        let body = request.data.flatMap { try? JSONValue.object($0).json() }
        self.init(attributes: attributes, body: body.map { String(decoding: $0, as: UTF8.self) })
    }
}
