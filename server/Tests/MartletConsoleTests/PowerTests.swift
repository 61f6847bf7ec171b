import Crypto
import HTTPTypes
import Logging
import MartletPipeline
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletHTTP

@Suite("The console has no powers of its own") struct PowerTests {
    @Test("each path of the console has paths of REST that do the same, or says why there is none")
    func everyPath() async throws {
        try await Harness.run { harness in
            let known = Set(try Self.interface(harness).routes.map { "\($0.method.rawValue) \($0.path)" })
            let paths = harness.console.routes.map { "\($0.method.rawValue) \($0.path)" }
            for path in paths {
                let (same, reason) = (Self.same[path], Self.alone[path])
                #expect((same == nil) != (reason == nil), "\(path) has no row in one of the tables, or one in both")
                for route in same ?? [] { #expect(known.contains(route), "\(path): REST has no \(route)") }
            }
            let rows = Set(Self.same.keys).union(Self.alone.keys)
            #expect(rows.subtracting(paths).sorted() == [], "rows of paths that the console has not got")
        }
    }

    /// The interface beside the console, as the program mounts both.
    private static func interface(_ harness: Harness) throws -> MartletAPI {
        let logger = Logger(label: "test")
        let vault = Vault(key: SymmetricKey(size: .bits256))
        return MartletAPI(
            store: harness.store,
            providers: [:],
            vault: vault,
            clock: harness.clock,
            submitter: Submitter(
                store: harness.store,
                providers: [:],
                clock: harness.clock,
                wakeUps: WakeUps(),
                inlineDispatch: InlineDispatch(),
                metrics: DeliveryMetrics(),
                backlogLimit: Submitter.backlogLimit
            ),
            wakeUps: WakeUps(),
            credentials: CredentialService(store: harness.store, providers: [:], vault: vault),
            keySets: KeySetCache(
                privateHosts: try PrivateHostPolicy(allowing: []),
                clock: harness.clock,
                logger: logger
            ),
            metrics: PrometheusRegistry(),
            breakers: QueueBreakers(),
            delivery: DeliveryMetrics(),
            logger: logger
        )
    }

    /// By a path of the console what does the same in REST.
    private static let same: [String: [String]] = sending.merging(people) { $1 }.merging(rest) { $1 }

    private static let (apps, app) = ("/api/v1/apps", "/api/v1/apps/{app}")
    private static let (sends, sent) = ("/api/v1/notifications", "/api/v1/notifications/{id}")
    private static let (topic, subscription) = ("/api/v1/topics/{topic}", "/api/v1/subscriptions/{id}")

    private static let sending: [String: [String]] = [
        "GET /": ["GET /api/v1/stats", "GET \(sends)", "GET \(app)/pauses", "GET \(app)/breakers", "GET /metrics"],
        "GET /compose": ["GET \(sent)", "GET /api/v1/categories", "GET /api/v1/topics"],
        "POST /compose": ["POST \(sends)", "POST \(sends)/preview", "POST \(sends)/estimate"],
        "POST /compose/preview": ["POST \(sends)/preview"],
        "POST /compose/count": ["POST \(sends)/estimate", "GET \(app)/pauses"],
        "GET /compose/reviews/{id}": ["POST \(sends)/preview", "POST \(sends)/estimate", "GET \(app)/pauses"],
        "POST /compose/send": ["POST \(sends)"],
        "GET /notifications": ["GET \(sends)"],
        "GET /notifications/{id}": [
            "GET \(sent)", "GET \(sent)/messages", "GET \(sent)/reasons", "GET \(sent)/accepted", "GET /api/v1/audit",
        ],
        "GET /notifications/{id}/live": ["GET \(sent)", "GET \(sent)/reasons"],
        "POST /notifications/{id}/cancel": ["DELETE \(sent)"],
        "POST /notifications/{id}/recall": ["POST \(sent)/recall"],
        "GET /notifications/{id}/missed": ["GET \(sent)/missed", "GET \(sent)/reasons"],
        // Its count is a dry run's.
        "GET /notifications/{id}/resend": ["POST \(sent)/resend", "GET \(sent)/reasons"],
        "POST /notifications/{id}/resend": ["POST \(sent)/resend"],
    ]

    private static let (user, person) = ("/api/v1/users/{user}", "/people/{app}/{user}")

    private static let people: [String: [String]] = [
        "GET /people": ["GET /api/v1/people/search"],
        "GET \(person)": ["GET \(user)/timeline"],
        "GET \(person)/why/{notification}": ["GET \(sent)/why"],
        "GET \(person)/inbox": ["GET \(user)/inbox", "GET \(user)/inbox/counts"],
        "GET \(person)/preferences": ["GET \(user)/preferences", "GET \(user)/preferences/history"],
        "POST \(person)/preferences": ["PATCH \(user)/preferences"],
        "GET \(person)/devices": ["GET /api/v1/devices", "GET \(user)/endpoints"],
        "POST \(person)/devices/{id}/test": ["POST \(sends)"],
        "POST \(person)/devices/{id}/switch": ["PATCH /api/v1/devices/{id}"],
        "POST \(person)/devices/{id}/remove": ["DELETE /api/v1/devices/{id}"],
        "POST \(person)/erase": ["DELETE \(user)"],
    ]

    private static let rest: [String: [String]] = [
        "GET /topics": ["GET /api/v1/topics"],
        "POST /topics": ["POST /api/v1/topics"],
        "GET /topics/{id}": ["GET \(topic)", "GET \(topic)/subscriptions"],
        "POST /topics/{id}/attributes": ["PATCH \(topic)"],
        "POST /topics/{id}/delete": ["DELETE \(topic)"],
        "POST /topics/{id}/subscriptions": ["POST \(topic)/subscriptions"],
        "GET /topics/{id}/subscriptions/{subscription}": ["GET \(subscription)"],
        "POST /topics/{id}/subscriptions/{subscription}": ["PATCH \(subscription)"],
        "POST /topics/{id}/subscriptions/{subscription}/try": ["POST \(subscription)/try"],
        "POST /topics/{id}/subscriptions/{subscription}/remove": ["DELETE \(subscription)"],
        "GET /categories": ["GET /api/v1/categories"],
        "POST /categories": ["POST /api/v1/categories"],
        "GET /categories/{app}/{key}": ["GET /api/v1/categories/{key}"],
        "POST /categories/{app}/{key}": ["PATCH /api/v1/categories/{key}"],
        "POST /categories/{app}/{key}/archive": [
            "DELETE /api/v1/categories/{key}", "PATCH /api/v1/categories/{key}",
        ],
        "GET /problems": [
            "GET \(app)/pauses", "GET /api/v1/dead-letters", "GET /api/v1/webhook-dead-letters",
            "GET /api/v1/quarantine",
        ],
        "POST /problems/{kind}/{id}/retry": [
            "POST /api/v1/dead-letters/{id}/retry", "POST /api/v1/webhook-dead-letters/{id}/retry",
            "POST /api/v1/quarantine/{id}/retry",
        ],
        // One after the other.
        "POST /problems/{kind}/retry": [
            "POST /api/v1/dead-letters/{id}/retry", "POST /api/v1/webhook-dead-letters/{id}/retry",
            "POST /api/v1/quarantine/{id}/retry",
        ],
        "GET /apps": ["GET \(apps)", "GET \(app)/credentials"],
        "POST /apps/new": ["POST \(apps)", "PUT \(app)/credentials"],
        "GET /apps/{id}": ["GET \(app)", "GET \(app)/credentials", "GET \(app)/pauses", "GET \(app)/breakers"],
        "GET /apps/{id}/findings": ["GET /api/v1/doctor"],
        "POST /apps/{id}/queues/{platform}/{environment}/resume": [
            "DELETE \(app)/pauses/{platform}/{environment}"
        ],
        "POST /apps/{id}/credentials": ["PUT \(app)/credentials"],
        "POST /apps/{id}/credentials/{platform}/{environment}/delete": [
            "DELETE \(app)/credentials/{platform}/{environment}"
        ],
        "POST /apps/{id}/rename": ["PATCH \(app)"],
        "POST /apps/{id}/identity": ["PATCH \(app)"],
        "POST /apps/{id}/delete": ["DELETE \(app)"],
        "GET /keys": ["GET /api/v1/keys"],
        "POST /keys": ["POST /api/v1/keys"],
        "POST /keys/{id}/revoke": ["DELETE /api/v1/keys/{id}"],
        "GET /access-keys": ["GET /api/v1/access-keys"],
        "POST /access-keys": ["POST /api/v1/access-keys"],
        "POST /access-keys/{id}/revoke": ["DELETE /api/v1/access-keys/{access_key_id}"],
        "GET /operators": ["GET /api/v1/operators"],
        "POST /operators": ["POST /api/v1/operators/invitations"],
        "POST /operators/{id}": ["PATCH /api/v1/operators/{id}"],
        "POST /operators/{id}/password-link": ["POST /api/v1/operators/invitations"],
        "POST /operators/{id}/end-sessions": [
            "GET /api/v1/operators/sessions", "DELETE /api/v1/operators/sessions/{id}",
        ],
        "GET /sessions": ["GET /api/v1/operators/sessions"],
        "POST /sessions/{id}/end": ["DELETE /api/v1/operators/sessions/{id}"],
        "GET /audit": ["GET /api/v1/audit"],
    ]

    /// Paths of the console that are of no use to a client of REST, each with its reason.
    private static let alone: [String: String] = [
        "GET /sign-in": "a form", "POST /sign-in": "keys need no session", "POST /sign-out": "keys need no session",
        "GET /invitations/{token}": "a form", "POST /invitations/{token}": "an operator's own password",
        "GET /account": "an operator's own sessions", "POST /account/password": "an operator's own password",
        "POST /account/sessions/{id}/end": "an operator's own sessions",
        "POST /account/end-others": "an operator's own sessions",
        "GET /assets/console.css": "of the pages", "GET /assets/console.js": "of the pages",
        "POST /compose/list": "it says what a list says that was typed; nothing is read from the server",
        "GET \(person)/erase": "it asks before erasing",
        "GET /apps/new": "a form", "POST /apps/look": "it shows what a file says, and keeps nothing",
        "GET /apps/{id}/credentials/new": "a form",
        "POST /apps/{id}/credentials/look": "it shows what a file says, and keeps nothing",
        "GET /phones": "a simulator's, which has an interface of its own",
        "GET /phones/live": "a simulator's, which has an interface of its own",
        "POST /phones/tap": "a simulator's, which has an interface of its own",
        "POST /phones/dismiss": "a simulator's, which has an interface of its own",
    ]
}
