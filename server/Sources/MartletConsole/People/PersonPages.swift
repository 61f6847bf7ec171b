import HTTPTypes
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// One person: what happened to them, why a notification came or did not, what they can read.
extension ConsoleService {
    var personRoutes: [ConsoleRoute] {
        [
            .get("/people/{app}/{user}", .read) { call in .page(try await timelinePage(call)) },
            .get("/people/{app}/{user}/why/{notification}", .read) { call in .page(try await whyPage(call)) },
            .get("/people/{app}/{user}/inbox", .read) { call in .page(try await inboxPage(call)) },
        ]
    }

    /// Whom the path names, whether anything is stored of them or not.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` for an app that there is not, and for what can be no user's id.
    func person(of call: ConsoleCall) async throws -> Person {
        let app = try await app(named: call.parameter("app"))
        let user = call.parameter("user")
        do { try User.validate(id: user, field: "user") } catch { throw Failure.notFound("user") }
        return Person(app: app, user: user)
    }

    /// Whom the path names.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` also when nothing is stored of them.
    func knownPerson(of call: ConsoleCall) async throws -> Person {
        let person = try await person(of: call)
        // Their devices' part of the timeline is read along an index by user.
        let filter = TimelineFilter(app: person.app.row, user: person.user, kinds: [.device])
        _ = try await store.timeline(filter, upTo: clock.now(), limit: 1)
        return person
    }

    /// A page about a person, with the way to the others about them.
    func personPage(
        _ template: String,
        _ tab: PersonTab,
        _ person: Person,
        _ call: ConsoleCall,
        _ values: PageValues,
        failure: Failure? = nil
    ) -> Page {
        let tabs = PersonTab.allCases.filter { $0 != .erase || call.may(.configure) }
        var all: PageValues = [
            "person_user": person.user, "person_app": person.app.name, "person_address": person.address,
            "app_address": "/console/apps/\(person.app.id)",
            "tabs": tabs.map { other in
                [
                    "tab_name": call.texts["people.tab.\(other.rawValue)"], "tab_current": other == tab,
                    "tab_address": person.address + other.path,
                ] as PageValues
            },
        ]
        all.merge(values) { $1 }
        all.show(failure, call.texts)
        return Page(
            template: template,
            part: .people,
            title: "\(person.user) · \(call.texts["people.tab.\(tab.rawValue)"])",
            values: all,
            status: failure?.code.consoleStatus ?? .ok
        )
    }

    // MARK: What happened

    private var histories: PersonHistory { PersonHistory(store: store, breakers: breakers, clock: clock) }

    private static let timelineList = "console people/timeline"

    private func timelinePage(_ call: ConsoleCall) async throws -> Page {
        let person = try await person(of: call)
        let kind = call.query["kind"].flatMap(TimelineKind.init(rawValue:))
        var filter = TimelineFilter(app: person.app.row, user: person.user)
        if let kind { filter.kinds = [kind] }
        let page = try call.listPage(Self.timelineList)
        let found = try await histories.timeline(filter, page)
        let devices = try await store.endpoints(person.app.row, user: person.user, PageRequest()).items
        let isUnmasked = call.may(.readUnmasked)
        var words = TimelineWords(texts: call.texts, isUnmasked: isUnmasked, devices: devices)
        words.categories = try await categoryNames(of: person.app, call.texts)
        if isUnmasked { words.titles = try await titles(of: Set(found.items.compactMap(\.notification))) }
        // Nothing is recorded yet of what waits, so that no timeline has it.
        let isFirst = page.after == nil && (kind == nil || kind == .delivery)
        let waiting = isFirst ? try await waiting(for: person, words) : []
        let isEmpty = found.items.isEmpty && waiting.isEmpty
        var values: PageValues = [
            "entries": waiting + found.items.map { words.values(of: $0, person) }, "has_entries": !isEmpty,
            "goes_on": isEmpty && found.next != nil, "is_over": isEmpty && found.next == nil,
            "kinds": TimelineKind.allCases.map { other in
                [
                    "kind": other.rawValue, "kind_name": call.texts["people.kind.\(other.rawValue)"],
                    "kind_chosen": other == kind,
                ] as PageValues
            },
        ]
        values.merge(call.pager(Self.timelineList, next: found.next)) { $1 }
        return personPage("person_timeline", .timeline, person, call, values)
    }

    /// What notifications say, for links to them. Each is found by its key, and a page names few.
    private func titles(of ids: Set<PublicID>) async throws -> [PublicID: String] {
        try await withThrowingTaskGroup(of: (PublicID, String?).self) { group in
            for id in ids {
                group.addTask {
                    let content = try await store.notification(id)?.content
                    return (id, content?.title ?? content?.body)
                }
            }
            return try await group.reduce(into: [:]) { titles, found in titles[found.0] = found.1 }
        }
    }

    /// The names of an app's categories by key.
    private func categoryNames(of app: App, _ texts: Texts) async throws -> [String: String] {
        let words = CategoryWords(texts: texts)
        let names = try await store.categories(of: app.row).map { ($0.key, words.name(of: $0)) }
        return Dictionary(names, uniquingKeysWith: { $1 })
    }

    private func whyPage(_ call: ConsoleCall) async throws -> Page {
        let person = try await person(of: call)
        let id = try call.id("notification", of: "notification")
        guard let notification = try await store.notification(id), notification.app == person.app.row else {
            throw Failure.notFound("notification")
        }
        let report = try await histories.why(notification, user: person.user)
        let devices = try await store.endpoints(person.app.row, user: person.user, PageRequest(count: 100)).items
        let words = WhyWords(texts: call.texts, devices: devices)
        var values = words.values(of: report)
        values["notification"] = id.description
        values["notification_address"] = "/console/notifications/\(id)"
        values["notification_title"] =
            call.payloadText(notification.content.title ?? notification.content.body) ?? call.texts["people.silent"]
        return personPage("person_why", .timeline, person, call, values)
    }

    // MARK: What they can read

    private static let inboxList = "console people/inbox"

    private func inboxPage(_ call: ConsoleCall) async throws -> Page {
        let person = try await knownPerson(of: call)
        let status = call.query["status"].flatMap(InboxStatusName.init(rawValue:)) ?? .active
        let owner = InboxOwner(app: person.app.row, user: person.user)
        let page = try call.listPage(Self.inboxList)
        let found = try await store.inbox(.list(status, category: nil), of: owner, page)
        let counts = try await store.inboxCounts(of: owner)
        let categories = try await categoryNames(of: person.app, call.texts)
        var values: PageValues = [
            "items": found.items.map { itemValues($0, person, categories, call) }, "has_items": !found.items.isEmpty,
            "unread": call.texts.counted("people.unread", counts.unread),
            "unseen": call.texts.counted("people.unseen", counts.unseen),
            "statuses": InboxStatusName.allCases.map { other in
                [
                    "status_value": other.rawValue, "status_name": call.texts["people.inbox.\(other.rawValue)"],
                    "status_chosen": other == status,
                ] as PageValues
            },
        ]
        values.merge(call.pager(Self.inboxList, next: found.next)) { $1 }
        return personPage("person_inbox", .inbox, person, call, values)
    }

    /// - Parameter categories: their names by key.
    private func itemValues(
        _ item: InboxItem,
        _ person: Person,
        _ categories: [String: String],
        _ call: ConsoleCall
    ) -> PageValues {
        let title = call.payloadText(item.content.title)
        let subtitle = call.payloadText(item.content.subtitle)
        let body = call.payloadText(item.content.body)
        return [
            "item_time": PageValues.time(item.publishedAt) as PageValues,
            "item_end": PageValues.time(item.expiresAt) as PageValues,
            "item_title": title ?? "", "has_title": title != nil, "item_body": body ?? "", "has_body": body != nil,
            "item_subtitle": subtitle ?? "", "has_subtitle": subtitle != nil,
            "item_category": item.category.map { categories[$0] ?? $0 } ?? "", "has_category": item.category != nil,
            "item_status": call.texts["people.item.\(item.status.name)"], "is_unread": !item.status.isRead,
            "item_address": "/console/notifications/\(item.id)",
            "item_why": "\(person.address)/why/\(item.id)",
        ]
    }
}

/// The pages about one person.
enum PersonTab: String, CaseIterable {
    case timeline, devices, preferences, inbox, erase

    /// Below the person's first page.
    var path: String { self == .timeline ? "" : "/\(rawValue)" }
}

extension InboxStatus {
    /// The status as a key of texts.
    fileprivate var name: String {
        if isArchived { return "archived" }
        if isRead { return "read" }
        return isSeen ? "seen" : "unseen"
    }
}
