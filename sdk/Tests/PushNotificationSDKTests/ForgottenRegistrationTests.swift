import Foundation
import MartletWire
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

@Suite("A device that is forgotten while the server was not heard", .timeLimit(.minutes(1)))
struct ForgottenRegistrationTests {
    private let server: InstallationServer
    private let fixture: Fixture

    init() {
        server = InstallationServer()
        fixture = Fixture(transport: server.transport)
    }

    private func forget(_ client: PushClient) async -> PushNotificationError? {
        await withCheckedContinuation { continuation in
            client.forgetDevice { continuation.resume(returning: $0.failure) }
        }
    }

    private func becomeActive(_ client: PushClient) async {
        client.didBecomeActive()
        await client.registrar.settled()
    }

    /// A client whose registration ended without an answer, and waits to be tried again.
    ///
    /// - Parameter isTaken: whether the server did what it was told.
    private func unheard(
        _ client: PushClient? = nil,
        token: UInt8 = 0xAB,
        isTaken: Bool = true
    ) async throws -> PushClient {
        (server.losesAnswers, server.isOffline) = (isTaken, !isTaken)
        let client = try client ?? fixture.client(.valid(player: "p"))
        try client.registrar.register(.token(token), within: nil)
        _ = await fixture.clock.sleeps.wait(for: 1)
        try #require(server.devices.map(\.owner) == (isTaken ? ["p"] : []))
        (server.losesAnswers, server.isOffline) = (false, false)
        return client
    }

    /// Forgets the device in the process whose registration waits to be tried again.
    private func forgetWaiting(_ client: PushClient) async -> PushNotificationError? {
        let ends = Journal<PushNotificationError?>()
        client.forgetDevice { ends.add($0.failure) }
        await fixture.clock.passSleep(1)
        return await ends.wait(for: 1).first ?? nil
    }

    @Test("is deleted there, whether the server took its first registration or not", arguments: [true, false])
    func firstAnswer(isTaken: Bool) async throws {
        let client = try await unheard(isTaken: isTaken)
        #expect(await forgetWaiting(client) == nil)
        #expect(server.devices.isEmpty)
        let calls = fixture.transport.calls.entries
        #expect(calls.map(\.method) == ["POST", "POST", "DELETE"])
        #expect(calls[1].headers[HeaderName.installationSecret] == nil)
        let (first, again) = (fixture.registrations[0], fixture.registrations[1])
        #expect(again.installationID == first.installationID && again.token == first.token)
        #expect(again.userID == .null)
        #expect(try client.context.identity.forgotten().isEmpty)
        let left = try #require(fixture.storage.values["martlet.installation"])
        for word in [first.installationID.description, first.token ?? "-"] {
            #expect(!String(decoding: left, as: UTF8.self).contains(word))
        }
    }

    @Test("is deleted by the next launch where the server could not be reached then either")
    func nextLaunch() async throws {
        let client = try await unheard()
        server.isOffline = true
        #expect(await forgetWaiting(client) == .networkError(TransportError.unreachable("offline")))
        client.close()
        server.isOffline = false
        let next = try fixture.client()
        _ = try await next.register(.token())
        #expect(server.devices.map(\.owner) == [nil])
        #expect(server.deleted == [fixture.registrations[0].installationID])
        #expect(try next.context.identity.forgotten().isEmpty)
    }

    @Test("is deleted where the process that registered it has ended since")
    func afterRelaunch() async throws {
        let client = try await unheard()
        client.close()
        let next = try fixture.client()
        #expect(await forget(next) == nil)
        #expect(server.devices.isEmpty)
    }

    @Test("is deleted with its new secret where the server issued one with another token")
    func rotated() async throws {
        let client = try fixture.client(.valid(player: "p"))
        _ = try await client.register(.token(1))
        _ = try await unheard(client, token: 2)
        #expect(await forgetWaiting(client) == nil)
        #expect(server.devices.isEmpty)
        let secrets = fixture.transport.calls.entries.map { $0.headers[HeaderName.installationSecret] }
        #expect(secrets == [nil, "s1", "s1", "s3"])
    }

    @Test("is told to nobody where the server refused its registration")
    func refused() async throws {
        fixture.transport.answer { _, _ in .success(.error(403, .forbidden)) }
        let client = try fixture.client()
        #expect(await client.outcome().failure?.errorCode == 5)
        #expect(await forget(client) == nil)
        #expect(fixture.transport.calls.entries.count == 1)
    }

    @Test("an installation that begins anew, because another token came after the lost answer, leaves none behind")
    func renewed() async throws {
        try await unheard(token: 1).close()
        let next = try fixture.client(.valid(player: "p"))
        _ = try await next.register(.token(2))
        #expect(server.devices.count == 2)
        await becomeActive(next)
        #expect(try server.devices.map(\.id) == [next.context.identity.installationID()])
        #expect(server.devices.map(\.owner) == ["p"])
    }

    @Test("is not registered again once the next installation has its token")
    func takenOver() async throws {
        let client = try await unheard()
        let old = try client.context.identity.installationID()
        server.refuse(old)
        #expect(await forgetWaiting(client)?.errorCode == 5)
        let ended: PushNotificationError? = await withCheckedContinuation { continuation in
            client.login("q") { continuation.resume(returning: $0.failure) }
        }
        #expect(ended == nil)
        server.refuse(nil)
        await becomeActive(client)
        #expect(try client.context.identity.forgotten().isEmpty)
        #expect(server.devices.map(\.owner) == ["q"])
        #expect(fixture.registrations.map { $0.installationID == old } == [true, true, true, false])
    }
}

/// A server that admits installations as Martlet does, and may not be heard.
private final class InstallationServer: Sendable {
    struct Device: Sendable {
        var id: PublicID
        var token: String?
        var owner: String?
        var secret: String
        var previous: String?
        var isConfirmed = false
    }

    fileprivate struct State {
        var known: [Device] = []
        var deleted: [PublicID] = []
        var issued = 0
        var losesAnswers = false
        var isOffline = false
        var refused: PublicID?
    }

    private let state = Locked(State())
    let transport = ScriptedTransport(.failure(.cancelled))

    init() {
        transport.answer { [weak self] call, _ in self?.answer(to: call) ?? .failure(.cancelled) }
    }

    /// The installations that have a device.
    var devices: [Device] { state.with { $0.known.filter { $0.token != nil } } }
    /// Those that were deleted.
    var deleted: [PublicID] { state.with { $0.deleted } }

    /// Whether it does what it is told, and is not heard.
    var losesAnswers: Bool {
        get { state.with { $0.losesAnswers } }
        set { state.with { $0.losesAnswers = newValue } }
    }

    /// Whether nothing is reached.
    var isOffline: Bool {
        get { state.with { $0.isOffline } }
        set { state.with { $0.isOffline = newValue } }
    }

    /// Fails at the registrations of an installation.
    func refuse(_ id: PublicID?) { state.with { $0.refused = id } }

    private func answer(to call: HTTPCall) -> Result<HTTPAnswer, TransportError> {
        state.with { state -> Result<HTTPAnswer, TransportError> in
            guard !state.isOffline else { return .failure(.unreachable("offline")) }
            let answer = call.method == "DELETE" ? state.delete(call) : state.register(call)
            return state.losesAnswers ? .failure(.timedOut) : .success(answer)
        }
    }
}

extension InstallationServer.State {
    fileprivate mutating func delete(_ call: HTTPCall) -> HTTPAnswer {
        let id = PublicID(call.url.lastPathComponent)
        guard let index = known.firstIndex(where: { $0.id == id }),
            known[index].secret == call.headers[HeaderName.installationSecret]
        else { return .error(401, .installationSecretRequired) }
        guard known[index].token != nil else { return .error(404, .notFound) }
        (known[index].token, known[index].owner, known[index].isConfirmed) = (nil, nil, true)
        deleted.append(known[index].id)
        return HTTPAnswer(status: 204)
    }

    fileprivate mutating func register(_ call: HTTPCall) -> HTTPAnswer {
        guard let request = call.registration, let token = request.token else { return .error(404, .notFound) }
        guard request.installationID != refused else { return .error(500, .internalError) }
        let presented = call.headers[HeaderName.installationSecret]
        let index = known.firstIndex { $0.id == request.installationID }
        var device = index.map { known[$0] } ?? InstallationServer.Device(id: request.installationID, secret: "")
        var isIssued = true
        if index != nil, presented == device.secret {
            device.isConfirmed = true
            isIssued = device.token != nil && device.token != token
            if isIssued { (device.previous, device.isConfirmed) = (device.secret, false) }
        } else if index != nil {
            let isOld = presented == nil || presented == device.previous
            guard isOld, !device.isConfirmed, device.token == token else {
                return .error(401, .installationSecretRequired)
            }
        }
        if isIssued {
            issued += 1
            device.secret = "s\(issued)"
        }
        device.token = token
        switch request.userID {
        case .unset: break
        case .null: device.owner = nil
        case .value(let user): device.owner = user
        }
        // A token is one device.
        for other in known.indices where known[other].token == token {
            (known[other].token, known[other].owner) = (nil, nil)
        }
        if let index { known[index] = device } else { known.append(device) }
        var call = call
        if isIssued { call.headers[HeaderName.installationSecret] = nil }
        return .registered(by: call, secret: device.secret)
    }
}
