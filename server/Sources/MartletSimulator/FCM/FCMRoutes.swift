import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the control API for the simulated FCM, below `/fcm`.
struct FCMRoutes: ControlRouteSet {
    let service: FCMService

    func add(to router: Router<BasicRequestContext>) {
        let group = router.group("/fcm")
        group.get("/state") { _, _ in try Response.json(await service.state()) }
        let routes = ServiceRoutes(service: service)
        routes.add(to: group)
        routes.connections(group)
        registry(group)
        scripts(group)
        devices(group)
    }

    private func registry(_ group: RouterGroup<BasicRequestContext>) {
        group.command("/projects") { (document: FCMProjectDocument) in
            service.withRegistry {
                $0.register(
                    project: document.project,
                    perMinute: document.messagesPerMinute,
                    hasAPNsKey: document.apnsKey
                )
            }
        }
        group.post("/accounts") { request, _ in
            let document = try await request.document(FCMAccountDocument.self)
            guard let project = document.project else {
                guard service.withRegistry({ $0.revoke(document.email ?? "", isRevoked: document.revoked) }) else {
                    throw ControlError.notFound("no account has this email", hint: "GET /fcm/state lists them.")
                }
                return Response(status: .noContent)
            }
            return try Response.json(service.makeAccount(project: project), status: .created)
        }
        group.command("/tokens") { (document: TokensDocument<FCMTokenDocument>) in
            service.withRegistry { registry in
                for device in document.devices { registry.register(device.device) }
                if let only = document.knownTokensOnly { registry.knownTokensOnly = only }
            }
        }
    }

    private func scripts(_ group: RouterGroup<BasicRequestContext>) {
        group.command("/access-tokens") { (document: FCMAccessDocument) in
            service.withRegistry { registry in
                if document.expire { registry.expireAccess() }
                if let lifetime = document.lifetime { registry.accessLifetime = Int64(lifetime) }
            }
        }
        group.command("/clock") { (document: FCMClockDocument) in
            service.withRegistry { $0.clockSkew = Int64(document.skew) }
        }
    }

    private func devices(_ group: RouterGroup<BasicRequestContext>) {
        group.post("/devices") { request, _ in
            let document = try await request.document(FCMDeviceDocument.self)
            let new = document.kind == .fid ? FCMRegistry.newFID() : FCMRegistry.newToken()
            guard let token = service.openDevice(new, project: document.project, platform: document.platform) else {
                throw ControlError.tooMany(
                    "devices",
                    "\(DeviceLines<FCMMessage>.limit) phones have a token",
                    "Give some back with DELETE /fcm/devices/{token}."
                )
            }
            return try Response.json(DeviceTokenDocument(token: token), status: .created)
        }
        group.get("/devices/{token}/messages") { request, context in
            let (items, next) = try await DeviceReading(request).items(
                of: context.part("token"),
                on: service.devices,
                clock: service.scripted.clock,
                unknown: Self.unknownToken
            )
            return try Response.json(FCMDevicePage(messages: items.map(FCMDeviceMessage.init), next: next))
        }
        group.delete("/devices/{token}") { _, context in
            let token = context.part("token")
            guard service.devices.close(token) else { throw Self.unknownToken }
            service.withRegistry { $0.unregister(token) }
            return Response(status: .noContent)
        }
    }

    private static let unknownToken = ControlError.notFound(
        "no phone has this token",
        hint: "POST /fcm/devices gives a phone a token."
    )
}

extension FCMService {
    func state() async -> FCMStateDocument {
        let isListening = await scripted.listener?.isListening ?? false
        let rules = scripted.withRules { $0.rules.count }
        return withRegistry { registry in
            FCMStateDocument(
                port: scripted.listener?.port ?? 0,
                isListening: isListening,
                tokenURL: tokenURL,
                connections: scripted.connections.documents,
                connectionsSeen: scripted.connections.seen,
                projects: registry.projects.keys.sorted(),
                accounts: registry.accounts.keys.sorted(),
                accessTokens: registry.access.count,
                tokens: registry.devices.count,
                knownTokensOnly: registry.knownTokensOnly,
                rules: rules
            )
        }
    }
}
