import Foundation
import MartletCore
import MartletStore
import MartletWire

/// What was sent, newest first.
extension ConsoleService {
    var notificationRoutes: [ConsoleRoute] {
        [
            .get("/notifications", .read) { call in .page(try await notificationList(call)) },
            .get("/notifications/{id}", .read) { call in .page(try await notificationPage(call)) },
            .get("/notifications/{id}/live", .read, liveNotification),
            .post("/notifications/{id}/cancel", .cancelOwn, cancelNotification),
            .post("/notifications/{id}/recall", .cancelOwn, recallNotification),
            .get("/notifications/{id}/missed", .read, missed),
            .get("/notifications/{id}/resend", .send, resendPage),
            .post("/notifications/{id}/resend", .send, resend),
        ]
    }

    private static let (listName, pageSize) = ("console notifications", 50)

    private func notificationList(_ call: ConsoleCall) async throws -> Page {
        let choice = try await appChoice(nil).choosing(call.query["app"])
        let apps = choice.apps
        let names = Dictionary(apps.map { ($0.row, $0) }) { first, _ in first }
        let filter = filter(call, choice.chosen)
        let found = try await store.notifications(.matching(filter), try page(call))
        var values: PageValues = [
            "q": call.query["q"] ?? "", "may_search": call.may(.readUnmasked), "many_apps": apps.count > 1,
            "app_options": choice.values,
            "states": NotificationStatus.allCases.map { state in
                Option(state.rawValue, call.texts["notifications.state.\(state.rawValue)"], chosen: call.query["state"])
                    .values
            },
            "since": call.query["since"] ?? "", "until": call.query["until"] ?? "",
            "rows": try await rows(found.items, names, call),
        ]
        let isFiltered = ["q", "app", "state", "since", "until", "cursor"].contains { call.query[$0] != nil }
        values["is_empty"] = found.items.isEmpty && !isFiltered
        values["found_none"] = found.items.isEmpty && isFiltered && found.next == nil
        values["found_none_yet"] = found.items.isEmpty && found.next != nil
        values.merge(.pager(next: found.next.map { Cursor.text(of: $0, list: Self.listName) }, call)) { $1 }
        return Page(
            template: "notifications",
            part: .notifications,
            title: call.texts["nav.notifications"],
            values: values
        )
    }

    private func filter(_ call: ConsoleCall, _ app: App?) -> NotificationFilter {
        var filter = NotificationFilter()
        filter.app = app?.row
        filter.state = call.query["state"].flatMap(NotificationStatus.init)
        filter.since = call.query["since"].flatMap(ViewerZone.day).map { Timestamp($0.begin) }
        // Who may not read the texts does not find out what stands in them.
        if call.may(.readUnmasked), let text = call.query["q"], text.utf8.count <= ContentSearch.limit {
            filter.search = ContentSearch(text)
        }
        return filter
    }

    /// Which part of the list is asked for: from the end of a day on, or after the page before.
    private func page(_ call: ConsoleCall) throws(Failure) -> PageRequest {
        if let cursor = call.query["cursor"] {
            return PageRequest(after: try Cursor.key(of: cursor, list: Self.listName), count: Self.pageSize)
        }
        let until = call.query["until"].flatMap(ViewerZone.day).map {
            NotificationIDs.firstKey(of: min(Timestamp($0.end), soon))
        }
        return PageRequest(after: until, count: Self.pageSize)
    }

    /// After which no notification was made; keys are made of times up to 2159 and no later.
    private var soon: Timestamp { clock.now() + .seconds(86_400) }

    /// What is sent is looked up in the queues that stand still, where there are any.
    private func rows(_ found: [MartletCore.Notification], _ apps: [RowID<App>: App], _ call: ConsoleCall) async throws
        -> [PageValues]
    {
        let paused = Set(try await store.pauses(.all).map(\.queue.app))
        var rows: [PageValues] = []
        for one in found {
            let mayWait = one.state == .sending && paused.contains(one.app)
            let pauses = mayWait ? try await store.pauses(.holding(one.row)) : []
            rows.append(row(one, pauses, app: apps[one.app], call))
        }
        return rows
    }

    private func row(_ notification: MartletCore.Notification, _ pauses: [Pause], app: App?, _ call: ConsoleCall)
        -> PageValues
    {
        let (counts, texts) = (notification.counts, call.texts)
        return [
            "address": "/console/notifications/\(notification.id)", "name": title(of: notification, call),
            "app_name": app?.name ?? "", "for_whom": texts.audience(notification.audience),
            "state_word": notification.stateWord(texts, pauses), "tone": notification.tone,
            "is_test": notification.isTest,
            "accepted": Texts.number(counts.accepted),
            "refused": Texts.number(counts.refused),
            "not_made": Texts.number(counts.notMade), "waiting": Texts.number(counts.pending),
            // The list is in the order in which they were asked for.
            "at": PageValues.time(notification.createdAt),
            "begins": (notification.beginsAt > notification.createdAt ? PageValues.time(notification.beginsAt) : nil)
                .asList,
        ]
    }

    /// What a notification is called: its title, or the beginning of its text.
    func title(of notification: MartletCore.Notification, _ call: ConsoleCall) -> String {
        let content = notification.content
        guard let text = [content.title, content.body].compactMap(\.self).first(where: \.isVisible) else {
            return call.texts["notifications.silent"]
        }
        let shown = call.shown(text)
        return shown.count > 120 ? shown.prefix(120) + "…" : shown
    }
}

extension String {
    /// Whether anything of it is seen, so that it can be a link.
    var isVisible: Bool {
        unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.generalCategory != .control
        }
    }
}

extension Timestamp {
    /// The moment of a date.
    init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded())) }
}
