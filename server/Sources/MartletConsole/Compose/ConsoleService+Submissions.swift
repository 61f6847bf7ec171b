import Foundation
import MartletCore
import MartletStore
import MartletWire

/// From what a form asks for to what is sent.
extension ConsoleService {
    /// The app that a form is about; the only one, where there is one and none is named.
    func composeApp(_ form: ComposeForm) async throws -> App? {
        if let text = form.text(.app) {
            let selector = PublicID(text).map(AppSelector.id) ?? .name(text)
            guard let app = try await store.app(selector) else { throw Failure.notFound("app").atApp }
            return app
        }
        let apps = try await store.apps(PageRequest(count: 2)).items
        return apps.count == 1 ? apps[0] : nil
    }

    /// The app that a form is about.
    ///
    /// - Throws: `Failure` where none is chosen.
    func requiredApp(_ form: ComposeForm, _ texts: Texts) async throws -> App {
        guard let app = try await composeApp(form) else {
            throw Failure.invalid("app", texts["compose.app_missing"])
        }
        return app
    }

    /// What a request asks for.
    ///
    /// - Throws: `Failure` naming the form's field.
    func submission(_ request: NotificationRequest, app: App) async throws -> Submission {
        do {
            let topic = try await composeTopic(request.audience.topic, app: app)
            let category = try await composeCategory(request.category, app: app)
            return try Submission(request, app: app, topic: topic, category: category, now: clock.now())
        } catch let failure as Failure {
            throw failure.atComposeField
        }
    }

    /// The topic by its id or name: the app's own, or else the server's.
    func composeTopic(_ text: String?, app: App) async throws -> Topic? {
        guard let text else { return nil }
        let selectors: [TopicSelector] =
            if let id = PublicID(text) {
                [.id(id)]
            } else {
                [.name(text, app: app.row, region: settings.region), .name(text, app: nil, region: settings.region)]
            }
        for selector in selectors {
            guard let topic = try await store.topic(selector), topic.app == nil || topic.app == app.row else {
                continue
            }
            return topic
        }
        throw Failure(
            .notFound,
            "There is no such topic.",
            hint: "Its name or its id is wanted.",
            field: "audience.topic"
        )
    }

    private func composeCategory(_ key: String?, app: App) async throws -> MartletCore.Category? {
        guard let key else { return nil }
        let found = try await store.categories(of: app.row).first { $0.key == key && $0.archivedAt == nil }
        guard let found else { throw Failure.invalid("category", "The app has no such category.") }
        return found
    }

    /// Writes down who sent what; a repeated request where that was left out, because the server stopped between the two.
    func record(_ submitted: Submitted, _ submission: Submission, people: Int, _ call: ConsoleCall) async throws {
        if submitted.isRepeated, try await sender(of: submitted.id) != nil { return }
        var after: [String: JSONValue] = [
            "audience": .string(submission.audience.word), "class": .string(submission.class.rawValue),
            "people": .integer(Int64(people)),
        ]
        if let count = submission.audience.count { after["named"] = .integer(Int64(count)) }
        if let sendAt = submission.sendAt { after["send_at"] = .string(UTCTime(sendAt).description) }
        try await noteChange(
            .sendNotification,
            of: .notification(submitted.id),
            by: call,
            app: submission.app.row,
            after: .object(after)
        )
    }

    /// Who sent a notification from the console, or `nil`.
    func sender(of id: PublicID) async throws -> AuditActor? {
        let filter = AuditFilter(action: .sendNotification, subject: .notification(id))
        return try await store.auditEntries(filter, PageRequest(count: 1)).items.first?.actor
    }
}

extension Failure {
    fileprivate var atApp: Failure {
        var failure = self
        failure.detail.field = "app"
        return failure
    }
}

extension Audience {
    /// The kind in a word, for the log.
    var word: String {
        switch self {
        case .users: "users"
        case .endpoints: "endpoints"
        case .tokens: "tokens"
        case .all: "all"
        case .topic(let topic): "topic \(topic.name)"
        }
    }
}
