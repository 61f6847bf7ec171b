import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// A server that keeps registrations and events by their ids, and whose answers go wrong as a seed says.
final class UnsteadyServer: HTTPTransport {
    /// A registration that it took.
    struct Registration: Sendable {
        var installation: String
        var token: String
        /// `nil` is nobody.
        var user: String?
        var time: Int64
        /// Whether the phone may have reason to say it again: its answer may not have come, or something else was tried.
        var mayBeRepeated: Bool
    }

    private struct State {
        var random: SeededRandom
        var isWell = false
        var kept: [PublicID: EventRequest] = [:]
        var registrations: [Registration] = []
        /// Counts what ends the phone's connections.
        var connection = 0
        /// Whether one ended since everything was answered.
        var isUncertain = false
        /// Whether the last registration is long answered.
        var isSettled = false
        var mayUpload = true
        var registers = true
        var problems: [String] = []

        mutating func mayBeRepeated() {
            if let last = registrations.indices.last { registrations[last].mayBeRepeated = true }
        }
    }

    /// A registration is made anew after a day (the guide, "The token").
    static let day: Int64 = 86_400_000

    private let clock: ManualClock
    private let state: Locked<State>

    init(seed: UInt64, clock: ManualClock) {
        self.clock = clock
        state = Locked(State(random: SeededRandom(seed)))
    }

    /// Whether nothing goes wrong.
    var isWell: Bool {
        get { state.with { $0.isWell } }
        set { state.with { $0.isWell = newValue } }
    }

    /// Whether the person lets the app upload events.
    var mayUpload: Bool {
        get { state.with { $0.mayUpload } }
        set { state.with { $0.mayUpload = newValue } }
    }

    /// Whether it takes registrations.
    var registers: Bool {
        get { state.with { $0.registers } }
        set { state.with { $0.registers = newValue } }
    }

    /// What was kept, each event once.
    var events: [EventRequest] { state.with { Array($0.kept.values) } }
    /// The registrations that it took, in order.
    var registrations: [Registration] { state.with { $0.registrations } }
    /// What it was sent and should not have been.
    var problems: [String] { state.with { $0.problems } }

    /// The phone's connections break: what has not arrived does not arrive, and its last answer may not have.
    func disconnect() {
        state.with { state in
            state.connection += 1
            if !state.isSettled { state.mayBeRepeated() }
            state.isUncertain = true
        }
    }

    /// Somebody else is the user: the phone may try to say so, and then say again what it said before.
    func mayHearOfAnother() { state.with { $0.mayBeRepeated() } }

    /// Every answer so far has arrived.
    func settle() {
        state.with { state in
            if let last = state.registrations.indices.last { state.registrations[last].mayBeRepeated = false }
            (state.isSettled, state.isUncertain) = (true, false)
        }
    }

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        let isUpload = call.url.lastPathComponent == "events"
        let (connection, mayUpload) = state.with { ($0.connection, $0.mayUpload) }
        // As URLSession has it: what was given up before it began is not sent.
        if Task.isCancelled { throw .cancelled }
        if isUpload, !mayUpload { state.with { $0.problems.append("an upload without consent") } }
        await Task.yield()
        let chance: Int? = state.with { state in
            guard state.connection == connection else { return nil }
            if !isUpload, !state.registers { return 1 }
            return state.isWell ? 9 : Int.random(in: 0..<10, using: &state.random)
        }
        switch chance {
        case nil: throw .unreachable("the connection is gone")
        case 0: throw .unreachable("the server is away")
        case 1: return .error(500, .internalError)
        case 2: return .error(429, .tooManyRequests, headers: ["Retry-After": "30"])
        case 3:
            // Done, and the answer is lost on its way.
            _ = answer(call, isHeard: false)
            throw .timedOut
        default: return answer(call, isHeard: true)
        }
    }

    private func answer(_ call: HTTPCall, isHeard: Bool) -> HTTPAnswer {
        call.url.lastPathComponent == "events" ? keep(call) : register(call, isHeard: isHeard)
    }

    private func register(_ call: HTTPCall, isHeard: Bool) -> HTTPAnswer {
        guard let request = call.registration, request.userID != .unset, let token = request.token else {
            state.with { $0.problems.append("a registration could not be read") }
            return .error(400, .malformedRequest)
        }
        let installation = "\(request.installationID)"
        state.with { state in
            let new = Registration(
                installation: installation,
                token: token,
                user: request.userID.value,
                time: clock.now,
                mayBeRepeated: !isHeard || state.isUncertain
            )
            let last = state.registrations.last
            if let last, !last.mayBeRepeated, last.says(new), new.time - last.time < Self.day {
                state.problems.append("\(new.token.prefix(8)) was registered twice for \(new.user ?? "nobody")")
            }
            state.registrations.append(new)
            state.isSettled = false
        }
        return .registered(by: call, secret: Self.secret(of: installation))
    }

    private func keep(_ call: HTTPCall) -> HTTPAnswer {
        let isPacked = call.headers["Content-Encoding"] == "gzip"
        guard let body = isPacked ? call.body.flatMap(Inflation.unpack) : call.body,
            let request = try? JSONDecoder().decode(EventsRequest.self, from: body)
        else {
            state.with { $0.problems.append("an upload could not be read") }
            return .error(400, .malformedRequest)
        }
        let secret = call.headers[HeaderName.installationSecret]
        state.with { state in
            if request.events.contains(where: { Self.secret(of: "\($0.installationID)") != secret }) {
                state.problems.append("an installation reports events of another")
            }
            for event in request.events where state.kept[event.eventID] == nil { state.kept[event.eventID] = event }
        }
        return .json(200, EventsResponse(receipts: request.events.map { _ in .kept }))
    }

    private static func secret(of installation: String) -> String { "mi_\(installation)" }
}

extension UnsteadyServer.Registration {
    /// Whether another one says the same.
    fileprivate func says(_ other: Self) -> Bool {
        installation == other.installation && token == other.token && user == other.user
    }
}
