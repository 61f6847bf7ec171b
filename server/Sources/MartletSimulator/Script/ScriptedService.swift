import Logging
import MartletTransport
import NIOCore
import Synchronization

/// What the simulated HTTP services share: rules, a log of requests, connections, and the port.
final class ScriptedService<Condition: RuleCondition>: Sendable {
    let clock: SimulatorClock
    let connections = ServiceConnections()
    private let rules: Mutex<ScriptedRules<ServiceRule<Condition>>>
    private let log: Mutex<RecordLog<RequestRecord>>
    private let held = Mutex<SimulatorListener?>(nil)

    init(rules: [ServiceRule<Condition>], seed: UInt64, receivedLimit: Int, clock: SimulatorClock) {
        var book = ScriptedRules<ServiceRule<Condition>>(seed: seed)
        for rule in rules { _ = book.add(rule) }
        self.rules = Mutex(book)
        log = Mutex(RecordLog(limit: receivedLimit))
        self.clock = clock
    }

    /// The port, once it listens.
    var listener: SimulatorListener? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    /// Listens by HTTP/2 and HTTP/1.1 and hands each request to the service.
    func listen(
        _ configuration: HTTP2ServerConfiguration,
        group: any EventLoopGroup,
        logger: Logger,
        for service: any SimulatedHTTPService
    ) async throws -> SimulatorListener {
        let connections = connections
        var configuration = configuration
        let bodyLimit = configuration.maxBodyBytes
        configuration.http1 = {
            try HTTP1Connection.take($0, service: service, connections: connections, bodyLimit: bodyLimit)
        }
        let listener = try await SimulatorListener.start(configuration, group: group, logger: logger) {
            ServiceConnection($0, service: service, connections: connections)
        }
        self.listener = listener
        return listener
    }

    func rule(for subject: Condition.Subject, isAccepted: Bool) -> ServiceRule<Condition>? {
        rules.withLock { rules in
            rules.rules.isEmpty ? nil : rules.rule(for: RuledRequest(subject: subject, isAccepted: isAccepted))
        }
    }

    func withRules<Result: Sendable>(_ body: (inout ScriptedRules<ServiceRule<Condition>>) -> Result) -> Result {
        rules.withLock { body(&$0) }
    }

    func withLog<Result: Sendable>(_ body: (inout RecordLog<RequestRecord>) -> Result) -> Result {
        log.withLock { body(&$0) }
    }

    /// Does what the rule says, or gives the answer, and records which.
    ///
    /// - Parameter scripted: the answer of a rule that brings its own.
    /// - Returns: whether the request was answered with success.
    @discardableResult
    func finish(
        _ answer: ServiceAnswer,
        of record: RequestRecord,
        by rule: ServiceRule<Condition>?,
        on exchange: ServiceExchange,
        scripted: (ServiceAction<Condition.ErrorCode>) -> ServiceAnswer
    ) -> Bool {
        var answer = answer
        var record = record
        let action = rule?.action ?? ServiceAction()
        let delay = rule?.delay ?? 0
        switch action.kind {
        case .proceed: break
        case .respond: answer = scripted(action)
        case .hang: record.outcome = .hung
        case .reset:
            record.outcome = .reset
            after(delay, on: exchange) { $0.reset(code: action.code) }
        case .abort:
            record.outcome = .aborted
            after(delay, on: exchange) { $0.abort() }
        case .goAway:
            exchange.goAway(processed: action.processed, code: action.code)
            if !action.processed { record.outcome = .unprocessed }
        case .stopListening:
            if let listener { Task { await listener.stop(action.mode, milliseconds: action.milliseconds) } }
        }
        if record.outcome == .answered {
            record.status = Int16(clamping: answer.status)
            record.reason = answer.reason
        }
        let isAnswered = record.outcome == .answered
        log.withLock { $0.append(record) }
        if isAnswered { after(delay, on: exchange) { [answer] in $0.respond(answer) } }
        return isAnswered && (200..<300).contains(answer.status)
    }

    /// Now without a delay, else when the milliseconds are over.
    private func after(_ milliseconds: Int, on exchange: ServiceExchange, _ body: @escaping (ServiceExchange) -> Void) {
        guard milliseconds > 0 else { return body(exchange) }
        exchange.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) { body(exchange) }
    }

    /// Forgets requests and rules.
    func reset() {
        withRules { $0.removeAll() }
        withLog { $0.removeAll() }
    }
}
