import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the control API for the simulated push services, below `/webpush`.
struct WebPushRoutes: ControlRouteSet {
    let service: WebPushService

    private static let pageLimit = 1_000

    func add(to router: Router<BasicRequestContext>) {
        let group = router.group("/webpush")
        group.get("/state") { _, _ in try Response.json(await service.state()) }
        let routes = ServiceRoutes(service: service)
        routes.add(to: group)
        routes.connections(group)
        subscriptions(group)
        messages(group)
        browsers(group)
    }

    private func subscriptions(_ group: RouterGroup<BasicRequestContext>) {
        group.post("/subscriptions") { request, _ in
            let document = try await request.document(WebPushSubscribeDocument.self)
            let subscription = service.subscribe(
                document.service,
                key: document.key,
                sizeLimit: document.sizeLimit
            )
            guard let subscription else {
                throw ControlError.tooMany("subscriptions", "\(WebPushRegistry.limit) stand", "Start anew.")
            }
            return try Response.json(subscription, status: .created)
        }
        group.get("/subscriptions") { request, _ in
            try request.allowQuery(["browser"])
            let browser = request.queryText("browser")
            let all = service.withRegistry { Array($0.subscriptions.values) }
            let found = all.map { WebPushSubscriptionDocument($0) }
                .filter { browser == nil || $0.browser == browser }
                .sorted { $0.id < $1.id }
            return try Response.json(["subscriptions": Array(found.prefix(Self.pageLimit))])
        }
        group.post("/subscriptions/{id}/state") { request, context in
            let state = try await request.document(WebPushStateDocument.self).state
            guard service.withRegistry({ $0.set(state, of: context.part("id")) }) else { throw Self.unknown }
            return Response(status: .noContent)
        }
        group.delete("/subscriptions/{id}") { _, context in
            guard service.withRegistry({ $0.set(.gone, of: context.part("id")) }) else { throw Self.unknown }
            return Response(status: .noContent)
        }
    }

    private func messages(_ group: RouterGroup<BasicRequestContext>) {
        group.get("/subscriptions/{id}/messages") { request, context in
            let (items, next) = try await DeviceReading(request).items(
                of: context.part("id"),
                on: service.lines,
                clock: service.scripted.clock,
                unknown: Self.unknown
            )
            return try Response.json(MessagePage(messages: items.map(WebPushMessageDocument.init), next: next))
        }
    }

    private func browsers(_ group: RouterGroup<BasicRequestContext>) {
        group.get("/browsers") { _, _ in
            let all = service.withRegistry { $0.browsers }
            let documents = all.map { name, browser in
                BrowserDocument(
                    browser: name,
                    connected: service.browsers.isConnected(name),
                    subscriptions: browser.channels.values.sorted()
                )
            }
            return try Response.json(["browsers": documents.sorted { $0.browser < $1.browser }])
        }
        // The service has lost what it knew of a browser: its subscriptions end, and it gets a new id.
        group.delete("/browsers/{id}") { _, context in
            let id = context.part("id")
            guard service.withRegistry({ $0.browsers[id] != nil }) else {
                throw ControlError.notFound("no browser has this id", hint: "GET /webpush/browsers lists them.")
            }
            service.withRegistry { $0.forget(browser: id) }
            service.browsers.close(id)
            return Response(status: .noContent)
        }
        group.get("/acknowledgements") { request, _ in
            try request.allowQuery(["after", "limit"])
            let after = try request.queryNumber("after", in: 0...Int.max, default: 0)
            let limit = try request.queryNumber("limit", in: 1...Self.pageLimit, default: 100)
            let found = service.browsers.acknowledgements(after: after, limit: limit)
            return try Response.json(AcknowledgementPage(acknowledgements: found, next: found.last?.seq ?? after))
        }
    }

    private static let unknown = ControlError.notFound(
        "no subscription has this id",
        hint: "POST /webpush/subscriptions makes one."
    )
}

extension WebPushService {
    func state() async -> WebPushStatePage {
        let isListening = await scripted.listener?.isListening ?? false
        let rules = scripted.withRules { $0.rules.count }
        return withRegistry { registry in
            WebPushStatePage(
                port: scripted.listener?.port ?? 0,
                isListening: isListening,
                origins: WebPushSimulator.origins + [registry.ownOrigin],
                connections: scripted.connections.documents,
                connectionsSeen: scripted.connections.seen,
                subscriptions: registry.subscriptions.count,
                browsers: registry.browsers.count,
                rules: rules
            )
        }
    }
}
