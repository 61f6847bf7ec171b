import Foundation
import MartletWire

/// The last answers, errors and pushes of a launch, in memory only.
final class DiagnosticHistory: Sendable {
    /// The most that are kept: ours, a few minutes of trying an app out.
    static let bound = 50

    private let clock: any SDKClock
    private let kept = Locked<[PushNotificationDiagnostics.Entry]>([])

    init(_ clock: any SDKClock) { self.clock = clock }

    /// What is kept, oldest first.
    var entries: [PushNotificationDiagnostics.Entry] { kept.with { $0 } }

    /// Keeps what happened now.
    func add(_ event: PushNotificationDiagnostics.Event) {
        let entry = PushNotificationDiagnostics.Entry(date: Date(milliseconds: clock.now), event: event)
        kept.with { kept in
            kept.append(entry)
            if kept.count > Self.bound { kept.removeFirst() }
        }
    }
}

/// A way to servers that keeps what became of each request: its method and path, and nothing of what it says.
struct ObservedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let history: DiagnosticHistory

    init(_ transport: any HTTPTransport, _ history: DiagnosticHistory) {
        // A client takes over the environment of the one before it.
        base = (transport as? ObservedTransport)?.base ?? transport
        self.history = history
    }

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        do throws(TransportError) {
            let answer = try await base.send(call)
            note(answer, to: call)
            return answer
        } catch {
            note(error, of: call)
            throw error
        }
    }

    func stream(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(TransportError) -> HTTPAnswer {
        do throws(TransportError) {
            let answer = try await base.stream(call, idle: idle, take: take)
            note(answer, to: call)
            return answer
        } catch {
            // So a stream ends that nobody listens to any more.
            if error != .cancelled { note(error, of: call) }
            throw error
        }
    }

    private func note(_ answer: HTTPAnswer, to call: HTTPCall) {
        let code = answer.status < 400 ? nil : answer.errorCode?.rawValue
        history.add(.answer(request: call.name, status: answer.status, code: code))
    }

    private func note(_ error: TransportError, of call: HTTPCall) {
        history.add(.noAnswer(request: call.name, error: .networkError(error)))
    }
}

extension HTTPCall {
    /// What tells it from others: the query may name a user's choices.
    fileprivate var name: String { "\(method) \(url.path)" }
}

extension Date {
    /// A moment by its milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
