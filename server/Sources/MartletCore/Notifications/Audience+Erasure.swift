extension Audience {
    /// What stands in the place of a user who was erased. No user has an id without a byte, and the others keep their
    /// places, by which an audience is read.
    package static let erasedUser = ""

    /// The audience without a user's name; `nil` where it does not name them. A pure value.
    package func erasing(_ user: String) -> Audience? {
        guard case .users(let ids) = self, ids.contains(where: { User.isSame($0, user) }) else { return nil }
        return .users(ids.map { User.isSame($0, user) ? Audience.erasedUser : $0 })
    }

    /// Whether it named users, and all of them were erased.
    package var isErased: Bool {
        guard case .users(let ids) = self else { return false }
        return ids.allSatisfy(\.isEmpty)
    }
}
