import HTTPTypes
import Hummingbird

/// The routes of the control API for the simulated APNs.
struct ControlRoutes: ControlRouteSet {
    let service: SimulatedService

    private static let pageLimit = 10_000

    func add(to router: Router<BasicRequestContext>) {
        router.get("/state") { _, _ in try Response.json(await service.state()) }
        router.post("/reset") { _, _ in
            service.reset()
            return Response(status: .noContent)
        }
        received(router)
        rules(router)
        registry(router)
        connections(router)
        listener(router)
        DeviceRoutes(service: service).add(to: router)
    }

    private func received(_ router: Router<BasicRequestContext>) {
        router.get("/received") { request, _ in
            try request.allowQuery("token", "topic", "after", "limit")
            let after = try request.queryNumber("after", in: 0...Int.max, default: 0)
            let limit = try request.queryNumber("limit", in: 1...Self.pageLimit, default: 100)
            let pushes = service.received(
                token: request.queryText("token"),
                topic: request.queryText("topic"),
                after: after,
                limit: limit
            )
            return try Response.json(ReceivedPage(received: pushes, next: pushes.last?.seq ?? after))
        }
        router.get("/received/count") { request, _ in
            try request.allowQuery()
            return try Response.json(service.withLog { $0.counts })
        }
        router.delete("/received") { _, _ in
            service.withLog { $0.removeAll() }
            return Response(status: .noContent)
        }
    }

    private func rules(_ router: Router<BasicRequestContext>) {
        router.get("/rules") { _, _ in
            try Response.json(["rules": service.withRules { $0.rules }])
        }
        router.post("/rules") { request, _ in
            let rule = try await request.document(SimulatorRule.self)
            guard let state = service.withRules({ $0.add(rule) }) else {
                throw ControlError(
                    status: .conflict,
                    code: "too_many_rules",
                    message: "\(RuleBook.limit) rules are in force",
                    hint: "Remove some with DELETE /rules."
                )
            }
            return try Response.json(state, status: .created)
        }
        router.delete("/rules") { _, _ in
            service.withRules { $0.removeAll() }
            return Response(status: .noContent)
        }
        router.delete("/rules/{id}") { _, context in
            let text = context.parameters.get("id") ?? ""
            guard let id = Int(text), service.withRules({ $0.remove(id: id) }) else {
                throw ControlError.notFound("no rule has this id", hint: "GET /rules lists them.")
            }
            return Response(status: .noContent)
        }
    }

    private func registry(_ router: Router<BasicRequestContext>) {
        router.post("/keys") { request, _ in
            let key = try await request.document(KeyDocument.self).key
            service.withRegistry { $0.register(key) }
            return Response(status: .noContent)
        }
        router.post("/apps") { request, _ in
            let app = try await request.document(AppDocument.self).app
            service.withRegistry { $0.register(app) }
            return Response(status: .noContent)
        }
        router.post("/tokens") { request, _ in
            let document = try await request.document(TokensDocument.self)
            let now = service.clock.now()
            let devices = try document.devices.map { try $0.device(now: now) }
            service.withRegistry { registry in
                for device in devices { registry.register(device) }
                if let only = document.knownTokensOnly { registry.knownTokensOnly = only }
            }
            return Response(status: .noContent)
        }
    }

    private func connections(_ router: Router<BasicRequestContext>) {
        router.post("/connections/goaway") { request, _ in
            let command = try await request.document(ConnectionsDocument.self)
            return try await act(on: command.connection) { $0.goAway(reason: command.reason, code: command.code) }
        }
        router.post("/connections/abort") { request, _ in
            try await act(on: try await request.document(ConnectionsDocument.self).connection) { $0.abort() }
        }
        router.post("/connections/max-streams") { request, _ in
            let command = try await request.document(ConnectionsDocument.self)
            guard let value = command.value else {
                throw ControlError(
                    status: .badRequest,
                    code: "missing_field",
                    message: "value is missing",
                    hint: "Give the number of streams, 0 or more.",
                    field: "value"
                )
            }
            return try await act(on: command.connection) { $0.setMaxStreams(value) }
        }
    }

    private func act(
        on connection: Int?,
        _ body: @escaping @Sendable (APNsConnection) -> Void
    ) async throws -> Response {
        let count = await service.onConnections(connection, body).count
        if connection != nil, count == 0 {
            throw ControlError(
                status: .notFound,
                code: "not_found",
                message: "no open connection has this number",
                hint: "GET /state lists them.",
                field: "connection"
            )
        }
        return try Response.json(["connections": count])
    }

    private func listener(_ router: Router<BasicRequestContext>) {
        router.post("/listener/stop") { request, _ in
            let command = try await request.document(ListenerDocument.self)
            for listener in try listeners(command.environment) {
                await listener.stop(command.mode, milliseconds: command.milliseconds)
            }
            return Response(status: .noContent)
        }
        router.post("/listener/start") { request, _ in
            let command = try await request.document(ListenerDocument.self)
            for listener in try listeners(command.environment) { try await listener.start() }
            return Response(status: .noContent)
        }
    }

    private func listeners(_ environment: APNsEnvironment?) throws -> [SimulatorListener] {
        let listeners = service.listeners(environment)
        if listeners.isEmpty {
            throw ControlError.invalidField("environment", "this simulator has no listener for the environment")
        }
        return listeners.map(\.listener)
    }
}
