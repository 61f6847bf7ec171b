import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// A server that keeps registrations and events by their ids, and whose answers go wrong as a seed says.
final class UnsteadyServer: HTTPTransport {
    private struct State {
        var random: SeededRandom
        var isWell = false
        var kept: [PublicID: EventRequest] = [:]
        var unreadable = 0
    }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SeededRandom(seed))) }

    /// Whether nothing goes wrong.
    var isWell: Bool {
        get { state.with { $0.isWell } }
        set { state.with { $0.isWell = newValue } }
    }

    /// What was kept, each event once.
    var events: [EventRequest] { state.with { Array($0.kept.values) } }
    /// Whether it was told of a token.
    var hasRegistered: Bool { state.with { $0.kept.values.contains { $0.type == .tokenRegister } } }
    /// Uploads that could not be read.
    var unreadable: Int { state.with { $0.unreadable } }

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        await Task.yield()
        switch state.with({ state in state.isWell ? 9 : Int.random(in: 0..<10, using: &state.random) }) {
        case 0: throw .unreachable("the server is away")
        case 1: return .error(500, .internalError)
        case 2: return .error(429, .tooManyRequests, headers: ["Retry-After": "30"])
        case 3:
            // Done, and the answer is lost on its way.
            _ = answer(call)
            throw .timedOut
        default: return answer(call)
        }
    }

    private func answer(_ call: HTTPCall) -> HTTPAnswer {
        guard call.url.lastPathComponent == "events" else { return .registered(by: call) }
        let isPacked = call.headers["Content-Encoding"] == "gzip"
        guard let body = isPacked ? call.body.flatMap(Inflation.unpack) : call.body,
            let request = try? JSONDecoder().decode(EventsRequest.self, from: body)
        else {
            state.with { $0.unreadable += 1 }
            return .error(400, .malformedRequest)
        }
        state.with { state in
            for event in request.events where state.kept[event.eventID] == nil { state.kept[event.eventID] = event }
        }
        return .json(200, EventsResponse(receipts: request.events.map { _ in .kept }))
    }
}
