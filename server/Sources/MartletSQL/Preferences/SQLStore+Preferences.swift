public import MartletCore

extension SQLStore {
    public func createCategory(_ draft: CategoryDraft, of app: RowID<App>, actor: String) async throws
        -> MartletCore.Category
    { throw Failure.notFound("category") }
    public func categories(of app: RowID<App>) async throws -> [MartletCore.Category] { [] }
    public func updateCategory(_ category: RowID<MartletCore.Category>, _ change: CategoryChange, actor: String)
        async throws -> MartletCore.Category
    { throw Failure.notFound("category") }
    public func preferences(of user: String, _ app: RowID<App>) async throws -> UserPreferences { UserPreferences() }
    public func changePreferences(_ drafts: [PreferencesDraft], of app: RowID<App>, actor: String) async throws
        -> [Result<UserPreferences, Failure>]
    { [] }
    public func preferenceHistory(of user: String, _ app: RowID<App>, _ page: PageRequest) async throws -> Page<
        PreferenceChange
    > { throw Failure.notFound("user") }
    public func eraseUser(_ user: String, of app: RowID<App>) async throws { throw Failure.notFound("user") }
}
