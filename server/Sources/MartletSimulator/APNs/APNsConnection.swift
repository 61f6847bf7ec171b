package import MartletTransport
import NIOCore
import NIOSSL

/// One client's connection: hands each push to the checks and the rules and does what they say.
///
/// Lives on the connection's event loop.
package final class APNsConnection: HTTP2ServerHandler {
    private let service: APNsService
    private let environment: APNsEnvironment
    private let connection: HTTP2ServerConnection
    private var id = 0
    private var identity = ConnectionIdentity()
    private var date = HTTPDate()
    private var requests = 0
    private var answers = 0
    private var maxStreams: Int
    /// Whether the streams allowed have been set since the connection began.
    private var isOpened = false
    /// The last stream that GOAWAY named; `nil` before it.
    private var lastStream: Int32?
    /// The highest stream whose push was taken on: GOAWAY must not name a lower one (RFC 9113 section 6.8).
    private var highestTaken: Int32 = 0
    private var isClosed = false

    init(_ connection: HTTP2ServerConnection, environment: APNsEnvironment, service: APNsService) {
        self.connection = connection
        self.environment = environment
        self.service = service
        maxStreams = service.streamsBeforeAuthentication
        id = service.scripted.connections.add(NIOLoopBound(self, eventLoop: connection.eventLoop))
        guard let der = try? connection.peerCertificate?.toDERBytes() else { return }
        identity.certificate = service.identity(of: der)
        // In the loop's next turn, so that it follows the connection's first SETTINGS.
        connection.eventLoop.assumeIsolated().execute { self.open() }
    }

    package func received(_ request: HTTP2ServerRequest, on stream: HTTP2ServerStream) {
        requests += 1
        let now = service.scripted.clock.now()
        let pushRequest = APNsRequest(request)
        var verdict = Verdict()
        var answer: APNsAnswer?
        var outcome = ReceivedOutcome.unprocessed
        if let lastStream, stream.id > lastStream {
            answers += 1
        } else {
            let check = APNsCheck(request: pushRequest, environment: environment, now: now)
            let (found, rule) = service.judge(check, from: id, known: &identity)
            verdict = found
            var checked = APNsAnswer(verdict, to: pushRequest, environment: environment)
            outcome = perform(rule, &checked, on: stream, opening: verdict.credential != nil, now: now)
            if outcome == .answered { answer = checked }
            if outcome != .unprocessed { highestTaken = max(highestTaken, stream.id) }
        }
        service.record(
            PackedPush(
                request,
                keyID: verdict.credential?.keyID,
                answerID: answer?.id,
                time: now,
                connection: id,
                stream: stream.id,
                environment: environment,
                outcome: outcome,
                status: answer?.status ?? 0,
                reason: answer?.reason
            )
        )
    }

    package func closed() {
        isClosed = true
        service.scripted.connections.remove(id)
    }

    // MARK: Rules

    private func perform(
        _ rule: SimulatorRule?,
        _ answer: inout APNsAnswer,
        on stream: HTTP2ServerStream,
        opening: Bool,
        now: Int64
    ) -> ReceivedOutcome {
        switch rule?.action ?? .proceed {
        case .proceed: break
        case .respond(let status, let reason, let timestamp):
            answer.become(status: status, reason: reason, timestamp: timestamp, now: now)
        case .hang: return .hung
        case .reset(let code):
            answers += 1
            after(rule?.delay) { _ in stream.reset(errorCode: code) }
            return .reset
        case .abort:
            after(rule?.delay) { $0.connection.abort() }
            return .aborted
        case .goAway(let reason, let code, let processed):
            if processed {
                goAway(reason: reason, code: code, lastStreamID: max(stream.id, highestTaken))
            } else {
                disown(stream, reason: reason, code: code)
                return .unprocessed
            }
        case .maxStreams(let count): setMaxStreams(count)
        case .pauseReading(let milliseconds):
            connection.pauseReading()
            after(milliseconds) { $0.connection.resumeReading() }
        case .withholdWindow: connection.withholdWindow()
        case .stopListening(let mode, let milliseconds):
            service.scripted.stopListening(mode, milliseconds, environment: environment)
        }
        respond(answer, on: stream, opening: opening, after: rule?.delay)
        return .answered
    }

    /// - Parameter opening: whether the push had a good credential: the first such answer lets more streams in.
    private func respond(_ answer: APNsAnswer, on stream: HTTP2ServerStream, opening: Bool, after delay: Int?) {
        after(delay) { connection in
            if opening { connection.open() }
            let now = connection.service.scripted.clock.now()
            stream.respond(
                status: answer.status,
                headers: answer.headers(date: connection.date.text(at: now)),
                body: answer.body
            )
            connection.answers += 1
        }
    }

    /// Sends GOAWAY below the push; where a later stream was taken on before it, which GOAWAY has to name, the push is
    /// given back with REFUSED_STREAM (RFC 9113 section 8.7).
    private func disown(_ stream: HTTP2ServerStream, reason: String?, code: UInt32) {
        // What is disowned is not waited for.
        answers += 1
        goAway(reason: reason, code: code, lastStreamID: max(0, stream.id - 2, highestTaken))
        if let lastStream, stream.id <= lastStream { stream.reset(errorCode: Self.refusedStream) }
    }

    /// Now without a delay, else when the milliseconds are over and the connection still stands.
    private func after(_ milliseconds: Int?, _ body: @escaping (APNsConnection) -> Void) {
        guard let milliseconds, milliseconds > 0 else { return body(self) }
        connection.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) {
            if !self.isClosed { body(self) }
        }
    }

    private func open() {
        if !isOpened { setMaxStreams(service.maxConcurrentStreams) }
    }

    /// REFUSED_STREAM (RFC 9113 section 7).
    private static let refusedStream: UInt32 = 7
}

// MARK: - Commands

extension APNsConnection {
    /// Sends GOAWAY with a reason as Apple does; the connection closes when the streams up to the last one have ended.
    ///
    /// - Parameter lastStreamID: `nil` for the last one that a request began on. No GOAWAY names a higher one than those
    ///   before.
    func goAway(reason: String?, code: UInt32, lastStreamID: Int32? = nil) {
        let data = reason.map { Array(#"{"reason":\#(APNsAnswer.quoted($0))}"#.utf8) } ?? []
        let last = min(lastStreamID ?? connection.lastStreamID, lastStream ?? .max)
        lastStream = last
        connection.goAway(lastStreamID: last, errorCode: code, debugData: data)
    }

    /// Resets the TCP connection.
    func abort() {
        connection.abort()
    }

    /// Sends SETTINGS_MAX_CONCURRENT_STREAMS; what was set stays, also when a first push is let in later.
    func setMaxStreams(_ count: Int) {
        isOpened = true
        maxStreams = count
        connection.setMaxConcurrentStreams(count)
    }

    /// The connection as it stands.
    var summary: SimulatorState.Connection {
        SimulatorState.Connection(
            id: id,
            environment: environment,
            requests: requests,
            openStreams: requests - answers,
            maxStreams: maxStreams,
            isGoingAway: lastStream != nil
        )
    }
}

extension Credential {
    /// The key's id; `nil` for a certificate.
    var keyID: String? {
        if case .token(let token) = self { token.keyID } else { nil }
    }
}
