/// A person as the customer's own backend knows them: one user, many endpoints.
public struct User: Sendable, Hashable {
    /// The key inside the store.
    public var row: RowID<User>
    /// Whose user it is.
    public var app: RowID<App>
    /// The customer's own id for the person.
    public var id: String

    package init(row: RowID<User>, app: RowID<App>, id: String) {
        self.row = row
        self.app = app
        self.id = id
    }

    /// Checks a user id: 1 to 256 bytes of text without control characters.
    ///
    /// The length is ours: long enough for an e-mail address (254) and short enough for an index.
    public static func validate(id: String, field: String) throws(Failure) {
        guard (1...256).contains(id.utf8.count), !id.hasControlCharacters else {
            throw .invalid(field, "A user id has 1 to 256 bytes and no control characters.")
        }
    }

    /// Whether two user ids are one. By their bytes, as the store compares them: Swift's `==` takes texts for equal that
    /// Unicode does, and "é" can be written in two ways.
    package static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
