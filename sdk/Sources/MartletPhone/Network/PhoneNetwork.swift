public import Foundation
package import PushNotificationSDKCore
import UserNotifications

/// A phone's network: on or off, and hosts of the world that are programs on this machine.
///
/// The SDK speaks https only, and has no way round it. Here, under the SDK, the hosts that a test or a demo names are
/// reached in plain text on the loopback interface; every other host cannot be reached.
public final class PhoneNetwork: Sendable {
    private struct State {
        var isOn = true
        var losesAnswers = false
        var hosts: [String: URL]
        var calls = 0
        var wakes: [@Sendable () -> Void] = []
    }

    private let state: Guarded<State>

    /// - Parameter hosts: host names with the address that answers for them, such as `http://127.0.0.1:8080`.
    public init(hosts: [String: URL] = [:]) {
        state = Guarded(State(hosts: hosts))
    }

    /// Whether the phone reaches anything.
    public var isOn: Bool { state.read { $0.isOn } }

    /// Whether answers are lost on their way to the phone: what it asks for is done, and it does not hear of it.
    public var losesAnswers: Bool {
        get { state.read { $0.losesAnswers } }
        set { state.write { $0.losesAnswers = newValue } }
    }

    /// Requests that were sent.
    public var calls: Int { state.read { $0.calls } }

    /// Lets an address answer for a host.
    public func set(_ address: URL, for host: String) {
        state.write { $0.hosts[host.lowercased()] = address }
    }

    /// Airplane mode off or on.
    public func turn(on: Bool) {
        let wakes = state.write { state -> [@Sendable () -> Void] in
            state.isOn = on
            guard on else { return [] }
            defer { state.wakes = [] }
            return state.wakes
        }
        for wake in wakes { wake() }
    }

    /// Returns when the network is on.
    func waitUntilOn() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOn = state.write { state in
                if !state.isOn { state.wakes.append { continuation.resume() } }
                return state.isOn
            }
            if isOn { continuation.resume() }
        }
    }

    /// Where a request for the URL goes.
    ///
    /// - Throws: `TransportError` where the host is not there, the phone is offline, or the request is not https.
    package func route(_ url: URL) throws(TransportError) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.host else {
            throw .failed("no host")
        }
        guard parts.scheme?.lowercased() == "https" else { throw .insecure("plain text is not allowed") }
        let address = state.write { state -> URL? in
            guard state.isOn, let address = state.hosts[host.lowercased()] else { return nil }
            state.calls += 1
            return address
        }
        guard let address else { throw .unreachable("there is no way to \(host)") }
        parts.scheme = address.scheme
        parts.host = address.host
        parts.port = address.port
        guard let routed = parts.url else { throw .failed("no address") }
        return routed
    }
}

/// The requests of one app's process over a phone's network.
package struct PhoneTransport: HTTPTransport {
    private let network: PhoneNetwork
    private let gate: ProcessGate
    private let under: any HTTPTransport
    private let journal: PhoneJournal

    package init(
        _ network: PhoneNetwork,
        gate: ProcessGate,
        under: any HTTPTransport = URLSessionTransport(),
        journal: PhoneJournal
    ) {
        self.network = network
        self.gate = gate
        self.under = under
        self.journal = journal
    }

    package func send(_ call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        let path = call.url.path
        do throws(TransportError) {
            let answer = try await answer(to: call)
            journal.add(.called(path: path, status: answer.status))
            return answer
        } catch {
            // A killed process has no calls.
            if error != .cancelled { journal.add(.called(path: path, status: nil)) }
            throw error
        }
    }

    package func stream(
        _ call: HTTPCall,
        idle: TimeInterval,
        take: @escaping @Sendable (Data) -> Bool
    ) async throws(TransportError) -> HTTPAnswer {
        await gate.waitUntilRunning()
        guard gate.isOpen else { throw .cancelled }
        var routed = call
        routed.url = try network.route(call.url)
        // Where the network went away, or the process was killed, the bytes that come reach nobody.
        return try await under.stream(routed, idle: idle) { [gate, network] bytes in
            gate.isOpen && network.isOn && !network.losesAnswers && take(bytes)
        }
    }

    private func answer(to call: HTTPCall) async throws(TransportError) -> HTTPAnswer {
        await gate.waitUntilRunning()
        guard gate.isOpen else { throw .cancelled }
        var routed = call
        routed.url = try network.route(call.url)
        let answer = try await under.send(routed)
        // What the server did stays done; a killed process does not hear of it.
        guard gate.isOpen else { throw .cancelled }
        guard network.isOn else { throw .unreachable("the network went away") }
        guard !network.losesAnswers else { throw .timedOut }
        return answer
    }
}
