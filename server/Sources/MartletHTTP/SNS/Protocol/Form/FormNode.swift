/// A part of a form's tree: what stands at a name, and what stands below it.
///
/// `Tags.member.1.Key=k` is the value `k` of `Key` below `1` below `member` below `Tags`.
struct FormNode: Hashable, Sendable {
    /// What was sent under this name itself.
    var value: String?
    /// What was sent under names that begin with this one and a dot. The names are ASCII.
    var members: [String: FormNode] = [:]

    /// Puts a value below this node; false when there is one already.
    mutating func insert(_ value: String, at names: ArraySlice<Substring>) -> Bool {
        guard let name = names.first else {
            guard self.value == nil else { return false }
            self.value = value
            return true
        }
        return members[String(name), default: FormNode()].insert(value, at: names.dropFirst())
    }
}
