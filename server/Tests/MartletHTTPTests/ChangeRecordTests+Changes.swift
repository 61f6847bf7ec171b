import MartletWire

extension ChangeRecordTests {
    /// All changes there are, in an order in which each is possible.
    static let changes = apps + keys + operators + topics + notifications + work + people

    private static let apps = [
        Change("POST /api/v1/apps", "apps", ["name": "com.example.third"], "app.create"),
        Change(
            "PATCH /api/v1/apps/{app}",
            "apps/com.example.third",
            ["identity": ["issuer": "https://a.example.com", "audience": "b", "secret": .string(Harness.userSecret)]],
            "app.update"
        ),
        Change(
            "PUT /api/v1/apps/{app}/credentials",
            "apps/com.example.third/credentials",
            [
                "platform": "apns", "p8": .string(ChangeThings.pem), "key_id": "ABCD123456", "team_id": "TEAM123456",
                "bundle_id": "com.example.third",
            ],
            "credential.store"
        ),
        Change(
            "DELETE /api/v1/apps/{app}/credentials/{platform}/{environment}",
            "apps/com.example.third/credentials/apns/sandbox",
            "credential.delete"
        ),
        Change("DELETE /api/v1/apps/{app}", "apps/com.example.third", "app.delete"),
        Change(
            "DELETE /api/v1/apps/{app}/pauses/{platform}/{environment}",
            "apps/com.example.app/pauses/apns/production",
            "queue.resume"
        ),
        Change(
            "POST /api/v1/categories",
            "categories",
            ["app": "com.example.app", "key": "offers"],
            "category.create"
        ),
        Change(
            "PATCH /api/v1/categories/{key}",
            "categories/offers?app=com.example.app",
            ["names": ["en": "Offers"]],
            "category.update"
        ),
        Change("DELETE /api/v1/categories/{key}", "categories/offers?app=com.example.app", "category.archive"),
    ]

    private static let keys = [
        Change(
            "POST /api/v1/keys",
            "keys",
            ["scope": "send", "name": "worker", "app": "com.example.app"],
            "key.create"
        ),
        Change("DELETE /api/v1/keys/{id}", "keys/{key}", "key.revoke"),
        Change("POST /api/v1/access-keys", "access-keys", ["name": "worker"], "access_key.create"),
        Change("DELETE /api/v1/access-keys/{access_key_id}", "access-keys/{access_key}", "access_key.revoke"),
    ]

    private static let operators = [
        Change(
            "POST /api/v1/operators/invitations",
            "operators/invitations",
            ["name": "bea", "role": "viewer"],
            "operator.invite"
        ),
        Change("PATCH /api/v1/operators/{id}", "operators/{operator}", ["role": "sender"], "operator.update"),
        Change("DELETE /api/v1/operators/sessions/{id}", "operators/sessions/{session}", "session.end"),
    ]

    private static let topics = [
        Change("POST /api/v1/topics", "topics", ["name": "alerts"], "topic.create", isAdmin: false),
        Change("PATCH /api/v1/topics/{topic}", "topics/alerts", ["tags": ["a": "b"]], "topic.update", isAdmin: false),
        Change(
            "POST /api/v1/topics/{topic}/subscriptions",
            "topics/alerts/subscriptions",
            ["user_id": "a"],
            "subscription.create",
            isAdmin: false
        ),
        Change(
            "PATCH /api/v1/subscriptions/{id}",
            "subscriptions/{subscription}",
            ["filter_policy": ["line": ["4"]]],
            "subscription.update",
            isAdmin: false
        ),
        Change(
            "DELETE /api/v1/subscriptions/{id}",
            "subscriptions/{subscription}",
            "subscription.delete",
            isAdmin: false
        ),
        Change(
            "POST /api/v1/topics/{topic}/subscriptions/batch",
            "topics/alerts/subscriptions/batch",
            ["subscriptions": [["user_id": "b"]]],
            "subscription.import",
            isAdmin: false
        ),
        Change(
            "PUT /api/v1/users/{user}/subscriptions",
            "users/c/subscriptions",
            ["topics": ["alerts"]],
            "subscription.update_many",
            isAdmin: false
        ),
        Change(
            "DELETE /api/v1/users/{user}/subscriptions/{topic}",
            "users/c/subscriptions/alerts",
            "subscription.delete",
            isAdmin: false
        ),
        Change("DELETE /api/v1/topics/{topic}", "topics/alerts", "topic.delete", isAdmin: false),
    ]

    private static let notifications = [
        Change(
            "POST /api/v1/notifications",
            "notifications",
            ["audience": ["users": ["a", "b"]], "title": .string(ChangeThings.text)],
            "notification.send",
            isAdmin: false
        ),
        Change(
            "POST /api/v1/notifications/batch",
            "notifications/batch",
            [
                "notifications": [
                    ["audience": ["users": ["a"]], "title": .string(ChangeThings.text)],
                    ["audience": ["users": ["b"]], "title": .string(ChangeThings.text)],
                ]
            ],
            "notification.send_batch",
            isAdmin: false
        ),
        Change(
            "POST /api/v1/notifications/batch",
            "notifications/batch",
            ["notifications": [["audience": ["users": ["a"]], "title": .string(ChangeThings.text)]]],
            "notification.send_batch",
            isAdmin: false
        ),
        Change("DELETE /api/v1/notifications/{id}", "notifications/{later}", "notification.cancel", isAdmin: false),
        Change(
            "POST /api/v1/notifications/{id}/recall",
            "notifications/{item}/recall",
            "notification.recall",
            isAdmin: false
        ),
        Change(
            "POST /api/v1/notifications/{id}/resend",
            "notifications/{missed}/resend",
            [:],
            "notification.send",
            isAdmin: false
        ),
    ]

    private static let work = [
        Change(
            "POST /api/v1/dead-letters/{id}/retry",
            "dead-letters/{letter}/retry",
            "dead_letter.retry",
            isAdmin: false
        ),
        Change("POST /api/v1/quarantine/{id}/retry", "quarantine/{work}/retry", "quarantine.retry", isAdmin: false),
        Change(
            "POST /api/v1/webhook-dead-letters/{id}/retry",
            "webhook-dead-letters/{webhook}/retry",
            "webhook_dead_letter.retry"
        ),
    ]

    private static let people = [
        Change(
            "POST /api/v1/preferences/batch",
            "preferences/batch",
            ["users": [["user_id": "a", "master": ["push": false]]]],
            "preferences.update_many",
            isAdmin: false
        ),
        Change(
            "PATCH /api/v1/users/{user}/preferences",
            "users/a/preferences",
            ["master": ["push": true]],
            "preferences.update",
            isAdmin: false
        ),
        Change(
            "POST /api/v1/devices/batch",
            "devices/batch",
            ["devices": [["token": .string(Harness.token), "user_id": "c"]]],
            "device.import",
            isAdmin: false
        ),
        Change("PATCH /api/v1/devices/{id}", "devices/{device}", ["is_active": false], "device.update", isAdmin: false),
        Change("DELETE /api/v1/devices/{id}", "devices/{device}", "device.delete", isAdmin: false),
        Change(
            "POST /api/v1/devices/batch/delete",
            "devices/batch/delete",
            ["ids": ["{spare}"]],
            "device.delete",
            isAdmin: false
        ),
        Change("DELETE /api/v1/endpoints/{id}", "endpoints/{endpoint}", "device.delete", isAdmin: false),
        Change("DELETE /api/v1/users/{user}", "users/a", "user.erase", isAdmin: false),
    ]
}
