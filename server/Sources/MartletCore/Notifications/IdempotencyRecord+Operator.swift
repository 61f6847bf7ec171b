import Crypto
package import Foundation

extension IdempotencyRecord {
    /// What makes a form of the console that is sent twice the same request.
    ///
    /// - Parameters:
    ///   - once: the form's own random text.
    ///   - document: what it asks for; equal requests are equal bytes.
    package init(sentBy owner: Operator, once: String, route: String, document: Data) {
        self.init(
            // No key has this row: operators' records are told apart by their ids.
            key: RowID(0),
            route: route,
            value: "\(owner.id) \(once)",
            bodyHash: SecretHash(bytes: Array(SHA256.hash(data: document)))
        )
    }

    /// Whose form it is: the values of their records begin with it and a space.
    package var owner: String { String(value.prefix { $0 != " " }) }
}
