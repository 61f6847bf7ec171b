import MartletCore
import MartletWire

/// A message by which filters are tried, as it was typed. A pure value.
struct FilterTrialForm: Sendable {
    /// The attributes as a JSON object.
    var attributes: String?
    /// The body as JSON.
    var body: String?

    init(_ form: FormValues) { (attributes, body) = (form["attributes"], form["body"]) }

    /// The message; `nil` where nothing was typed.
    ///
    /// - Throws: `Failure` naming `attributes` or `body`.
    func message() throws(Failure) -> TopicMessage? {
        guard attributes != nil || body != nil else { return nil }
        var found: [String: TopicMessage.Attribute] = [:]
        for (name, value) in try Self.object(attributes, "attributes") {
            found[name] = try TopicMessage.Attribute(value, field: "attributes")
        }
        _ = try Self.object(body, "body")
        let message = TopicMessage(attributes: found, body: body)
        try message.validate()
        return message
    }

    private static func object(_ text: String?, _ field: String) throws(Failure) -> [String: JSONValue] {
        guard let text else { return [:] }
        guard let members = (try? JSONReader.read(Array(text.utf8)))?.objectValue else {
            throw .invalid(field, "It is not a JSON object.", hint: #"Write it as {"city": "Osaka", "price": 12}."#)
        }
        return members
    }

    var values: PageValues { ["try_attributes": attributes ?? "", "try_body": body ?? ""] }

    /// The options of a select field for what a policy is about.
    static func scopes(_ chosen: String?, _ texts: Texts) -> PageValues {
        [
            "scopes": FilterScopeName.allCases.map { scope in
                [
                    "scope": scope.rawValue, "scope_name": texts["topics.scope.\(scope.rawValue)"],
                    "scope_chosen": scope.rawValue == chosen,
                ] as PageValues
            }
        ]
    }

    /// The filter that a form gives; `nil` where it gives none, and all messages come.
    ///
    /// - Throws: `Failure` naming `filter`: what a policy looks like, with what is wrong with this one in Amazon's words.
    static func filter(_ form: FormValues, _ texts: Texts) throws(Failure) -> SubscriptionFilter? {
        guard let text = form["filter"] else { return nil }
        let scope = form["scope"].flatMap(FilterScopeName.init(rawValue:)) ?? .attributes
        do throws(Failure) {
            return try SubscriptionFilter.checked(text, scope: scope)
        } catch {
            throw Failure(error.code, texts["topics.filter_wrong"], hint: error.detail.message, field: "filter")
        }
    }
}
