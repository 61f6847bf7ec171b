public import MartletWire

/// Categories.
public protocol CategoryStore: Sendable {
    /// Makes a category.
    ///
    /// - Throws: `Failure` with ``ErrorCode/conflict`` when the key is taken, naming `key` when the app has
    ///   ``Category/limit`` already.
    func createCategory(_ request: CategoryRequest, of app: RowID<App>, actor: String) async throws -> Category

    /// An app's categories, by position and age; archived ones too.
    func categories(of app: RowID<App>) async throws -> [Category]

    /// Changes a category. A change of what holds by default is recorded as a preference change of nobody.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    func updateCategory(_ category: RowID<Category>, _ change: CategoryUpdate, actor: String) async throws -> Category
}

/// What people want.
public protocol PreferenceStore: Sendable {
    /// What a person chose; nothing for who is not known.
    func preferences(of user: String, _ app: RowID<App>) async throws -> UserPreferences

    /// Changes what people chose, field by field, in one transaction; says what became of each, by position. Each choice
    /// that differs is recorded.
    func changePreferences(
        _ drafts: [PreferencesDraft],
        of app: RowID<App>,
        actor: String
    ) async throws -> [Result<UserPreferences, Failure>]

    /// A person's changes, newest first; a page's key is a change's number.
    func preferenceHistory(of user: String, _ app: RowID<App>, _ page: PageRequest) async throws -> Page<
        PreferenceChange
    >

    /// Forgets what a person chose, read and did. Their notifications and what was recorded of deliveries no longer name
    /// them; what was for nobody else goes with what it said. Their devices are removed with the devices' subscriptions, or
    /// kept as nobody's. A notification that is open reaches them no more,
    /// and makes them anew as little.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when neither a user nor a notification has the name.
    func eraseUser(_ user: String, of app: RowID<App>, keepsDevices: Bool) async throws
}

extension PreferenceStore {
    /// Forgets a person, and removes their devices.
    public func eraseUser(_ user: String, of app: RowID<App>) async throws {
        try await eraseUser(user, of: app, keepsDevices: false)
    }
}
