import MartletCore
import MartletPipeline
import MartletWire

/// What happened to people: why a notification came or did not, and all that is recorded of one person.
extension MartletAPI {
    func explain(_ call: Call) async throws -> Reply<WhyResponse> {
        let notification = try await notification(of: call)
        let names = ["user_id", "user"].filter { call.query($0) != nil }
        guard let name = names.first, let user = call.query(name) else {
            throw Failure(
                .malformedRequest,
                "Name the user: 'user_id' is missing.",
                hint: "Ask with ?user_id= and their id.",
                field: "user_id"
            )
        }
        guard names.count == 1 else {
            throw Failure.invalid("user", "The user is named twice.", hint: "Leave 'user' out.")
        }
        try User.validate(id: user, field: name)
        return Reply(WhyResponse(try await histories.why(notification, user: user)))
    }

    func showTimeline(_ call: Call) async throws -> List<TimelineItem> {
        let page = try call.page()
        let app = try await app(call.query("app"), for: call.caller)
        var filter = TimelineFilter(app: app.row, user: try call.parameter("user"))
        if let kind = call.query("kind").flatMap(TimelineKind.init(rawValue:)) { filter.kinds = [kind] }
        filter.since = call.time("since")
        filter.until = call.time("until")
        return call.list(try await histories.timeline(filter, page), TimelineItem.init)
    }

    private var histories: PersonHistory { PersonHistory(store: store, breakers: breakers, clock: clock) }
}

extension WhyResponse {
    fileprivate init(_ report: WhyReport) {
        let facts = report.facts
        let notification = facts.notification.id
        self.init(
            notificationID: notification,
            userID: facts.user,
            isInAudience: report.isInAudience,
            steps: report.steps,
            devices: facts.devices.map { DeliveryItem($0, notification: notification) },
            inbox: facts.found.map { InboxItemResponse($0) },
            summary: report.summary
        )
    }
}

extension TimelineItem {
    fileprivate init(_ entry: TimelineEntry) {
        self.init(
            at: UTCTime(entry.at),
            kind: entry.kind,
            what: entry.what,
            notificationID: entry.notification,
            endpointID: entry.endpoint,
            detail: entry.detail
        )
    }
}
