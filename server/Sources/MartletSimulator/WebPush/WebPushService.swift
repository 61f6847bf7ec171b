import Foundation
import MartletTransport
import NIOCore
import Synchronization

/// What happens to the requests of the simulated push services.
package final class WebPushService: SimulatedHTTPService {
    package typealias Condition = WebPushRuleCondition
    typealias ErrorCode = WebPushErrorCode

    package let scripted: ScriptedService<WebPushService>
    let lines = DeviceLines<WebPushMessage>()
    let browsers = BrowserLinks()
    private let registry = Mutex(WebPushRegistry())
    private let browserPorts = Mutex<BrowserListener?>(nil)

    package init(_ configuration: WebPushSimulatorConfiguration, clock: SimulatorClock) {
        scripted = ScriptedService(configuration, clock: clock)
    }

    package var control: SimulatorControl { SimulatorControl(routes: WebPushRoutes(service: self)) }

    /// The ports of real browsers, once they listen.
    var browserListener: BrowserListener? { browserPorts.withLock { $0 } }

    package func listen(_ configuration: WebPushSimulatorConfiguration, with setup: ListenerSetup) async throws {
        let streams = configuration.maxConcurrentStreams
        try await scripted.listen(port: configuration.port, maxConcurrentStreams: streams, with: setup, for: self)
        let own = "https://\(setup.host):\(scripted.listener?.port ?? 0)"
        withRegistry { $0.ownOrigin = own }
        let forBrowsers = try await BrowserListener.start(
            port: configuration.browserPort,
            messagePort: configuration.messagePort,
            with: setup,
            service: self
        )
        browserPorts.withLock { $0 = forBrowsers }
    }

    package func shutdown() async {
        await browserListener?.shutdown()
    }

    func withRegistry<Result: Sendable>(_ body: (inout WebPushRegistry) throws -> Result) rethrows -> Result {
        try registry.withLock { try body(&$0) }
    }

    // MARK: Pushes

    func received(_ request: HTTP2ServerRequest, on exchange: ServiceExchange) {
        let now = scripted.clock.now()
        var record = RequestRecord(request, on: exchange, time: now, keepsBody: false)
        let check = PushCheck(
            method: request.method,
            path: request.path,
            headers: Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first },
            // A body that was cut short is larger than any service takes.
            size: request.isBodyTruncated ? .max : request.body.readableBytes,
            now: Double(now) / 1_000
        )
        let verdict = registry.withLock { check.verdict(in: $0) }
        let message = message(of: request, verdict, now: now)
        describe(verdict, message, bytes: request.body.readableBytes, in: &record)
        let service = verdict.subscription?.service ?? Self.service(ofHost: check.headers["host"])
        let answer = verdict.error.map { service.answer(to: $0) } ?? accepted(verdict, message)
        let subject = WebPushRuleCondition(
            service: service,
            subscription: verdict.subscription?.id,
            urgency: verdict.urgency,
            connection: exchange.connection
        )
        let rule = scripted.rule(for: subject, isAccepted: verdict.error == nil)
        let isTaken = scripted.finish(answer, of: record, by: rule, on: exchange, at: now) { action in
            action.answer(success: 201) { service.answer(to: WebPushError($0), retryAfter: $1) }
        }
        guard isTaken, rule?.action.errorCode == nil, let message, let subscription = verdict.subscription else {
            return
        }
        deliver(message, to: subscription, now: now)
    }

    private func message(of request: HTTP2ServerRequest, _ verdict: PushVerdict, now: Int64) -> WebPushMessage? {
        guard verdict.error == nil, let subscription = verdict.subscription else { return nil }
        let body = Array(request.body.readableBytesView)
        var opened: Result<[UInt8], DecryptionFailure>?
        if case .simulated(let keys) = subscription.agent, !body.isEmpty {
            do {
                opened = .success(try keys.open(body))
            } catch {
                opened = .failure(error)
            }
        }
        return WebPushMessage(
            id: AnswerID.make(),
            time: now,
            timeToLive: verdict.timeToLive ?? 0,
            urgency: verdict.urgency,
            topic: verdict.topic,
            body: body,
            opened: opened
        )
    }

    private func deliver(_ message: WebPushMessage, to subscription: PushSubscription, now: Int64) {
        registry.withLock { $0.count(subscription.id) }
        guard case .browser(let agent, _) = subscription.agent else {
            return lines.deliver(message, to: subscription.id, now: now)
        }
        lines.deliver(message, to: subscription.id, now: now, isOn: browsers.isConnected(agent))
        browsers.wake(agent)
    }

    /// What a reader of the record wants to know; of the signature only what it says.
    private func describe(
        _ verdict: PushVerdict,
        _ message: WebPushMessage?,
        bytes: Int,
        in record: inout RequestRecord
    ) {
        record.target = verdict.subscription?.id
        record.details["service"] = verdict.subscription.map { .string($0.service.rawValue) }
        record.details["bodyBytes"] = .integer(Int64(bytes))
        if let error = verdict.error { record.details["error"] = .string(error.message) }
        if let claims = verdict.claims {
            record.details["vapid"] = .object([
                "aud": .string(claims.audience), "exp": .number(claims.expires),
                "sub": claims.subject.map(JSONValue.string) ?? .null,
                "k": .string(Base64URL.encode(claims.publicKey)),
            ])
        }
        switch message?.opened {
        case .success(let bytes): record.body = bytes
        case .failure(let failure): record.details["undecryptable"] = .string(failure.rawValue)
        case nil: break
        }
    }

    // MARK: Answers

    /// RFC 8030 section 5: 201 with the message's address, and the time that it is kept.
    private func accepted(_ verdict: PushVerdict, _ message: WebPushMessage?) -> ServiceAnswer {
        var headers = [
            HTTP2Header("location", "\(verdict.subscription?.origin ?? "")/m/\(message?.id ?? "")"),
            HTTP2Header("ttl", "\(verdict.timeToLive ?? 0)"),
        ]
        if verdict.subscription?.service == .microsoft {
            headers.append(HTTP2Header("x-wns-notificationstatus", "received"))
        }
        return ServiceAnswer(status: 201, headers: headers)
    }

    /// Whose words an unknown address is refused in: by the host that was asked for.
    private static func service(ofHost host: String?) -> PushServiceKind {
        PushServiceKind.allCases.first { $0.origin?.dropFirst(8) == host?[...] } ?? .other
    }

    /// Forgets requests, rules, acknowledgements and what waits; keeps subscriptions and browsers.
    package func reset() {
        scripted.reset()
        lines.removeWaiting()
        browsers.removeAcknowledgements()
    }

    func subscribe(_ kind: PushServiceKind, key: Data?, sizeLimit: Int?) -> WebPushSubscriptionDocument? {
        let keys = UserAgentKeys()
        let subscription = withRegistry {
            $0.subscribe(kind, key: key, agent: .simulated(keys), sizeLimit: sizeLimit ?? PushCheck.sizeLimit)
        }
        if let subscription { _ = lines.open(subscription.id) }
        return subscription.map { WebPushSubscriptionDocument($0) }
    }
}
