import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import NIOHTTP1

/// One push on its way: each message is sealed for its browser, anew at each attempt, and goes out; outcomes come in.
struct WebPushSending: Sendable {
    let sending: PushSending
    let provider: WebPushProvider
    let subject: String
    let keys: [String: VAPIDKey]

    private var push: Push { sending.push }
    private var clock: any WallClock { sending.context.clock }
    private var accounts: QueueAccounts { sending.context.accounts }

    /// How many messages are sealed in one go, and are in memory for one slice: some 5 ms of one core, so that the next
    /// slice is sealed while this one is under way.
    static let slice = 64
    /// How many slices to one origin are under way at a time, of one push.
    static let slicesUnderWay = 4
    /// How many origins a push goes to at a time: the most connections that one push opens by itself.
    static let originsUnderWay = 16

    /// Sends, and returns when every target that was sent has its outcome.
    func run() async {
        let plan = WebPushPlan(push.targets, keys: Set(keys.keys), hosts: provider.settings.hosts)
        for (index, rejection) in plan.refused { sending.report(index, .rejected(rejection)) }
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
            let token = try await provider.tokens.token(
                key,
                id: group.keyID,
                origin: group.origin,
                subject: subject,
                at: now
            )
            authorization = WebPushRequest.authorization(token, key: key)
        } catch {
            let outcome = UnusableCredential.outcome("Rotate the app's VAPID key: the stored one cannot sign.")
            return sending.report(outcome, for: requests.map(\.index))
        }
        do {
            try await provider.routes.withRoute(to: first, at: now) { route in
                await send(requests, over: route, authorization)
            }
        } catch {
            all(requests, silent: "ShuttingDown", after: .zero)
        }
    }

    private func send(_ requests: [WebPushPlan.Request], over route: WebPushRoute, _ authorization: String) async {
        let service = requests[0].endpoint.service  // there is one: the caller had its first
        var queue = sending.queue
        queue.environment = service
        let way: WebPushRoute.Way
        do {
            // They count as in flight while it is found out how they go.
            let waiting = accounts.begin(requests.count, in: queue)
            defer { accounts.end(waiting, in: queue) }
            way = try await route.way()
        } catch {
            return all(requests, silent: MissingAnswer.bounded("\(error)"))
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
            switch way {
            case .http2(let pool): await send(sealed, fields, over: pool, in: queue)
            case .http1(let client): await send(sealed, fields, over: client, route.connections, in: queue)
            }
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
                sending.report(request.index, .rejected(.init(reason: "MessageNotSealed")))
                return nil
            }
        }
    }

    private func send(
        _ sealed: [Sealed],
        _ fields: [(name: String, value: String)],
        over pool: HTTP2ClientPool,
        in queue: DeliveryQueue
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
        let burst = PushBurst(
            requests: requests,
            targets: sealed.map(\.request.index),
            bodies: { sealed[$0].body },
            missing: MissingAnswer(kind: WebPushVerdict.silence(first.service))
        )
        await sending.send(burst, over: pool, in: queue) { [self] _, response in
            let answer = WebPushAnswer(
                status: response.status,
                body: response.body,
                now: clock.now(),
                field: response.value(of:)
            )
            return outcome(of: answer, at: first.service, sentAt)
        }
    }

    private func outcome(of answer: WebPushAnswer, at service: Environment, _ sentAt: Timestamp) -> Outcome {
        let outcome = WebPushVerdict.outcome(of: answer, at: service, sentAt: sentAt)
        let strangeness = WebPushVerdict.strangeness(of: answer, at: service, outcome)
        sending.context.defects.note(answer, isDefect: strangeness == .defect, isUnknown: strangeness == .unknown)
        return outcome
    }

    /// As many at a time as there may be connections: over HTTP/1.1 each has one request at a time.
    private func send(
        _ sealed: [Sealed],
        _ fields: [(name: String, value: String)],
        over client: WebPushHTTP1,
        _ connections: Int,
        in queue: DeliveryQueue
    ) async {
        let progress = accounts.begin(sealed.count, in: queue)
        defer { accounts.end(progress, in: queue) }
        await bounded(sealed, atATime: connections) { one in
            guard push.mayBegin() else {
                _ = progress.finish()
                return
            }
            let endpoint = one.request.endpoint
            let sentAt = clock.now()
            let started = ContinuousClock.now
            let outcome: Outcome
            if sending.deadline < .now() {
                outcome = silence("NoAnswerInTime", endpoint.service)
            } else {
                outcome = await answer(client, endpoint, fields, one.body, sentAt)
            }
            progress.note(answerTime: (ContinuousClock.now - started).nanoseconds)
            _ = progress.finish()
            sending.report(one.request.index, outcome)
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
            return silence(reason, endpoint.service)
        }
    }

    /// Goes on for the grace period after the task was cancelled: what is in flight has its answer.
    private func finishing<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let work = Task { await body() }
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            Task { [grace = sending.grace] in
                try? await Task.sleep(for: grace)
                work.cancel()
            }
        }
    }

    /// What it means that a service says nothing.
    private func silence(_ reason: String, _ service: Environment, after delay: Duration? = nil) -> Outcome {
        .retry(.init(reason: reason, kind: WebPushVerdict.silence(service), after: delay))
    }

    private func all(_ requests: [WebPushPlan.Request], silent reason: String, after delay: Duration? = nil) {
        for request in requests {
            sending.report(request.index, silence(reason, request.endpoint.service, after: delay))
        }
    }
}
