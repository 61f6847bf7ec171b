import MartletTransport
import NIOCore
import Synchronization

/// What happens to the requests of a simulated FCM.
final class FCMService: SimulatedHTTPService {
    let scripted: ScriptedService<FCMRuleCondition>
    let devices = DeviceLines<FCMMailbox>()
    private let registry: Mutex<FCMRegistry>
    private let dates = Mutex(HTTPDate())
    private let ownURL = Mutex("")
    let keys: FCMKeyPair

    init(_ configuration: FCMSimulatorConfiguration, keys: FCMKeyPair, clock: SimulatorClock) {
        scripted = ScriptedService(
            rules: configuration.rules,
            seed: configuration.seed,
            receivedLimit: configuration.receivedLimit,
            clock: clock
        )
        var registry = FCMRegistry()
        registry.knownTokensOnly = configuration.knownTokensOnly
        registry.perDeviceMinute = configuration.messagesPerDeviceMinute
        for project in configuration.projects {
            registry.register(project: project, perMinute: configuration.messagesPerMinute)
        }
        for device in configuration.devices { registry.register(device) }
        self.registry = Mutex(registry)
        self.keys = keys
    }

    /// The token endpoint's address, which is known when the port is.
    var tokenURL: String {
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
        let subject = FCMRuleCondition.Subject(
            endpoint: .token,
            project: record.details["project"]?.text,
            token: record.target,
            connection: exchange.connection
        )
        let rule = scripted.rule(for: subject, isAccepted: answer.status == 200)
        scripted.finish(dated(answer), of: record, by: rule, on: exchange) { dated(Self.answer(of: $0)) }
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
        let subject = FCMRuleCondition.Subject(
            endpoint: .send,
            project: verdict.project,
            token: record.target,
            connection: exchange.connection
        )
        let rule = scripted.rule(for: subject, isAccepted: verdict.error == nil)
        let isTaken = scripted.finish(dated(answer), of: record, by: rule, on: exchange) {
            dated(Self.answer(of: $0))
        }
        if isTaken, !verdict.isValidateOnly, let content = verdict.message {
            devices.deliver(FCMMessage(name: name, time: now, content: content), to: record.target, now: now)
        }
    }

    // MARK: Answers

    static func json(_ body: String) -> ServiceAnswer {
        ServiceAnswer(
            status: 200,
            headers: [HTTP2Header("content-type", "application/json; charset=UTF-8")],
            body: ByteBuffer(string: body)
        )
    }

    /// The answer that a rule asks for.
    static func answer(of action: ServiceAction<FCMErrorCode>) -> ServiceAnswer {
        var answer = ServiceAnswer(status: action.status ?? 200)
        if let code = action.errorCode {
            var error = FCMError(code, retryAfter: action.retryAfter)
            if code == .quotaExceeded { error.quotaSubject = "project:simulated" }
            if code == .deviceQuotaExceeded { error.quotaSubject = "device:simulated" }
            answer = error.answer
            answer.status = action.status ?? answer.status
        } else if let retryAfter = action.retryAfter {
            answer.headers.append(HTTP2Header("retry-after", "\(retryAfter)"))
        }
        if let body = action.body { answer.body = ByteBuffer(string: body) }
        return answer
    }

    /// With Google's `date`, from which a client can tell how wrong its own clock is.
    private func dated(_ answer: ServiceAnswer) -> ServiceAnswer {
        let now = scripted.clock.now() + registry.withLock { $0.clockSkew } * 1_000
        var answer = answer
        answer.headers.append(HTTP2Header("date", dates.withLock { $0.text(at: now) }))
        return answer
    }

    func reset() {
        scripted.reset()
        registry.withLock { registry in
            registry.forgetAccess()
            registry.clockSkew = 0
        }
        devices.removeWaiting()
    }
}
