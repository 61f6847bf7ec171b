import HTTPTypes
import Hummingbird

/// Routes of the control API that a simulator brings.
protocol ControlRouteSet: Sendable {
    func add(to router: Router<BasicRequestContext>)
}

/// What all simulated services are controlled by, each below its prefix: what was received, and rules.
struct ServiceRoutes<Service: SimulatedService>: Sendable {
    let service: Service
    /// What to do when there are too many rules.
    var fullHint = "Remove some."
    /// What to do when a rule is not there.
    var unknownHint = "GET the rules: they have theirs."

    private static var pageLimit: Int { 10_000 }

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.post("/reset") { _, _ in
            service.reset()
            return Response(status: .noContent)
        }
        received(group)
        rules(group)
    }

    private func received(_ group: RouterGroup<BasicRequestContext>) {
        group.get("/received") { request, _ in
            try request.allowQuery(Service.Record.filters + ["after", "limit"])
            let after = try request.queryNumber("after", in: 0...Int.max, default: 0)
            let limit = try request.queryNumber("limit", in: 1...Self.pageLimit, default: 100)
            let matches = Service.Record.filter(request.queryText)
            let records = service.scripted.withLog { $0.packed(after: after, count: limit, where: matches) }
            let page = RecordPage(received: records.map { $0.unpacked() }, next: records.last?.seq ?? after)
            return try Response.json(page)
        }
        group.get("/received/count") { request, _ in
            try request.allowQuery()
            return try Response.json(service.scripted.withLog { $0.counts })
        }
        group.delete("/received") { _, _ in
            service.scripted.withLog { $0.removeAll() }
            return Response(status: .noContent)
        }
    }

    private func rules(_ group: RouterGroup<BasicRequestContext>) {
        group.get("/rules") { _, _ in
            try Response.json(["rules": service.scripted.withRules { $0.rules }])
        }
        group.post("/rules") { request, _ in
            let rule = try await request.document(ServiceRule<Service.Condition>.self)
            guard let state = service.scripted.withRules({ $0.add(rule) }) else {
                throw ControlError.tooMany("rules", "\(RuleBook.limit) rules are in force", fullHint)
            }
            return try Response.json(state, status: .created)
        }
        group.delete("/rules") { _, _ in
            service.scripted.withRules { $0.removeAll() }
            return Response(status: .noContent)
        }
        group.delete("/rules/{id}") { _, context in
            let id = Int(context.parameters.get("id") ?? "")
            guard let id, service.scripted.withRules({ $0.remove(id: id) }) else {
                throw ControlError.notFound("no rule has this id", hint: unknownHint)
            }
            return Response(status: .noContent)
        }
    }
}

extension ServiceRoutes where Service: SimulatedHTTPService {
    /// The connections and the port of a service of HTTP.
    func connections(_ group: RouterGroup<BasicRequestContext>) {
        group.post("/connections/abort") { request, _ in
            let command = try await request.document(ConnectionsDocument.self)
            return try Response.json(["connections": service.scripted.connections.abort(command.connection)])
        }
        group.command("/listener/stop") { (command: ListenerDocument) in
            await service.scripted.listener?.stop(command.mode, milliseconds: command.milliseconds)
        }
        group.post("/listener/start") { _, _ in
            try await service.scripted.listener?.start()
            return Response(status: .noContent)
        }
    }
}

extension ControlError {
    static func tooMany(_ what: String, _ message: String, _ hint: String) -> ControlError {
        ControlError(status: .conflict, code: "too_many_\(what)", message: message, hint: hint)
    }
}
