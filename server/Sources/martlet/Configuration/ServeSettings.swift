import Foundation
import Logging
import MartletConsole
import MartletCore
import MartletHTTP
import MartletPipeline
import MartletProviders
import MartletSNS
import NIOCore

/// What `serve` needs to know.
struct ServeSettings: Sendable {
    /// Where the data is kept when nothing else is said: beside the program's caller.
    static let defaultData = "data"

    /// The data directory.
    var data: DataFolder
    /// Where the rows are.
    var database: DatabaseAddress
    /// Whether to go on where the database's log is gone. No setting: it is said once, by whoever has read what may be lost.
    let acceptsLoss: Bool
    /// The address to listen on.
    var host: String
    /// The port to listen on; 0 takes a free one.
    var port: Int
    /// The pipeline's bounds.
    var dispatcher: DispatcherSettings
    /// How many deliveries may wait before sends are refused as overloaded.
    var backlogLimit: Int
    /// How APNs is talked to.
    var apns = APNsSettings()
    /// How browsers' push services are talked to.
    var webPush = WebPushSettings(checkName: CertificateName.demand)
    /// How FCM is talked to, and where.
    var fcm = FCMSettings()
    /// Which private addresses may be connected to on the word of somebody who is not the operator.
    var privateHosts: PrivateHostPolicy
    /// The REST interface.
    var api = APISettings()
    /// The SNS interface.
    var sns = SNSSettings()
    /// The console.
    var console = ConsoleSettings()
    /// The encryption key, as base64 of 32 bytes, if the environment or the file has one.
    var encryptionKey: String?

    /// Reads the settings.
    ///
    /// - Throws: `CommandFailure` naming the setting that has no proper value.
    init(_ settings: Settings, acceptsLoss: Bool = false) throws {
        self.acceptsLoss = acceptsLoss
        data = DataFolder(path: settings.string("data") ?? Self.defaultData)
        database = try DatabaseAddress(settings.string("database"), data: data)
        host = settings.string("host") ?? "127.0.0.1"
        port = try settings.number("port", in: 0...65_535) ?? 8080
        encryptionKey = settings.string("encryptionKey")
        let inside = settings.string("privateHosts")?.split(separator: ",") ?? []
        privateHosts = try PrivateHostPolicy(allowing: inside.map { $0.trimmingCharacters(in: .whitespaces) })
        backlogLimit = try settings.number("backlogLimit", in: 1...1_000_000_000) ?? Submitter.backlogLimit
        dispatcher = try Self.dispatcher(settings)
        apns.waitingPushes = dispatcher.mostUnderWay
        // In seconds; all requests of a push have two minutes.
        if let seconds = try settings.number("apns.requestTimeout", in: 1...120) {
            apns.requestTimeout = .seconds(Int64(seconds))
        }
        try readFCM(settings)
        api.eventRetention = dispatcher.retention.events
        sns.privateHosts = privateHosts
        apns.privateHosts = privateHosts
        webPush.privateHosts = privateHosts
        try readSNS(settings)
        try readWeb(settings)
        console.simulator = try Self.simulator(settings)
        console.eventRetention = dispatcher.retention.events
        try readClientLimits(settings)
    }

    private static func dispatcher(_ settings: Settings) throws -> DispatcherSettings {
        var dispatcher = DispatcherSettings()
        if let batches = try settings.number("batches", in: 1...1_024) {
            dispatcher.deliveries = batches * MemberList.limit
            dispatcher.deliveriesPerQueue = min(dispatcher.deliveriesPerQueue, dispatcher.deliveries)
            dispatcher.deliveriesPerApp = max(1, batches / 2) * MemberList.limit
        }
        if let batches = try settings.number("batchesPerQueue", in: 1...1_024) {
            dispatcher.deliveriesPerQueue = batches * MemberList.limit
        }
        // A queue's own bound is not undercut by its app's.
        dispatcher.deliveriesPerApp = max(dispatcher.deliveriesPerApp, dispatcher.deliveriesPerQueue)
        let retention: [(String, WritableKeyPath<Retention, Duration>)] = [
            ("retention.notifications", \.notifications), ("retention.claims", \.claims),
            ("retention.removedEndpoints", \.removedEndpoints), ("retention.deadLetters", \.deadLetters),
            ("retention.staleEndpoints", \.staleEndpoints), ("retention.events", \.events),
            ("retention.pendingSubscriptions", \.pendingSubscriptions),
            ("retention.preferenceChanges", \.preferenceChanges), ("retention.auditLog", \.auditLog),
        ]
        for (key, path) in retention {
            // In days; ten years are the most.
            guard let days = try settings.number(key, in: 1...3_650) else { continue }
            dispatcher.retention[keyPath: path] = .seconds(days * 86_400)
        }
        return dispatcher
    }
}

/// How the process logs.
struct LogSettings: Sendable {
    /// The least severe level that is written.
    var level: Logger.Level
    /// How a line looks.
    var format: LogFormat

    /// Reads the settings.
    init(_ settings: Settings, level defaultLevel: Logger.Level = .info) throws {
        level = try settings.word("log.level") ?? defaultLevel
        format = try settings.word("log.format") ?? .text
    }
}
