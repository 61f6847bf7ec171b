import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import NIOHTTP1

/// One push on its way: each message is sealed for its browser, anew at each attempt, and goes out; outcomes come in.
struct WebPushSending: Sendable {
    let push: Push
    let subject: String
    let keys: [String: VAPIDKey]
    let tokens: VAPIDTokenSource
    let routes: WebPushRoutes
    let settings: WebPushSettings
    let clock: any WallClock
    let deadline: NIODeadline
    let defects: ProviderDefects
    let accounts: QueueAccounts
    let report: @Sendable (Int, Outcome) -> Void

    /// How many messages are sealed in one go, and are in memory for one slice: some 5 ms of one core, so that the next
    /// slice is sealed while this one is under way.
    static let slice = 64
    /// How many slices to one origin are under way at a time, of one push.
    static let slicesUnderWay = 4
    /// How many origins a push goes to at a time: the most connections that one push opens by itself.
    static let originsUnderWay = 16

    /// Sends, and returns when every target that was sent has its outcome.
    func run() async {
        let plan = WebPushPlan(push.targets, keys: Set(keys.keys), hosts: settings.hosts)
        for (index, rejection) in plan.refused { report(index, .rejected(rejection)) }
        let groups = plan.groups.sorted { $0.value.count > $1.value.count }
        await bounded(groups.map(\.key), atATime: Self.originsUnderWay) { group in
            await send(plan.groups[group] ?? [], of: group)
        }
    }

    /// Runs `body` for each, so many at a time, and begins no other once the task is cancelled.
    private func bounded<Work: Sendable>(
        _ work: [Work],
        atATime limit: Int,
        _ body: @escaping @Sendable (Work) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, one) in work.enumerated() {
                if index >= limit { await group.next() }
                if Task.isCancelled || !push.mayBegin() { break }
                group.addTask { await body(one) }
            }
        }
    }

    private func send(_ requests: [WebPushPlan.Request], of group: WebPushPlan.Group) async {
        guard let first = requests.first?.endpoint, let key = keys[group.keyID] else { return }
        let now = clock.now()
        let authorization: String
        do {
            let token = try await tokens.token(
                key,
                id: group.keyID,
                origin: group.origin,
                subject: subject,
                at: now
            )
            authorization = WebPushRequest.authorization(token, key: key)
        } catch {
            let advice = "Rotate the app's VAPID key: the stored one cannot sign."
            return all(requests, .misconfigured(.init(reason: "UnusableCredential", advice: advice)))
        }
        do {
            try await routes.withRoute(to: first, at: now) { route in
                await send(requests, over: route, authorization)
            }
        } catch {
            all(requests, .retry(.init(reason: "ShuttingDown", kind: .connection, after: .zero)))
        }
    }

    private func send(_ requests: [WebPushPlan.Request], over route: WebPushRoute, _ authorization: String) async {
        let service = requests[0].endpoint.service  // there is one: the caller had its first
        var queue = push.credential.credential.queue
        queue.environment = service
        let way: WebPushRoute.Way
        do {
            // They count as in flight while it is found out how they go.
            let waiting = accounts.begin(requests.count, in: queue)
            defer { accounts.end(waiting, in: queue) }
            way = try await route.way()
        } catch {
            return all(requests, .retry(.init(reason: Self.reason(of: error), kind: .connection)))
        }
        let slices = stride(from: 0, to: requests.count, by: Self.slice).map {
            Array(requests[$0..<min($0 + Self.slice, requests.count)])
        }
        await bounded(slices, atATime: Self.slicesUnderWay) { [queue] slice in
            let sealed = seal(slice)
            guard !sealed.isEmpty, !Task.isCancelled else { return }
            let fields = WebPushRequest.fields(
                push.message,
                authorization: authorization,
                service: service,
                at: clock.now()
            )
            let progress = accounts.begin(sealed.count, in: queue)
            switch way {
            case .http2(let pool): await send(sealed, fields, over: pool, progress)
            case .http1(let client): await send(sealed, fields, over: client, route.connections, progress)
            }
            accounts.end(progress, in: queue)
        }
        route.forgetIfChanged()
    }

    /// A request with its body.
    private struct Sealed: Sendable {
        var request: WebPushPlan.Request
        var body: [UInt8]
    }

    private func seal(_ slice: [WebPushPlan.Request]) -> [Sealed] {
        slice.compactMap { request in
            let plaintext = push.body(of: push.targets[request.index])
            let count = WebPushPadding.length(of: plaintext.count)
            do {
                let body = try WebPushEncryption.seal(plaintext, paddedTo: count, for: request.subscription)
                return Sealed(request: request, body: body)
            } catch {
                report(request.index, .rejected(.init(reason: "MessageNotSealed")))
                return nil
            }
        }
    }

    private func send(
        _ sealed: [Sealed],
        _ fields: [(name: String, value: String)],
        over pool: HTTP2ClientPool,
        _ progress: PushProgress
    ) async {
        let sentAt = clock.now()
        let first = sealed[0].request.endpoint  // not empty, as the caller saw
        let template = HTTP2RequestTemplate(
            authority: first.host,
            headers: fields.map { HTTP2Header($0.name, $0.value, isIndexed: $0.name != WebPushRequest.topic) },
            body: []
        )
        var requests = HTTP2Burst.Builder(template: template, capacity: sealed.count)
        for one in sealed { requests.append(path: one.request.endpoint.path) }
        await pool.send(
            requests,
            bodies: { sealed[$0].body },
            deadline: deadline,
            grace: settings.cancellationGrace,
            isUrgent: push.isUrgent,
            mayBegin: push.mayBegin,
            progress: progress
        ) { [self] position, answer, isWithdrawn in
            let outcome = outcome(of: answer, at: first.service, sentAt, pool, isWithdrawn: isWithdrawn)
            if let outcome { report(sealed[position].request.index, outcome) }
        }
    }

    private func outcome(
        of answer: HTTP2Answer,
        at service: Environment,
        _ sentAt: Timestamp,
        _ pool: HTTP2ClientPool,
        isWithdrawn: Bool
    ) -> Outcome? {
        switch answer {
        case .response(let response):
            let answer = WebPushAnswer(
                status: response.status,
                body: response.body,
                now: clock.now(),
                field: response.value(of:)
            )
            return outcome(of: answer, at: service, sentAt)
        case .failed(.unprocessed) where isWithdrawn: return nil
        case .failed(let failure):
            let hasConnection = pool.status.connections.contains { !$0.isSilent }
            return own(MissingAnswer.outcome(of: failure, hasConnection: hasConnection), service)
        }
    }

    private func outcome(of answer: WebPushAnswer, at service: Environment, _ sentAt: Timestamp) -> Outcome {
        let outcome = WebPushVerdict.outcome(of: answer, at: service, sentAt: sentAt)
        if let strangeness = WebPushVerdict.strangeness(of: answer, at: service, outcome) {
            defects.note(
                isDefect: strangeness == .defect,
                status: answer.status,
                reason: answer.recordedReason,
                isForeign: false
            )
        }
        return outcome
    }

    /// As many at a time as there may be connections: over HTTP/1.1 each has one request at a time.
    private func send(
        _ sealed: [Sealed],
        _ fields: [(name: String, value: String)],
        over client: WebPushHTTP1,
        _ connections: Int,
        _ progress: PushProgress
    ) async {
        await bounded(sealed, atATime: connections) { one in
            guard push.mayBegin() else {
                _ = progress.finish()
                return
            }
            let endpoint = one.request.endpoint
            let sentAt = clock.now()
            let started = ContinuousClock.now
            let outcome: Outcome
            if deadline < .now() {
                outcome = own(.retry(.init(reason: "NoAnswerInTime", kind: .connection)), endpoint.service)
            } else {
                outcome = await answer(client, endpoint, fields, one.body, sentAt)
            }
            progress.note(answerTime: (ContinuousClock.now - started).nanoseconds)
            _ = progress.finish()
            report(one.request.index, outcome)
        }
    }

    private func answer(
        _ client: WebPushHTTP1,
        _ endpoint: WebPushEndpoint,
        _ fields: [(name: String, value: String)],
        _ body: [UInt8],
        _ sentAt: Timestamp
    ) async -> Outcome {
        do {
            let response = try await finishing {
                await client.send(path: endpoint.path, authority: endpoint.host, fields: fields, body: body)
            }.get()
            let answer = WebPushAnswer(
                status: response.status,
                body: response.body,
                now: clock.now(),
                field: { response.headers.first(name: $0) }
            )
            return outcome(of: answer, at: endpoint.service, sentAt)
        } catch {
            let reason =
                switch error {
                case .unsent(let reason), .lost(let reason): reason
                }
            return own(.retry(.init(reason: reason, kind: .connection)), endpoint.service)
        }
    }

    /// Goes on for the grace period after the task was cancelled: what is in flight has its answer.
    private func finishing<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let work = Task { await body() }
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            Task { [grace = settings.cancellationGrace] in
                try? await Task.sleep(for: grace)
                work.cancel()
            }
        }
    }

    /// The same, where silence says nothing of the others in its queue.
    private func own(_ outcome: Outcome, _ service: Environment) -> Outcome {
        guard case .retry(var retry) = outcome, service == .otherService else { return outcome }
        retry.kind = WebPushVerdict.trouble(service)
        return .retry(retry)
    }

    private func all(_ requests: [WebPushPlan.Request], _ outcome: Outcome) {
        for request in requests { report(request.index, own(outcome, request.endpoint.service)) }
    }

    /// 200 bytes say why; reasons are stored with deliveries.
    private static func reason(of error: any Error) -> String {
        String(decoding: "\(error)".utf8.prefix(200), as: UTF8.self)
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
