import HTTPTypes
import Hummingbird

/// The routes of the control API for the simulated APNs.
struct APNsRoutes: ControlRouteSet {
    let service: APNsService

    func add(to router: Router<BasicRequestContext>) {
        router.get("/state") { _, _ in try Response.json(await service.state()) }
        ServiceRoutes(
            service: service,
            fullHint: "Remove some with DELETE /rules.",
            unknownHint: "GET /rules lists them."
        ).add(to: router.group())
        registry(router)
        connections(router)
        listener(router)
        devices(router)
    }

    private func registry(_ router: Router<BasicRequestContext>) {
        router.command("/keys") { (document: KeyDocument) in
            service.withRegistry { $0.register(document.key) }
        }
        router.command("/apps") { (document: AppDocument) in
            service.withRegistry { $0.register(document.app) }
        }
        router.command("/tokens") { (document: TokensDocument<APNsTokenDocument>) in
            let now = service.scripted.clock.now()
            let devices = try document.devices.map { try $0.device(now: now) }
            service.withRegistry { registry in
                for device in devices { registry.register(device) }
                if let only = document.knownTokensOnly { registry.knownTokensOnly = only }
            }
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
        router.command("/listener/stop") { (command: ListenerDocument) in
            for listener in try listeners(command.environment) {
                await listener.stop(command.mode, milliseconds: command.milliseconds)
            }
        }
        router.command("/listener/start") { (command: ListenerDocument) in
            for listener in try listeners(command.environment) { try await listener.start() }
        }
    }

    private func listeners(_ environment: APNsEnvironment?) throws -> [SimulatorListener] {
        let listeners = service.scripted.listeners(environment)
        if listeners.isEmpty {
            throw ControlError.invalidField("environment", "this simulator has no listener for the environment")
        }
        return listeners
    }
}

// MARK: - Phones

extension APNsRoutes {
    /// Phones take tokens and receive pushes.
    private func devices(_ router: Router<BasicRequestContext>) {
        router.post("/devices") { request, _ in
            let document = try await request.document(DeviceDocument.self)
            let token = Self.newToken()
            guard service.devices.open(token) else {
                throw ControlError.tooMany(
                    "devices",
                    "\(DeviceLines<PackedPush>.limit) phones have a token",
                    "Give some back with DELETE /devices/{token}."
                )
            }
            let device = try SimulatorDevice(
                token: token,
                topic: document.topic,
                environment: document.environment
            )
            service.withRegistry { $0.register(device) }
            return try Response.json(DeviceTokenDocument(token: token), status: .created)
        }
        router.get("/devices/{token}/pushes") { request, context in
            let (items, next) = try await DeviceReading(request).items(
                of: Self.token(of: context),
                on: service.devices,
                clock: service.scripted.clock,
                unknown: Self.unknownToken
            )
            return try Response.json(DevicePage(pushes: items.map(DevicePush.init), next: next))
        }
        router.delete("/devices/{token}") { _, context in
            let token = Self.token(of: context)
            guard service.devices.close(token) else { throw Self.unknownToken }
            let now = service.scripted.clock.now()
            service.withRegistry { $0.unregister(token, at: now) }
            return Response(status: .noContent)
        }
    }

    private static let unknownToken = ControlError.notFound(
        "no phone has this token",
        hint: "POST /devices gives a phone a token."
    )

    private static func token(of context: BasicRequestContext) -> String {
        (context.parameters.get("token") ?? "").lowercased()
    }

    /// 32 random bytes, as Apple's tokens are today.
    private static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
