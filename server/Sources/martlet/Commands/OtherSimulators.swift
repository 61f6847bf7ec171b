import ArgumentParser
import Foundation
import Logging
import MartletSimulator

/// The options of `martlet simulate` for what stands beside the APNs.
struct OtherSimulatorOptions: ParsableArguments {
    static let usualProject = "martlet-demo"

    @Flag(help: "Stand in for FCM too.")
    var fcm = false
    @Option(help: "The port of FCM and its token endpoint, 0 for a free one.")
    var fcmPort = 9445
    @Option(help: "The Firebase project of the service account.")
    var project = usualProject
    @Option(help: "Where to write the service account of the simulated FCM.")
    var serviceAccount = "service-account.json"
    @Flag(help: "Stand in for the browsers' push services too.")
    var webpush = false
    @Option(help: "The port of the push services, 0 for a free one.")
    var webpushPort = 9446
    @Option(help: "The port that Firefox, and Chromium's check-in, connect to (no TLS), 0 for a free one.")
    var browserPort = 9447
    @Option(help: "The port that Chromium takes its messages from (TLS), 0 for a free one.")
    var chromiumPort = 9448

    var ports: [Int] { [fcmPort, webpushPort, browserPort, chromiumPort] }

    func start(host: String, authority: SimulatorAuthority, logger: Logger) async throws -> OtherSimulators {
        var running = OtherSimulators()
        if fcm {
            var configuration = FCMSimulatorConfiguration(port: fcmPort, controlPort: nil)
            configuration.host = host
            configuration.authority = authority
            let simulator = try await FCMSimulator.start(configuration, logger: logger)
            try DataFolder.write(secret: simulator.makeAccount(project: project).json, to: serviceAccount)
            running.fcm = simulator
            running.serviceAccount = serviceAccount
        }
        if webpush {
            var configuration = WebPushSimulatorConfiguration(port: webpushPort, controlPort: nil)
            configuration.host = host
            configuration.authority = authority
            configuration.browserPort = browserPort
            configuration.messagePort = chromiumPort
            running.webPush = try await WebPushSimulator.start(configuration, logger: logger)
        }
        return running
    }
}

/// The simulators that run beside the APNs.
struct OtherSimulators: Sendable {
    var fcm: FCMSimulator?
    var serviceAccount = ""
    var webPush: WebPushSimulator?

    var controls: [SimulatorControl] { [fcm?.control, webPush?.control].compactMap(\.self) }

    func instructions(trust: String) -> [String] {
        var lines: [String] = []
        if let fcm {
            lines.append("A simulated FCM is listening on \(fcm.url), which \(trust) lets clients trust.")
            lines.append("Its service account is in \(serviceAccount); what it received is below /fcm.")
        }
        if let webPush {
            lines.append("Simulated push services of browsers are listening on \(webPush.url), for these addresses:")
            lines.append("  " + WebPushSimulator.origins.joined(separator: " "))
            lines.append("Firefox connects to ws://127.0.0.1:\(webPush.browserPort)/ (dom.push.serverURL), Chromium to")
            lines.append("  --gcm-checkin-url=http://127.0.0.1:\(webPush.browserPort)/checkin \\")
            lines.append("  --gcm-registration-url=http://127.0.0.1:\(webPush.browserPort)/register \\")
            lines.append("  --gcm-mcs-endpoint=https://127.0.0.1:\(webPush.messagePort) --ignore-certificate-errors")
        }
        return lines
    }

    func shutdown() async {
        await fcm?.shutdown()
        await webPush?.shutdown()
    }
}
