import GRDB
import MartletTesting
import Testing

@testable import MartletSQLite
@testable import MartletStore

/// The statements that run for each delivery, batch or poll find their rows through an index and sort nothing.
@Suite struct QueryPlanTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        var name: String
        var sql: String
        var plan: [String]

        var testDescription: String { name }
    }

    static let expectations = [
        Expectation(
            name: "answers that need not be repeated",
            sql: SQL.oldIdempotency,
            plan: ["SEARCH idempotency USING COVERING INDEX idempotency_age (created_at<?)"]
        ),
        Expectation(
            name: "one answer that need not be repeated",
            sql: SQL.deleteIdempotency,
            plan: ["SEARCH idempotency USING PRIMARY KEY (key_id=? AND route=? AND value=?)"]
        ),
        Expectation(
            name: "FIFO messages that are old",
            sql: SQL.oldFIFOMessages,
            plan: ["SEARCH fifo_messages USING COVERING INDEX fifo_messages_age (published_at<?)"]
        ),
        Expectation(
            name: "one FIFO message that is old",
            sql: SQL.deleteFIFOMessage,
            plan: ["SEARCH fifo_messages USING PRIMARY KEY (topic_id=? AND deduplication=?)"]
        ),
        // Within an app a walk along the fan-outs of a state, in the order in which they are leased.
        Expectation(
            name: "apps with open fan-outs",
            sql: SQL.nextFanOutApp,
            plan: ["SEARCH fan_outs USING COVERING INDEX fan_outs_queue (state=? AND app_id>?)"]
        ),
        Expectation(
            name: "open fan-outs",
            sql: SQL.openFanOuts,
            plan: ["SEARCH fan_outs USING INDEX fan_outs_queue (state=? AND app_id=?)"]
        ),
        Expectation(
            name: "open fan-outs when an endpoint moves",
            sql: SQL.noteMove,
            plan: ["SEARCH fan_outs USING COVERING INDEX fan_outs_queue (state=? AND app_id=?)"]
        ),
        Expectation(
            name: "endpoints that moved",
            sql: SQL.movedEndpoints,
            plan: [
                "SEARCH m USING PRIMARY KEY (notification_id=? AND endpoint_id>?)",
                "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            ]
        ),
        Expectation(
            name: "subscribers of a topic",
            sql: SQL.subscribers,
            plan: [
                "SEARCH subscriptions USING INDEX subscriptions_subject (topic_id=? AND app_id=? AND kind=? AND subject_id>?)"
            ]
        ),
        Expectation(
            name: "subscribers of a policy",
            sql: SQL.subscribersOfPolicy,
            plan: [
                "SEARCH subscriptions USING COVERING INDEX subscriptions_policy "
                    + "(topic_id=? AND app_id=? AND kind=? AND policy_id=? AND subject_id>?)"
            ]
        ),
        Expectation(
            name: "one subject's subscription",
            sql: SQL.subjectSubscription,
            plan: [
                "SEARCH subscriptions USING INDEX subscriptions_subject (topic_id=? AND app_id=? AND kind=? AND subject_id=?)"
            ]
        ),
        Expectation(
            name: "apps of a topic's subscribers",
            sql: SQL.nextSubscribedApp,
            plan: ["SEARCH subscriptions USING COVERING INDEX subscriptions_subject (topic_id=? AND app_id>?)"]
        ),
        Expectation(
            name: "policies of a topic",
            sql: SQL.policies,
            plan: ["SEARCH filter_policies USING INDEX filter_policies_topic (topic_id=? AND rowid>?)"]
        ),
        Expectation(
            name: "open fan-outs when a subscription changes",
            sql: SQL.noteSubscriptionChange,
            plan: ["SEARCH topic_fan_outs USING COVERING INDEX topic_fan_outs_topic (topic_id=?)"]
        ),
        Expectation(
            name: "stale endpoints",
            sql: SQL.staleEndpoints,
            plan: ["SEARCH endpoints USING INDEX endpoints_age (registered_at<?)"]
        ),
        Expectation(
            name: "endpoints of nobody",
            sql: SQL.anonymousEndpoints,
            plan: ["SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id=? AND id>?)"]
        ),
        Expectation(
            name: "endpoints by user",
            sql: SQL.usersEndpoints,
            plan: ["SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id>?)"]
        ),
        Expectation(
            name: "one user's endpoints",
            sql: SQL.userEndpoints,
            plan: ["SEARCH endpoints USING COVERING INDEX endpoints_audience (app_id=? AND user_id=? AND id>?)"]
        ),
        Expectation(
            name: "whether a topic has webhook URLs",
            sql: SQL.webhookSubscriber,
            plan: ["SEARCH subscriptions USING INDEX subscriptions_webhooks (topic_id=? AND is_confirmed=?)"]
        ),
        Expectation(
            name: "webhook URLs of a topic",
            sql: SQL.webhookSubscribers,
            plan: [
                "SEARCH subscriptions USING INDEX subscriptions_webhooks "
                    + "(topic_id=? AND is_confirmed=? AND rowid>? AND rowid<?)"
            ]
        ),
        Expectation(
            name: "messages whose recipients are read",
            sql: SQL.nextWebhookFanOut,
            plan: ["SEARCH webhook_messages USING INDEX webhook_messages_fan_out (fan_out=? AND rowid>?)"]
        ),
        Expectation(
            name: "messages of a group",
            sql: SQL.webhookGroupFanOut,
            plan: ["SEARCH webhook_messages USING INDEX webhook_messages_group (topic_id=? AND message_group=?)"]
        ),
        Expectation(
            name: "deliveries of a group",
            sql: SQL.webhookGroupDelivery,
            plan: [
                "SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_group "
                    + "(subscription_id=? AND message_group=?)"
            ]
        ),
        Expectation(
            name: "how many messages have recipients that are not read",
            sql: SQL.webhookFanOuts,
            plan: ["SCAN webhook_messages USING COVERING INDEX webhook_messages_fan_out"]
        ),
        Expectation(
            name: "how many dead letters there are",
            sql: SQL.deadLetters,
            plan: ["SCAN dead_letters USING COVERING INDEX dead_letters_app"]
        ),
        Expectation(
            name: "queues of web deliveries whose turn it is",
            sql: SQL.dueWebhookQueues,
            plan: ["SEARCH webhook_queues USING INDEX webhook_queues_turn (is_silent=? AND turn_at<?)"]
        ),
        Expectation(
            name: "the next turn of a queue of web deliveries",
            sql: SQL.nextWebhookTurn,
            plan: ["SEARCH webhook_queues USING COVERING INDEX webhook_queues_turn (is_silent=? AND turn_at>?)"]
        ),
        Expectation(
            name: "how many hosts are silent",
            sql: SQL.silentWebhookHosts,
            plan: ["SEARCH webhook_queues USING COVERING INDEX webhook_queues_turn (is_silent=?)"]
        ),
        Expectation(
            name: "a web delivery that is leased alone",
            sql: SQL.isolatedWebhook,
            plan: ["SEARCH webhook_deliveries USING INDEX webhook_deliveries_alone (queue=?)"]
        ),
        Expectation(
            name: "a web delivery that is leased",
            sql: SQL.calledWebhook,
            plan: [
                "CO-ROUTINE d",
                "SEARCH webhook_deliveries USING INDEX webhook_deliveries_queue (queue=? AND due_at<?)",
                "SCAN d",
            ]
        ),
        Expectation(
            name: "the first free web delivery of a queue",
            sql: SQL.nextWebhookDue,
            plan: ["SEARCH webhook_deliveries USING INDEX webhook_deliveries_queue (queue=?)"]
        ),
        Expectation(
            name: "the first end of a web delivery's lease",
            sql: SQL.nextWebhookFree,
            plan: ["SEARCH webhook_deliveries USING INDEX webhook_deliveries_queue (queue=? AND due_at<?)"]
        ),
        Expectation(
            name: "due web deliveries",
            sql: SQL.dueWebhooks,
            plan: [
                "SEARCH d USING INDEX webhook_deliveries_queue (queue=? AND due_at<?)",
                "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        ),
        Expectation(
            name: "webhook URLs that were never confirmed",
            sql: SQL.pendingWebhooks,
            plan: ["SEARCH subscriptions USING INDEX subscriptions_pending (created_at<?)"]
        ),
        Expectation(name: "claims", sql: SQL.claim, plan: []),
        Expectation(name: "claims, many at once", sql: SQL.claimRun, plan: ["SCAN \(SQL.run) CONSTANT ROWS"]),
        Expectation(name: "suppressions", sql: SQL.suppress, plan: []),
        Expectation(name: "results", sql: SQL.result, plan: []),
        Expectation(name: "results, many at once", sql: SQL.resultRun, plan: ["SCAN \(SQL.run) CONSTANT ROWS"]),
        Expectation(
            name: "due queues",
            sql: SQL.nextQueue,
            plan: [
                "SEARCH batches USING COVERING INDEX batches_queue "
                    + "((app_id,platform,environment,state,class)>(?,?,?,?,?))"
            ]
        ),
        Expectation(
            name: "due batches",
            sql: SQL.dueBatches,
            plan: [
                """
                SEARCH b USING INDEX batches_queue \
                (app_id=? AND platform=? AND environment=? AND state=? AND class>? AND class<?)
                """,
                "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)",
                "CORRELATED SCALAR SUBQUERY 1",
                "SEARCH w USING PRIMARY KEY (notification_id=?)",
            ]
        ),
        Expectation(
            name: "users from whom a notification was withdrawn",
            sql: SQL.withdrawn,
            plan: ["SEARCH withdrawals USING PRIMARY KEY (notification_id=? AND user_id>? AND user_id<?)"]
        ),
        Expectation(
            name: "whether something urgent is due",
            sql: SQL.isUrgent,
            plan: [
                """
                SEARCH batches USING INDEX batches_queue \
                (app_id=? AND platform=? AND environment=? AND state=? AND class=?)
                """
            ]
        ),
        Expectation(
            name: "targets",
            sql: SQL.target,
            plan: ["SEARCH endpoints USING INTEGER PRIMARY KEY (rowid=?)"]
        ),
        Expectation(
            name: "targets of a range",
            sql: SQL.targets,
            plan: ["SEARCH endpoints USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"]
        ),
        Expectation(
            name: "ended batches",
            sql: SQL.endedBatches,
            plan: ["SEARCH batches USING INDEX batches_expiry (expires_at<?)"]
        ),
        Expectation(
            name: "fan-outs that are quarantined and ended",
            sql: SQL.endedFanOuts,
            plan: [
                "SEARCH f USING COVERING INDEX fan_outs_queue (state=?)",
                "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)",
                "SEARCH h USING INDEX sqlite_autoindex_holds_1 (notification_id=? AND id=?) LEFT-JOIN",
            ]
        ),
        Expectation(
            name: "the last hold of a moment",
            sql: SQL.lastHold,
            plan: ["SEARCH holds USING INDEX holds_due (notification_id=? AND due_at=?)"]
        ),
        Expectation(
            name: "next scheduled notification",
            sql: SQL.nextScheduled,
            plan: ["SEARCH fan_outs USING INDEX fan_outs_waiting (wait_until>?)"]
        ),
        Expectation(
            name: "a batch that is leased alone",
            sql: SQL.isolated,
            plan: ["SEARCH batches USING INDEX batches_queue (app_id=? AND platform=? AND environment=? AND state=?)"]
        ),
        Expectation(
            name: "a fan-out that is leased alone",
            sql: SQL.isFanOutIsolated,
            plan: ["SEARCH fan_outs USING INDEX fan_outs_queue (state=? AND app_id=?)"]
        ),
        Expectation(
            name: "next fan-out lease to end",
            sql: SQL.nextFanOut,
            plan: ["SEARCH fan_outs USING INDEX fan_outs_queue (state=?)"]
        ),
        Expectation(
            name: "scheduled notifications that begin",
            sql: SQL.beginScheduled,
            plan: ["SEARCH fan_outs USING INDEX fan_outs_waiting (wait_until<?)"]
        ),
        Expectation(
            name: "users whose badges are named",
            sql: SQL.users,
            plan: ["SEARCH users USING COVERING INDEX sqlite_autoindex_users_1 (app_id=? AND external_id=?)"]
        ),
        Expectation(
            name: "rows of a range",
            sql: SQL.results,
            plan: ["SEARCH deliveries USING PRIMARY KEY (notification_id=? AND endpoint_id>? AND endpoint_id<?)"]
        ),
        Expectation(
            name: "what was accepted of a range",
            sql: SQL.acceptedRange,
            plan: ["SEARCH accepted USING PRIMARY KEY (notification_id=? AND first_endpoint<?)"]
        ),
        Expectation(
            name: "what was accepted of a batch",
            sql: SQL.acceptedOfBatch,
            plan: ["SEARCH accepted USING PRIMARY KEY (notification_id=? AND first_endpoint>? AND first_endpoint<?)"]
        ),
        Expectation(
            name: "the first batch that waits",
            sql: SQL.nextWaiting,
            plan: ["SEARCH batches USING INDEX batches_waiting (app_id=? AND platform=? AND environment=?)"]
        ),
        Expectation(
            name: "batches that begin",
            sql: SQL.beginWaiting,
            plan: [
                "SEARCH batches USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 1",
                "SEARCH batches USING INDEX batches_waiting (app_id=? AND platform=? AND environment=? AND wait_until<?)",
            ]
        ),
        Expectation(
            name: "whether a queue has a free batch",
            sql: SQL.isFree,
            plan: ["SEARCH batches USING INDEX batches_queue (app_id=? AND platform=? AND environment=? AND state=?)"]
        ),
        Expectation(
            name: "the next lease of a batch to end",
            sql: SQL.nextFree,
            plan: ["SEARCH batches USING INDEX batches_queue (app_id=? AND platform=? AND environment=? AND state=?)"]
        ),
        Expectation(
            name: "a claim that is given back",
            sql: SQL.giveBackClaim,
            plan: ["SEARCH claims USING PRIMARY KEY (key_id=? AND subject=?)"]
        ),
    ]

    @Test("the plan of", arguments: expectations + preferences)
    func plan(_ expectation: Expectation) async throws {
        let store = try await SQLiteStore.inMemory(clock: ManualClock())
        let plan = try await store.sqlite.read { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + SQLiteDialect.text(expectation.sql))
            statement.setUncheckedArguments(StatementArguments())
            return try GRDB.Row.fetchAll(statement).map { $0["detail"] as String }
        }
        #expect(plan == expectation.plan)
        await store.close()
    }
}
