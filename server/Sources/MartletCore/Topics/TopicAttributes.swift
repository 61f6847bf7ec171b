extension [String: String?] {
    /// What is set about a topic of the server's own: under a name that the SNS interface knows what that would take, with
    /// nothing in place of an empty text; other names are the operator's own.
    ///
    /// - Throws: `Failure` naming `attributes.NAME`.
    package func checkedForSNS(isFIFO: Bool) throws(Failure) -> [String: String?] {
        var checked = self
        for (name, value) in self {
            guard let attribute = TopicAttribute(name), let value else { continue }
            guard attribute != .fifoTopic else {
                throw .invalid("attributes.\(name)", "It cannot be set: a topic's name decides it.")
            }
            do throws(AttributeRefusal) {
                let kept = try attribute.checked(value, isFIFO: isFIFO)
                checked.updateValue(kept.isEmpty ? nil : kept, forKey: name)
            } catch {
                throw .invalid("attributes.\(name)", error.reason)
            }
        }
        return checked
    }
}
