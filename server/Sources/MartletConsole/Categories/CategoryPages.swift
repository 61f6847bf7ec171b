import HTTPTypes
import MartletCore
import MartletStore
import MartletWire

/// Categories of an app: made, changed, archived and taken back. None is deleted, because what was sent names it.
extension ConsoleService {
    var categoryRoutes: [ConsoleRoute] {
        [
            .get("/categories", .read) { call in .page(try await categoriesPage(call)) },
            .post("/categories", .configure, createCategory),
            .get("/categories/{app}/{key}", .read) { call in .page(try await categoryPage(call)) },
            .post("/categories/{app}/{key}", .configure, updateCategory),
            .post("/categories/{app}/{key}/archive", .configure, archiveCategory),
        ]
    }

    // MARK: All of an app

    /// An app has at most ``Category/limit`` of them: one page has all.
    private func categoriesPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        var choice = try await appChoice(call.form["app"] ?? call.query["app"])
        if choice.chosen == nil { choice.chosen = choice.apps.first }
        let categories = if let app = choice.chosen { try await store.categories(of: app.row) } else { [Category]() }
        let words = CategoryWords(texts: call.texts)
        let (live, archived) = (categories.filter { $0.archivedAt == nil }, categories.filter { $0.archivedAt != nil })
        var values: PageValues = [
            "app_options": choice.values, "has_apps": !choice.apps.isEmpty, "has_many_apps": choice.apps.count > 1,
            "app_id_chosen": choice.chosen?.id.description ?? "", "app_name_chosen": choice.chosen?.name ?? "",
            "categories": live.compactMap { row in choice.chosen.map { words.values(of: row, $0) } },
            "has_categories": !live.isEmpty,
            "archived": archived.compactMap { row in choice.chosen.map { words.values(of: row, $0) } },
            "has_archived": !archived.isEmpty, "is_new": true, "form_open": failure != nil,
            "form_address": "/console/categories", "may_write": call.may(.configure),
            "form_key": call.form["key"] ?? "",
        ]
        values.merge(CategoryForm(call.form).values(call.texts)) { $1 }
        values.show(failure, call.texts)
        return Page(
            template: "categories",
            part: .categories,
            title: call.texts["nav.categories"],
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    private func createCategory(_ call: ConsoleCall) async throws -> ConsoleReply {
        do {
            guard let name = call.form["app"] else { throw Failure.invalid("app", call.texts["categories.no_app"]) }
            let app = try await app(named: name)
            let draft = try CategoryForm(call.form).draft(key: call.form["key"] ?? "", texts: call.texts)
            try draft.validate()
            let made = try await store.createCategory(draft, of: app.row, actor: call.owner().changeActor)
            try await noteChange(
                "category.create",
                of: AuditSubject("category", made.key),
                by: call,
                app: app.row,
                after: made.audited
            )
            return .redirect("/console/categories?app=\(app.id)&done=category_made")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await categoriesPage(call, failure: failure))
        }
    }

    // MARK: One

    /// The category of the path and its app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound``.
    private func category(of call: ConsoleCall) async throws -> (Category, App) {
        let app = try await app(named: call.parameter("app"))
        let key = call.parameter("key")
        guard let found = try await store.categories(of: app.row).first(where: { $0.key == key }) else {
            throw Failure.notFound("category")
        }
        return (found, app)
    }

    private func categoryPage(_ call: ConsoleCall, failure: Failure? = nil) async throws -> Page {
        let (category, app) = try await category(of: call)
        let words = CategoryWords(texts: call.texts)
        let address = words.address(of: category, app)
        let form = failure == nil ? CategoryForm(category) : CategoryForm(call.form)
        var values: PageValues = [
            "is_new": false, "form_address": address, "archive_address": "\(address)/archive",
            "app_id_chosen": app.id.description, "app_name_chosen": app.name, "may_write": call.may(.configure),
            "audit_address": "/console/audit?"
                + Link.query(["subject": "category", "id": category.key, "app": app.id.description]),
            "compose_address": "/console/compose?" + Link.query(["app": app.id.description, "category": category.key]),
        ]
        values.merge(words.values(of: category, app)) { $1 }
        values.merge(form.values(call.texts)) { $1 }
        values.show(failure, call.texts)
        return Page(
            template: "category",
            part: .categories,
            title: words.name(of: category),
            values: values,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    private func updateCategory(_ call: ConsoleCall) async throws -> ConsoleReply {
        let (category, app) = try await category(of: call)
        do {
            let change = try CategoryForm(call.form).change(texts: call.texts)
            try await self.change(category, of: app, change, "category.update", call)
            return .redirect(CategoryWords(texts: call.texts).address(of: category, app) + "?done=category_saved")
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await categoryPage(call, failure: failure))
        }
    }

    private func archiveCategory(_ call: ConsoleCall) async throws -> ConsoleReply {
        let (category, app) = try await category(of: call)
        let isArchived = call.form["archived"] == "yes"
        var change = CategoryUpdate()
        change.isArchived = isArchived
        try await self.change(category, of: app, change, isArchived ? "category.archive" : "category.update", call)
        let done = isArchived ? "category_archived" : "category_restored"
        return .redirect("/console/categories?app=\(app.id)&done=\(done)")
    }

    private func change(
        _ category: Category,
        of app: App,
        _ change: CategoryUpdate,
        _ action: AuditAction,
        _ call: ConsoleCall
    ) async throws {
        let changed = try await store.updateCategory(category.row, change, actor: call.owner().changeActor)
        try await noteChange(
            action,
            of: AuditSubject("category", category.key),
            by: call,
            app: app.row,
            before: category.audited,
            after: changed.audited
        )
    }
}

extension Category {
    /// What the audit log shows of it.
    fileprivate var audited: JSONValue {
        [
            "names": .object(names.mapValues(JSONValue.string)), "default": defaults.audited,
            "required": .array(ChannelName.allCases.filter(required.contains).map { .string($0.rawValue) }),
            "bypass_quiet_hours": .bool(bypassesQuietHours), "exempt_from_caps": .bool(isExemptFromCaps),
            "position": .integer(Int64(position)), "is_archived": .bool(archivedAt != nil),
        ]
    }
}
