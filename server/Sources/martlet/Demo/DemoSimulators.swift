import Logging
import MartletSimulator
import MartletWire

/// The services that the demo's pushes go to, and what they saw.
struct DemoSimulators: Sendable {
    /// The Firebase project of the app.
    static let project = OtherSimulatorOptions.usualProject

    let apns: APNsSimulator
    let fcm: FCMSimulator
    /// `nil` where no browser is there to use it.
    let webPush: WebPushSimulator?

    /// Where all of them are asked and told.
    var controlURL: String { "http://127.0.0.1:\(apns.controlPort)" }

    static func start(_ ports: DemoWorld.Ports, hasBrowser: Bool) async throws -> DemoSimulators {
        let logger = Logger(label: "martlet.simulator")
        var others = OtherSimulators()
        do {
            let authority = try SimulatorAuthority()
            var fcm = FCMSimulatorConfiguration(controlPort: nil)
            fcm.authority = authority
            fcm.knownTokensOnly = true
            let simulatedFCM = try await FCMSimulator.start(fcm, logger: logger)
            others.fcm = simulatedFCM
            if hasBrowser {
                var webPush = WebPushSimulatorConfiguration(controlPort: nil)
                webPush.authority = authority
                others.webPush = try await WebPushSimulator.start(webPush, logger: logger)
            }
            var apns = APNsSimulatorConfiguration(port: ports.apns, controlPort: ports.control)
            apns.authority = authority
            apns.knownTokensOnly = true
            return DemoSimulators(
                apns: try await APNsSimulator.start(apns, logger: logger, beside: others.controls),
                fcm: simulatedFCM,
                webPush: others.webPush
            )
        } catch {
            await others.shutdown()
            throw CommandFailure.notStarted("The simulator cannot start", error, ports: "--apns-port 0, …")
        }
    }

    func shutdown() async {
        await apns.shutdown()
        await fcm.shutdown()
        await webPush?.shutdown()
    }
}

extension DemoSimulators {
    /// How far their logs were at one moment.
    struct Mark: Sendable {
        var apns = 0
        var fcm = 0
    }

    /// What a provider got for a device, and what it answered.
    struct Received: Sendable {
        var answers: [String] = []
        /// The ids under which APNs got it: one, however often it was tried.
        var ids: [String] = []
    }

    var mark: Mark { Mark(apns: apns.received().last?.seq ?? 0, fcm: fcm.received().last?.seq ?? 0) }

    func received(for phone: DemoPhone, after mark: Mark = Mark()) -> Received {
        guard phone.platform == .fcm else {
            let pushes = apns.received(token: phone.token, after: mark.apns)
            return Received(
                answers: pushes.map { Self.words($0.status, $0.reason) },
                ids: Set(pushes.compactMap(\.apnsID)).sorted()
            )
        }
        let requests = fcm.received(after: mark.fcm).filter { $0.target == phone.token }
        return Received(answers: requests.map { Self.words($0.status, $0.details?["error"]?.text) })
    }

    private static func words(_ status: Int?, _ reason: String?) -> String {
        [status.map(String.init), reason].compactMap(\.self).joined(separator: " ")
    }
}
