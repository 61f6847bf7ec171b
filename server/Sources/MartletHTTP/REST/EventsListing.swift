import MartletCore
import MartletStore
import MartletWire

/// What is asked of the events: lists of them, and queries in SQL.
extension MartletAPI {
    func listEvents(_ call: Call) async throws -> List<EventItem> {
        var filter = EventFilter(app: try await optionalApp(call.query("app"), for: call.caller)?.row)
        filter.type = call.query("type").flatMap(EventType.init(rawValue:))
        filter.messageID = call.query("message_id")
        filter.user = call.query("user_id")
        filter.since = call.time("since")
        filter.until = call.time("until")
        var page = try call.page()
        let after = call.number("after")
        let newest = call.number("newest")
        guard after == nil || newest == nil else {
            throw Failure.invalid("newest", "It cannot be combined with 'after'.", hint: "Send one of the two.")
        }
        // A cursor goes on from where the first page, which had one of them, ended.
        page.after = page.after ?? after
        filter.newest = newest.map { Int($0) }
        let found = try await store.events(filter, page)
        let ids = try await appIDs(of: found.items.map(\.app))
        // An app that is deleted in this moment has no id any more.
        return call.list(found) { EventItem($0, app: ids[$0.app] ?? PublicID(high: 0, low: 0)) }
    }

    func queryEvents(_ request: EventQueryRequest, _ call: Call) async throws -> Reply<EventTable> {
        let app = try await optionalApp(request.app, for: call.caller)
        let limit = request.limit ?? EventQuery.usualRows
        let table = try await store.query(EventQuery(sql: request.sql, app: app?.row, rowLimit: limit))
        return Reply(table)
    }
}

extension EventItem {
    fileprivate init(_ event: Event, app: PublicID) {
        let draft = event.draft
        self.init(
            position: event.row,
            appID: app,
            type: draft.type,
            time: UTCTime(event.time.time),
            receivedAt: UTCTime(event.receivedAt),
            platform: draft.platform
        )
        eventID = draft.eventID
        clientTime = event.time.refused.map(UTCTime.init)
        messageID = draft.messageID
        campaignID = draft.campaignID
        userID = draft.user
        value = draft.value
        fcmToken = draft.fcmToken
        apnsToken = draft.apnsToken
        installationID = draft.installation
        deviceModel = draft.deviceModel
        osVersion = draft.osVersion
        appVersion = draft.appVersion
    }
}

extension EventCountsResponse {
    /// The counts of one notification.
    init(_ counts: EventCounts?) {
        let counts = counts ?? EventCounts()
        self.init(
            deliveries: counts[.delivery],
            opens: counts[.open],
            dismissals: counts[.dismiss],
            links: counts[.linkOpen],
            deeplinks: counts[.deeplinkOpen]
        )
    }
}
