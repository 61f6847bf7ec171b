import MartletTransport
import NIOCore
import Synchronization

/// Collects the answers of bursts and knows when a burst's last one has come.
final class Answers: Sendable {
    private struct State {
        var answers: [Int: HTTP2Answer] = [:]
        var repeated = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func add(_ index: Int, _ answer: HTTP2Answer) {
        let ready = self.state.withLock { state in
            if state.answers.updateValue(answer, forKey: index) != nil { state.repeated += 1 }
            let count = state.answers.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits until `count` requests have an answer; gives them by their number.
    func wait(for count: Int) async -> [Int: HTTP2Answer] {
        await withCheckedContinuation { continuation in
            let isReady = self.state.withLock { state in
                if state.answers.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        return self.state.withLock { $0.answers }
    }

    /// Answers given to requests that already had one.
    var repeated: Int { self.state.withLock { $0.repeated } }
}

extension HTTP2Answer {
    var status: Int? { if case .response(let response) = self { response.status } else { nil } }
    var failure: HTTP2Failure? { if case .failed(let failure) = self { failure } else { nil } }

    var isUnprocessed: Bool { if case .unprocessed? = self.failure { true } else { false } }
    var isLost: Bool { if case .lost? = self.failure { true } else { false } }
}

extension HTTP2Burst {
    /// Requests for `/0`, `/1`, … each with its number in the field `number`.
    static func numbered(
        _ count: Int,
        template: HTTP2RequestTemplate = .plain,
        deadline: NIODeadline? = nil,
        isUrgent: Bool = false,
        into answers: Answers,
        from first: Int = 0
    ) -> HTTP2Burst {
        var builder = Builder(template: template, fields: [HTTP2BurstField("number")], capacity: count)
        for number in first..<(first + count) { builder.append(path: "/\(number)", values: ["\(number)"]) }
        return builder.build(deadline: deadline, isUrgent: isUrgent) { answers.add($0 + first, $1) }
    }
}

extension HTTP2RequestTemplate {
    /// A small POST.
    static var plain: HTTP2RequestTemplate { .post(Array(#"{"aps":{"alert":"hello"}}"#.utf8)) }

    static func post(_ body: [UInt8], permit: HTTP2Permit = HTTP2Permit()) -> HTTP2RequestTemplate {
        HTTP2RequestTemplate(
            authority: "localhost",
            headers: [
                HTTP2Header("authorization", "bearer secret", isIndexed: false),
                HTTP2Header("apns-topic", "org.example"),
            ],
            body: body,
            permit: permit
        )
    }
}
