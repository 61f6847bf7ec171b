import MartletCore
import MartletStore
import MartletWire

/// Categories: made, shown, changed and archived by administrators. None is deleted, because what was sent names it.
extension MartletAPI {
    func createCategory(_ request: CategoryRequest, _ call: Call) async throws -> Reply<CategoryResponse> {
        let app = try await app(request.app, for: call.caller)
        let made = try await store.createCategory(request, of: app.row, actor: call.caller.actor)
        let answer = CategoryResponse(made, of: app)
        await record("category.create", of: AuditSubject(made), by: call.caller, app: app.row, after: .shown(answer))
        return Reply(answer)
    }

    /// An app has at most ``Category/limit`` of them: one page has all.
    func listCategories(_ call: Call) async throws -> List<CategoryResponse> {
        let app = try await app(call.query("app"), for: call.caller)
        return List(try await store.categories(of: app.row).map { CategoryResponse($0, of: app) })
    }

    func showCategory(_ call: Call) async throws -> Reply<CategoryResponse> {
        let (category, app) = try await category(of: call)
        return Reply(CategoryResponse(category, of: app))
    }

    func updateCategory(_ request: CategoryUpdate, _ call: Call) async throws -> Reply<CategoryResponse> {
        let (category, app) = try await category(of: call)
        let changed = try await store.updateCategory(category.row, request, actor: call.caller.actor)
        await record("category.update", category, changed, of: app, by: call.caller)
        return Reply(CategoryResponse(changed, of: app))
    }

    func archiveCategory(_ call: Call) async throws -> Nothing {
        let (category, app) = try await category(of: call)
        guard category.archivedAt == nil else { throw Failure.notFound("category") }
        var change = CategoryUpdate()
        change.isArchived = true
        let changed = try await store.updateCategory(category.row, change, actor: call.caller.actor)
        await record("category.archive", category, changed, of: app, by: call.caller)
        return Nothing()
    }

    private func record(
        _ action: AuditAction,
        _ known: Category,
        _ changed: Category,
        of app: App,
        by caller: Caller
    ) async {
        await record(
            action,
            of: AuditSubject(known),
            by: caller,
            app: app.row,
            before: .shown(CategoryResponse(known, of: app)),
            after: .shown(CategoryResponse(changed, of: app))
        )
    }

    private func category(of call: Call) async throws -> (Category, App) {
        let key = try call.parameter("key")
        let app = try await app(call.query("app"), for: call.caller)
        guard let found = try await store.categories(of: app.row).first(where: { $0.key == key }) else {
            throw Failure.notFound("category")
        }
        return (found, app)
    }

    /// The category of a key that something is sent with or chosen for.
    ///
    /// - Throws: `Failure` naming the field for one that there is not, because a typing error must not bypass what people
    ///   chose, and for one that is archived.
    func category(_ key: String, of app: App, field: String) async throws -> Category {
        guard let found = try await store.categories(of: app.row).first(where: { $0.key == key }) else {
            throw Failure.invalid(
                field,
                "The app has no such category.",
                hint: "GET /api/v1/categories lists them; POST /api/v1/categories makes one."
            )
        }
        guard found.archivedAt == nil else {
            throw Failure.invalid(
                field,
                "The category is archived.",
                hint: "PATCH /api/v1/categories/\(found.key) with is_archived false takes it back."
            )
        }
        return found
    }
}

extension CategoryResponse {
    init(_ category: Category, of app: App) {
        self.init(
            appID: app.id,
            key: category.key,
            names: category.names,
            position: category.position,
            createdAt: UTCTime(category.createdAt)
        )
        self.default = category.defaults
        required = ChannelName.allCases.filter(category.required.contains)
        bypassQuietHours = category.bypassesQuietHours
        exemptFromCaps = category.isExemptFromCaps
        isArchived = category.archivedAt != nil
    }
}
