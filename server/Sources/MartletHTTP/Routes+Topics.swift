import Hummingbird
import MartletWire

/// The part of the table of contents that is about topics.
extension MartletAPI {
    /// Topics.
    var topicRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/topics",
                .send,
                "Creates a topic, or returns the one of that name.",
                statuses: [.created, .ok],
                respond: createTopic
            ),
            Route(
                .get,
                "/api/v1/topics",
                .send,
                "Lists topics, oldest first.",
                query: [.app] + QueryParameter.page,
                respond: listTopics
            ),
            Route(
                .get,
                "/api/v1/topics/{topic}",
                .send,
                "Shows a topic, by id or name.",
                query: [.app],
                respond: showTopic
            ),
            Route(
                .patch,
                "/api/v1/topics/{topic}",
                .send,
                "Changes a topic's attributes or tags.",
                query: [.app],
                respond: updateTopic
            ),
            Route(
                .delete,
                "/api/v1/topics/{topic}",
                .send,
                "Deletes a topic with its subscriptions; what was accepted for it is still delivered.",
                query: [.app],
                statuses: [.noContent],
                respond: deleteTopic
            ),
        ]
    }

    /// Who is subscribed to them.
    var subscriptionRoutes: [Route] {
        [
            Route(
                .post,
                "/api/v1/topics/{topic}/subscriptions",
                .send,
                "Subscribes a user or an endpoint, or returns their subscription.",
                query: [.app],
                statuses: [.created, .ok],
                respond: subscribe
            ),
            Route(
                .get,
                "/api/v1/topics/{topic}/subscriptions",
                .send,
                "Lists a topic's subscriptions, oldest first.",
                query: [.app] + QueryParameter.page,
                respond: listSubscriptions
            ),
            Route(.get, "/api/v1/subscriptions/{id}", .send, "Shows a subscription.", respond: showSubscription),
            Route(
                .patch,
                "/api/v1/subscriptions/{id}",
                .send,
                "Changes which messages a subscription gets.",
                respond: updateSubscription
            ),
            Route(
                .delete,
                "/api/v1/subscriptions/{id}",
                .send,
                "Ends a subscription.",
                statuses: [.noContent],
                respond: unsubscribe
            ),
        ]
    }
}
