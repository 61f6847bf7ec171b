import MartletTransport
import NIOCore
import NIOHTTP1
import Synchronization

/// A simulated service that is spoken to by HTTP/2 or HTTP/1.1.
protocol SimulatedHTTPService: SimulatedService
where Record == RequestRecord, Connection == OpenHTTPConnection, Condition.Action == ServiceAction<ErrorCode> {
    /// The errors that the service's rules can answer with, by name.
    associatedtype ErrorCode: RuleErrorCode

    /// A request has arrived whole; called on its connection's event loop. It may be answered now or later.
    func received(_ request: HTTP2ServerRequest, on exchange: ServiceExchange)
}

extension ScriptedService where Service: SimulatedHTTPService {
    /// The port, once it listens.
    var listener: SimulatorListener? { listeners().first }

    /// Listens by HTTP/2 and HTTP/1.1 and hands each request to the service.
    func listen(port: Int, maxConcurrentStreams: Int, with setup: ListenerSetup, for service: Service) async throws {
        let connections = connections
        var configuration = HTTP2ServerConfiguration(
            host: setup.host,
            port: port,
            tls: setup.tls,
            maxConcurrentStreams: maxConcurrentStreams
        )
        let bodyLimit = configuration.maxBodyBytes
        configuration.http1 = { connection in
            let pipeline = connection.channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
            try pipeline.addHandler(
                HTTP1Connection(connection, service: service, connections: connections, bodyLimit: bodyLimit)
            )
        }
        try await listen(configuration, with: setup) {
            ServiceConnection($0, service: service, connections: connections)
        }
    }

    /// Does what the rule says, or gives the answer, and records which.
    ///
    /// - Parameters:
    ///   - time: what the answer is dated: milliseconds since 1970.
    ///   - scripted: the answer of a rule that brings its own.
    /// - Returns: whether the request was answered with success.
    @discardableResult
    func finish(
        _ answer: ServiceAnswer,
        of record: RequestRecord,
        by rule: ServiceRule<Service.Condition>?,
        on exchange: ServiceExchange,
        at time: Int64,
        scripted: (ServiceAction<Service.ErrorCode>) -> ServiceAnswer
    ) -> Bool {
        var answer = answer
        var record = record
        let action = rule?.action ?? .proceed
        let delay = rule?.delay ?? 0
        switch action.kind {
        case .proceed: break
        case .respond: answer = scripted(action)
        case .hang: record.outcome = .hung
        case .reset:
            record.outcome = .reset
            exchange.after(delay) { $0.reset(code: action.code) }
        case .abort:
            record.outcome = .aborted
            exchange.after(delay) { $0.abort() }
        case .goAway:
            exchange.goAway(processed: action.processed, code: action.code)
            if !action.processed { record.outcome = .unprocessed }
        case .stopListening: stopListening(action.mode, action.milliseconds)
        }
        let isAnswered = record.outcome == .answered
        if isAnswered {
            record.status = Int16(clamping: answer.status)
            record.reason = answer.reason
        }
        withLog { [record] in $0.append(record) }
        guard isAnswered else { return false }
        answer.headers.append(HTTP2Header("date", dates.withLock { $0.text(at: time) }))
        exchange.after(delay) { [answer] in $0.respond(answer) }
        return (200..<300).contains(answer.status)
    }
}
