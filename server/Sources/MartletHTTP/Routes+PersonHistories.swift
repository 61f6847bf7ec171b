import Hummingbird
import MartletCore
import MartletPipeline
import MartletWire

/// The part of the table that is about what happened to people.
extension MartletAPI {
    var personRoutes: [Route] {
        let user = ["user_id": "The customer's own id for the person.", "user": "The same; one of the two."]
            .map { QueryParameter(name: $0, schema: .userID, summary: $1) }
            .sorted { $0.name > $1.name }
        let timeline = [
            QueryParameter(name: "kind", schema: .words(of: TimelineKind.self), summary: "Only things of this kind."),
            QueryParameter(name: "since", schema: .time, summary: "Only those that happened then or later."),
            QueryParameter(name: "until", schema: .time, summary: "Only those that happened before then."),
            QueryParameter(
                name: "limit",
                schema: .integer(1...Int64(PersonHistory.limit)),
                summary: "How many at most; absent is \(PageLimit.usual)."
            ),
            .cursor,
        ]
        let text = QueryParameter(
            name: "q",
            schema: .string(limit: 4_096),
            summary:
                "The beginning of a user's id, a device's whole token, or an installation's id; absent lists the first people."
        )
        return [
            Route(
                .get,
                "/api/v1/people/search",
                .send,
                "Finds up to \(PersonSearch.limit) people by a user's id, a device's token or an installation, or lists the first.",
                query: [.app, text],
                respond: searchPeople
            ),
            Route(
                .get,
                "/api/v1/notifications/{id}/why",
                .send,
                "Says why a notification came to a person, or did not.",
                query: user,
                respond: explain
            ),
            Route(
                .get,
                "/api/v1/users/{user}/timeline",
                .send,
                "Lists what happened to a person, newest first. Each page looks at up to 500 of the app's notifications "
                    + "and 20,000 of its events: one that has fewer items than asked for can have a 'next'.",
                query: [.app] + timeline,
                respond: showTimeline
            ),
        ]
    }
}
