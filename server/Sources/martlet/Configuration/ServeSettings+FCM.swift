import Foundation
import MartletCore
import MartletProviders
import NIOCore

extension ServeSettings {
    /// Reads how FCM is talked to, and where: what stands in Google's place when no Google is there.
    ///
    /// - Throws: `CommandFailure` naming the setting that has no proper value.
    mutating func readFCM(_ settings: Settings) throws {
        fcm.waitingPushes = dispatcher.mostUnderWay
        fcm.privateHosts = privateHosts
        // In seconds; all requests of a push have two minutes.
        if let seconds = try settings.number("fcm.requestTimeout", in: 1...120) {
            fcm.requestTimeout = .seconds(Int64(seconds))
        }
        // A second; Google lets a project have 10,000.
        if let rate = try settings.number("fcm.rate", in: 1...100_000) { fcm.rate = rate }
        fcm.url = try Self.address("fcm.url", settings, schemes: ["https"])
        fcm.trust = try Self.certificates("fcm.trust", settings)
        let hosts = settings.string("fcm.tokenHosts")?.split(separator: ",") ?? []
        fcm.tokenHosts = Set(hosts.map { $0.trimmingCharacters(in: .whitespaces).lowercased() })
        guard fcm.tokenHosts.allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else {
            throw CommandFailure(
                "The setting fcm.tokenHosts has host names, separated by commas.",
                hint: "Write tokens.internal, without https:// and port."
            )
        }
    }
}
