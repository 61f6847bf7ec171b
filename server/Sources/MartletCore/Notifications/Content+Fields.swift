import Foundation
import MartletWire

extension Failure {
    /// The same refusal; that of a payload or an item over the limit names the request's field that is most likely at fault.
    package func naming(largestFieldOf content: Content) -> Failure {
        guard detail.field == "content" else { return self }
        var failure = self
        failure.detail.field = content.largestField
        return failure
    }
}

extension Content {
    /// The field of the request that a payload over the limit is most likely the fault of: the longest.
    fileprivate var largestField: String {
        let data = data.isEmpty ? 0 : (try? JSONValue.object(data).json().count) ?? 0
        let fields = [
            ("body", body?.utf8.count ?? 0), ("data", data), ("title", title?.utf8.count ?? 0),
            ("subtitle", subtitle?.utf8.count ?? 0), ("image", image?.utf8.count ?? 0),
            ("deep_link", deepLink?.utf8.count ?? 0),
        ]
        return fields.max { $0.1 < $1.1 }?.0 ?? "body"
    }
}
