import MartletTransport
import NIOCore
import Synchronization

/// What happens to the requests of a simulated FCM.
package final class FCMService: SimulatedHTTPService {
    package typealias Condition = FCMRuleCondition
    typealias ErrorCode = FCMErrorCode

    package let scripted: ScriptedService<FCMService>
    let devices = DeviceLines<FCMMessage>()
    private let registry: Mutex<FCMRegistry>
    private let ownURL = Mutex("")
    private let keys: FCMKeyPair

    package init(_ configuration: FCMSimulatorConfiguration, clock: SimulatorClock) throws {
        scripted = ScriptedService(configuration, clock: clock)
        var registry = FCMRegistry()
        registry.knownTokensOnly = configuration.knownTokensOnly
        registry.perDeviceMinute = configuration.messagesPerDeviceMinute
        for project in configuration.projects {
            registry.register(project: project, perMinute: configuration.messagesPerMinute)
        }
        for device in configuration.devices { registry.register(device) }
        self.registry = Mutex(registry)
        keys = try FCMKeyPair()
    }

    package var control: SimulatorControl { SimulatorControl(routes: FCMRoutes(service: self)) }

    package func listen(_ configuration: FCMSimulatorConfiguration, with setup: ListenerSetup) async throws {
        let streams = configuration.maxConcurrentStreams
        try await scripted.listen(port: configuration.port, maxConcurrentStreams: streams, with: setup, for: self)
        tokenURL = "https://\(setup.host):\(scripted.listener?.port ?? 0)/token"
    }

    /// The token endpoint's address, which is known when the port is.
    private(set) var tokenURL: String {
        get { ownURL.withLock { $0 } }
        set { ownURL.withLock { $0 = newValue } }
    }

    func withRegistry<Result: Sendable>(_ body: (inout FCMRegistry) throws -> Result) rethrows -> Result {
        try registry.withLock { try body(&$0) }
    }

    // MARK: Requests

    func received(_ request: HTTP2ServerRequest, on exchange: ServiceExchange) {
        let now = scripted.clock.now()
        if request.path.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).elementsEqual("/token".utf8) {
            grant(request, on: exchange, now: now)
        } else {
            send(request, on: exchange, now: now)
        }
    }

    /// The token endpoint: `POST /token`.
    private func grant(_ request: HTTP2ServerRequest, on exchange: ServiceExchange, now: Int64) {
        var record = RequestRecord(request, on: exchange, time: now, keepsBody: false)
        let form = GrantCheck.form(request.body.readableBytesView)
        let answer = registry.withLock { registry -> ServiceAnswer in
            let now = now + registry.clockSkew * 1_000
            do {
                guard request.method == "POST" else { throw FCMError(.invalidRequest, "The method must be POST") }
                let check = GrantCheck(ownURL: tokenURL, now: now / 1_000)
                let account = try check.account(form: form, in: registry)
                record.details["project"] = .string(account.project)
                record.target = account.email
                let token = registry.grant(account, now: now)
                return Self.json(
                    #"{"access_token":"\#(token)","expires_in":\#(registry.accessLifetime),"token_type":"Bearer"}"#
                )
            } catch {
                return (error as? FCMError ?? FCMError(.invalidRequest)).answer
            }
        }
        let subject = FCMRuleCondition(
            endpoint: .token,
            project: record.details["project"]?.text,
            token: record.target,
            connection: exchange.connection
        )
        let rule = scripted.rule(for: subject, isAccepted: answer.status == 200)
        scripted.finish(answer, of: record, by: rule, on: exchange, at: googleTime, scripted: Self.answer)
    }

    /// `POST /v1/projects/{project}/messages:send`
    private func send(_ request: HTTP2ServerRequest, on exchange: ServiceExchange, now: Int64) {
        var record = RequestRecord(request, on: exchange, time: now)
        let check = SendCheck(
            method: request.method,
            path: request.path,
            authorization: request.headers.first { $0.name == "authorization" }?.value,
            body: Array(request.body.readableBytesView),
            now: now
        )
        let verdict = registry.withLock { registry in
            var check = check
            check.now += registry.clockSkew * 1_000
            return check.verdict(in: &registry)
        }
        let name = "projects/\(verdict.project ?? "")/messages/\(AnswerID.make())"
        record.target = verdict.target?.device
        record.details["project"] = verdict.project.map(JSONValue.string)
        if let error = verdict.error { record.details["error"] = .string(error.text) }
        if verdict.isValidateOnly { record.details["validateOnly"] = .bool(true) }
        let answer = verdict.error?.answer ?? Self.json(#"{"name":\#(APNsAnswer.quoted(name))}"#)
        let subject = FCMRuleCondition(
            endpoint: .send,
            project: verdict.project,
            token: record.target,
            connection: exchange.connection
        )
        let rule = scripted.rule(for: subject, isAccepted: verdict.error == nil)
        let isTaken = scripted.finish(
            answer,
            of: record,
            by: rule,
            on: exchange,
            at: googleTime,
            scripted: Self.answer
        )
        if isTaken, !verdict.isValidateOnly, let content = verdict.message {
            devices.deliver(FCMMessage(name: name, time: now, content: content), to: record.target, now: now)
        }
    }

    // MARK: Answers

    private static func json(_ body: String) -> ServiceAnswer {
        ServiceAnswer(
            status: 200,
            headers: [HTTP2Header("content-type", "application/json; charset=UTF-8")],
            body: ByteBuffer(string: body)
        )
    }

    /// The answer that a rule asks for.
    private static func answer(of action: ServiceAction<FCMErrorCode>) -> ServiceAnswer {
        action.answer(success: 200) { code, retryAfter in
            var error = FCMError(code, retryAfter: retryAfter)
            if code == .quotaExceeded { error.quotaSubject = "project:simulated" }
            if code == .deviceQuotaExceeded { error.quotaSubject = "device:simulated" }
            return error.answer
        }
    }

    /// The `date` of an answer, from which a client can tell how wrong its own clock is.
    private var googleTime: Int64 { scripted.clock.now() + registry.withLock { $0.clockSkew } * 1_000 }

    /// Forgets requests, rules, access tokens and what waits for phones; keeps projects, accounts and devices.
    package func reset() {
        scripted.reset()
        registry.withLock { registry in
            registry.forgetAccess()
            registry.clockSkew = 0
        }
        devices.removeWaiting()
    }

    // MARK: Accounts and phones

    /// Makes a token or FID known and keeps its messages; `nil` when there are too many.
    func openDevice(_ token: String, project: String, platform: FCMDevice.Platform) -> String? {
        guard devices.open(token) else { return nil }
        withRegistry { registry in
            registry.register(project: project)
            registry.register(FCMDevice(token: token, project: project, platform: platform))
        }
        return token
    }

    func makeAccount(project: String) -> ServiceAccountFile {
        let account = FCMAccount(
            email: "martlet-\(FCMRegistry.randomText(count: 8).lowercased())@\(project).iam.gserviceaccount.com",
            project: project,
            keyID: AnswerID.make().replacing("-", with: ""),
            publicKey: keys.publicKey
        )
        withRegistry { $0.register(account) }
        return ServiceAccountFile(
            projectID: project,
            privateKeyID: account.keyID,
            privateKey: keys.privatePEM + "\n",
            clientEmail: account.email,
            clientID: "100000000000000000001",
            tokenURI: tokenURL
        )
    }
}
