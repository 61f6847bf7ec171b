import Foundation
import MartletTransport
import NIOCore
import Synchronization

/// What happens to the requests of the simulated push services.
final class WebPushService: SimulatedHTTPService {
    let scripted: ScriptedService<WebPushRuleCondition>
    let lines = DeviceLines<WebPushMailbox>()
    let browsers = BrowserLinks()
    private let registry = Mutex(WebPushRegistry())
    private let dates = Mutex(HTTPDate())

    init(_ configuration: WebPushSimulatorConfiguration, clock: SimulatorClock) {
        scripted = ScriptedService(
            rules: configuration.rules,
            seed: configuration.seed,
            receivedLimit: configuration.receivedLimit,
            clock: clock
        )
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
        let subject = WebPushRuleCondition.Subject(
            service: service,
            subscription: verdict.subscription?.id,
            urgency: verdict.urgency,
            connection: exchange.connection
        )
        let rule = scripted.rule(for: subject, isAccepted: verdict.error == nil)
        let isTaken = scripted.finish(dated(answer, now), of: record, by: rule, on: exchange) {
            dated(Self.answer(of: $0, at: service), now)
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

    /// The answer that a rule asks for.
    private static func answer(
        of action: ServiceAction<WebPushErrorCode>,
        at service: PushServiceKind
    ) -> ServiceAnswer {
        var answer = ServiceAnswer(status: action.status ?? 201)
        if let code = action.errorCode {
            answer = service.answer(to: WebPushError(code), retryAfter: action.retryAfter)
            answer.status = action.status ?? answer.status
        } else if let retryAfter = action.retryAfter {
            answer.headers.append(HTTP2Header("retry-after", "\(retryAfter)"))
        }
        if let body = action.body { answer.body = ByteBuffer(string: body) }
        return answer
    }

    private func dated(_ answer: ServiceAnswer, _ now: Int64) -> ServiceAnswer {
        var answer = answer
        answer.headers.append(HTTP2Header("date", dates.withLock { $0.text(at: now) }))
        return answer
    }

    /// Whose words an unknown address is refused in: by the host that was asked for.
    private static func service(ofHost host: String?) -> PushServiceKind {
        PushServiceKind.allCases.first { $0.origin?.dropFirst(8) == host?[...] } ?? .other
    }

    func reset() {
        scripted.reset()
        lines.removeWaiting()
        browsers.removeAcknowledgements()
    }
}
