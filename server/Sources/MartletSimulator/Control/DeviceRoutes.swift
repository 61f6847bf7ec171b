import HTTPTypes
import Hummingbird

/// The routes by which phones take tokens and receive pushes.
struct DeviceRoutes: Sendable {
    let service: SimulatedService

    func add(to router: Router<BasicRequestContext>) {
        router.post("/devices") { request, _ in
            let document = try await request.document(DeviceDocument.self)
            let token = Self.newToken()
            guard service.devices.open(token) else {
                throw ControlError(
                    status: .conflict,
                    code: "too_many_devices",
                    message: "\(DeviceLines<DeviceMailbox>.limit) phones have a token",
                    hint: "Give some back with DELETE /devices/{token}."
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
            let reading = try DeviceReading(request)
            let items = await reading.items(of: token(of: context), on: service.devices, clock: service.clock)
            guard let items else { throw Self.unknownToken }
            let next = items.last?.seq ?? reading.after
            return try Response.json(DevicePage(pushes: items.map(DevicePush.init), next: next))
        }
        router.delete("/devices/{token}") { _, context in
            let token = token(of: context)
            guard service.devices.close(token) else { throw Self.unknownToken }
            let now = service.clock.now()
            service.withRegistry { $0.unregister(token, at: now) }
            return Response(status: .noContent)
        }
    }

    private static let unknownToken = ControlError.notFound(
        "no phone has this token",
        hint: "POST /devices gives a phone a token."
    )

    private func token(of context: BasicRequestContext) -> String {
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
