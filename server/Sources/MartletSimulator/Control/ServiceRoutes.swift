import HTTPTypes
import Hummingbird

/// Routes of the control API that a simulator brings.
protocol ControlRouteSet: Sendable {
    func add(to router: Router<BasicRequestContext>)
}

/// What all simulated HTTP services are controlled by, below a prefix: what was received, rules, connections, the port.
struct ServiceRoutes<Condition: RuleCondition>: Sendable {
    let service: ScriptedService<Condition>

    private static var pageLimit: Int { 10_000 }

    func add(to group: RouterGroup<BasicRequestContext>) {
        received(group)
        rules(group)
        connections(group)
    }

    private func received(_ group: RouterGroup<BasicRequestContext>) {
        group.get("/received") { request, _ in
            try request.allowQuery("target", "path", "after", "limit")
            let after = try request.queryNumber("after", in: 0...Int.max, default: 0)
            let limit = try request.queryNumber("limit", in: 1...Self.pageLimit, default: 100)
            let (target, path) = (request.queryText("target"), request.queryText("path"))
            let records = service.withLog { log in
                log.packed(after: after, count: limit) {
                    (target == nil || $0.target == target) && (path == nil || $0.path == path)
                }
            }
            let page = ReceivedRequestPage(received: records.map(\.document), next: records.last?.seq ?? after)
            return try Response.json(page)
        }
        group.get("/received/count") { request, _ in
            try request.allowQuery()
            return try Response.json(service.withLog { $0.counts })
        }
        group.delete("/received") { _, _ in
            service.withLog { $0.removeAll() }
            return Response(status: .noContent)
        }
    }

    private func rules(_ group: RouterGroup<BasicRequestContext>) {
        group.get("/rules") { _, _ in
            try Response.json(["rules": service.withRules { $0.rules }])
        }
        group.post("/rules") { request, _ in
            let rule = try await request.document(ServiceRule<Condition>.self)
            guard let state = service.withRules({ $0.add(rule) }) else {
                throw ControlError.tooMany("rules", "\(RuleBook.limit) rules are in force", "Remove some.")
            }
            return try Response.json(state, status: .created)
        }
        group.delete("/rules") { _, _ in
            service.withRules { $0.removeAll() }
            return Response(status: .noContent)
        }
        group.delete("/rules/{id}") { _, context in
            let id = Int(context.parameters.get("id") ?? "")
            guard let id, service.withRules({ $0.remove(id: id) }) else {
                throw ControlError.notFound("no rule has this id", hint: "GET the rules: they have theirs.")
            }
            return Response(status: .noContent)
        }
    }

    private func connections(_ group: RouterGroup<BasicRequestContext>) {
        group.post("/connections/abort") { request, _ in
            let command = try await request.document(ConnectionsDocument.self)
            return try Response.json(["connections": service.connections.abort(command.connection)])
        }
        group.post("/listener/stop") { request, _ in
            let command = try await request.document(ListenerDocument.self)
            await service.listener?.stop(command.mode, milliseconds: command.milliseconds)
            return Response(status: .noContent)
        }
        group.post("/listener/start") { _, _ in
            try await service.listener?.start()
            return Response(status: .noContent)
        }
    }
}

extension ControlError {
    static func tooMany(_ what: String, _ message: String, _ hint: String) -> ControlError {
        ControlError(status: .conflict, code: "too_many_\(what)", message: message, hint: hint)
    }
}
