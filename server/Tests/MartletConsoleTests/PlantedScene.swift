import Foundation
import HTTPTypes
import HummingbirdTesting
import MartletPipeline
import MartletStore
import MartletWire
import Testing

@testable import MartletConsole
@testable import MartletCore
@testable import MartletTesting

/// What is planted wherever somebody else's text comes into the console.
struct Plants: Sendable {
    /// The names of things: a user, a key, an operator, a device, a category.
    var name: String
    /// What notifications say.
    var payload: String
    /// Where they lead, and what they show.
    var link: String
    /// Addresses that an admin gives.
    var address: String
    /// What a provider or a webhook answers.
    var reason: String
    /// The user and the password in a webhook's URL.
    var hookUser: String

    static let token = String(repeating: "7e57ab1e", count: 8)

    /// Script, in each way that a page could run it.
    static let script = Plants(
        name: mark,
        payload: mark,
        link: "javascript:alert(1)",
        address: "javascript:alert(1)",
        reason: mark,
        hookUser: "u:p"
    )

    /// The same with marks of another script before each of HTML's own, of which Swift makes one character.
    static let joined = Plants(
        name: joinedMark,
        payload: joinedMark,
        link: "javascript:alert(1)",
        address: "javascript:alert(1)",
        reason: joinedMark,
        hookUser: "u:p"
    )

    static let joinedMark = "\u{600}\"\u{600}>\u{600}<script>x\u{600}</script>\u{600}<img src=x onerror=x>"

    static let mark = #""><script>x</script><img src=x onerror=x>{{csrf}}"#

    /// What viewers must not see, beside what they may.
    static let secrets = Plants(
        name: "ann",
        payload: "kestrel seven",
        link: "https://shop.example/kestrel-eight",
        address: "https://keys.example/set",
        reason: "BadDeviceToken",
        hookUser: "kestrel-nine:kestrel-ten"
    )

    /// The names of operators and keys, which may have no invisible characters.
    var ownName: String { name == Plants.joinedMark ? Plants.mark : name }

    /// The password in it.
    var hookPassword: String { String(hookUser.drop { $0 != ":" }.dropFirst()) }

    /// What a page must not have where it is masked, beside keys.
    var masked: [String] { [Plants.token, payload, link, hookPassword] }
}

/// A console in which each kind of thing is there, with planted texts in all of them.
struct PlantedScene: Sendable {
    let harness: Harness
    let plants: Plants
    let world: World
    let queue: DeliveryQueue
    let topic: Topic
    let category: MartletCore.Category
    /// Those that ended refused, given up, quarantined, and one that waits for a credential.
    let sent: [MartletCore.Notification]
    let key: (key: APIKey, secret: String)
    let accessKey: StoredAccessKey
    let invitation: String
    /// What the admin has written and reviews.
    let review: PublicID
    let visitors: [OperatorRole: Visitor]

    var store: Store { harness.store }
    var app: App { harness.app }

    static func run(_ plants: Plants, _ test: @Sendable (PlantedScene) async throws -> Void) async throws {
        try await Harness.run(settings: settings(plants)) { harness in
            try await test(try await PlantedScene(harness, plants))
        }
    }

    private init(_ harness: Harness, _ plants: Plants) async throws {
        (self.harness, self.plants) = (harness, plants)
        world = harness.world
        let planting = Planting(world: world, app: harness.app, plants: plants)
        queue = try await planting.queue(.production)
        category = try await planting.category()
        try await planting.devices()
        sent = try await planting.notifications(queue, category)
        topic = try await planting.topic()
        try await planting.webhookLetter(topic)
        try await planting.events(of: sent[0])
        try await planting.audit()
        try await planting.identity()
        key = try await harness.store.makeKey(.admin, app: nil, name: plants.ownName)
        accessKey = try await harness.store.createAccessKey(
            id: "MKIAAAAAAAAAAAAAAAAA",
            sealed: [1],
            name: plants.ownName
        )
        invitation = try await harness.operators.invite("2\(plants.ownName)", as: .viewer, by: .system).token
        var visitors: [OperatorRole: Visitor] = [:]
        for role in OperatorRole.allCases {
            let name = role.rawValue + plants.ownName
            visitors[role] = try await harness.visitor(role, named: name)
            let browser = OperatorService.Browser(address: plants.name, userAgent: plants.name)
            _ = try await harness.operators.signIn(name: name, password: Harness.password, from: browser)
        }
        self.visitors = visitors
        let admin = try #require(try await harness.store.operator(.name(OperatorRole.admin.rawValue + plants.ownName)))
        let form = "form=on&audience=all&title=\(Link.escaped(plants.payload))&users=\(Link.escaped(plants.name))"
        review = try await harness.store.createReview(form, of: admin.row)
    }

    /// A simulator that has had one push.
    private static func settings(_ plants: Plants) -> ConsoleSettings {
        var settings = ConsoleSettings()
        settings.simulator = "http://127.0.0.1:9444"
        settings.fetch = { address in
            if address.hasSuffix(":9444/received/count") { return Array(#"{"total":1,"kept":1}"#.utf8) }
            guard address.contains(":9444/received?") else { throw Failure.notFound("service") }
            let text = try #require(String(data: JSONEncoder().encode(plants.payload), encoding: .utf8))
            return Array(
                """
                {"received":[{"seq":1,"time":1700000000000,"path":"/3/device/x","token":"\(Plants.token)","status":200,
                "headers":{"apns-push-type":"alert"},"payload":{"aps":{"alert":{"title":\(text),"body":\(text)}},
                "message_id":\(text)}}],"next":1}
                """.utf8
            )
        }
        return settings
    }

    func visitor(_ role: OperatorRole) throws -> Visitor { try #require(visitors[role]) }

    // MARK: Paths

    /// The paths of a route, with what is there in the place of each parameter.
    func paths(of route: ConsoleRoute) async throws -> [String] {
        let parts = route.path.split(separator: "/").map(String.init)
        var paths = [""]
        for part in parts {
            let things = part.hasPrefix("{") ? try await things(part, in: parts) : [part]
            paths = paths.flatMap { path in things.map { "\(path)/\($0)" } }
        }
        return parts.isEmpty ? ["/"] : paths
    }

    /// Every page that is one: no file, and no answer that goes on. That of findings asks no provider here: what is
    /// planted as a credential cannot be opened.
    var pageRoutes: [ConsoleRoute] {
        harness.console.routes.filter { route in
            let isOther = ["/live", "/stream"].contains { route.path.hasSuffix($0) }
            return route.method == .get && !isOther && !route.path.hasPrefix("/assets")
        }
    }

    private func things(_ name: String, in parts: [String]) async throws -> [String] {
        switch name {
        case "{app}": [app.id.description]
        case "{user}": [Link.escaped(plants.name)]
        case "{key}": [category.key]
        case "{notification}": sent.map(\.id.description)
        case "{token}": [invitation]
        case "{kind}": FailedWorkKind.allCases.map(\.rawValue)
        case "{platform}": ["apns"]
        case "{environment}": Environment.allCases.map(\.rawValue)
        case "{subscription}": try await subscriptions().map(\.id.description)
        default: try await ids(in: parts)
        }
    }

    private func ids(in parts: [String]) async throws -> [String] {
        switch parts[0] {
        case "compose": return [review.description]
        case "notifications": return sent.map(\.id.description)
        case "topics": return [topic.id.description]
        case "apps": return [app.id.description]
        case "keys": return [key.key.id.description]
        case "access-keys": return [accessKey.id]
        case "people": return try await store.everyEndpoint(of: app.row).map(\.id.description)
        case "operators": return try await store.operators(.all, PageRequest()).items.map(\.id.description)
        case "sessions", "account": return try await store.sessions(.all, PageRequest()).items.map(\.id.description)
        default: return try await failed().map(\.1)
        }
    }

    func subscriptions() async throws -> [Subscription] {
        try await store.subscriptions(.topic(topic.row), PageRequest()).items
    }

    /// All failed work by kind and id.
    func failed() async throws -> [(String, String)] {
        let letters = try await store.failedWork(DeadLetter.self).items.map { ("letters", $0.id.description) }
        let aside = try await store.failedWork(QuarantinedWork.self).items.map { ("quarantined", $0.id.description) }
        let hooks = try await store.failedWork(WebhookDeadLetter.self).items.map { ("webhooks", $0.id.description) }
        return letters + aside + hooks
    }

    // MARK: What is there

    /// All that an operator can change, line by line.
    func snapshot() async throws -> [String] {
        let page = PageRequest(count: PageRequest.limit)
        var lines = try await store.apps(page).items.map { "app \($0.name) \($0.identity.mode)" }
        lines += try await store.credentials(app.row).map { "credential \($0.queue.word)" }
        lines += try await store.keys(.api(app: nil), page).compactMap(\.api).items
            .map { "key \($0.name) \($0.revokedAt != nil)" }
        lines += try await store.keys(.access, page).compactMap(\.access).items
            .map { "access key \($0.name) \($0.revokedAt != nil)" }
        lines += try await store.topics(.all, page).items.map { "topic \($0.name) \($0.attributes.count)" }
        lines += try await subscriptions().map { "subscription \($0.id) \($0.filter?.text ?? "")" }
        lines += try await store.categories(of: app.row)
            .map { "category \($0.key) \($0.names["en"] ?? "") \($0.archivedAt != nil)" }
        lines += try await store.everyEndpoint(of: app.row).map { "device \($0.id) \($0.status) \($0.user?.id ?? "")" }
        lines += try await store.notifications(.matching(NotificationFilter()), page).items
            .map { "notification \($0.id) \($0.state)" }
        lines.append("preferences \(try await store.preferences(of: plants.name, app.row).revision)")
        lines += try await store.operators(.all, page).items.map {
            "operator \($0.name) \($0.role) \($0.disabledAt != nil)"
        }
        lines += try await store.sessions(.all, page).items.map { "session \($0.id)" }
        lines += try await store.pauses(nil).map { "pause \($0.queue.word)" }
        lines += try await failed().map { "failed \($0.0) \($0.1)" }
        lines.append("changes \(try await store.auditEntries(AuditFilter(), page).items.count)")
        lines.append("events \(try await store.events(EventFilter(), page).items.count)")
        return lines
    }
}
