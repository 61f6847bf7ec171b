import Foundation

extension EventRecorder {
    /// The recorder of a client whose `Info.plist` may name a table at Treasure Data. What cannot be used is told once.
    package convenience init(_ client: ClientContext, information: [String: Any]?) {
        var treasureData: TreasureDataSettings?
        do throws(PushNotificationError) {
            treasureData = try TreasureDataSettings(information)
        } catch {
            client.log(.error, "Nothing is sent to Treasure Data. \(error.text(in: .english).description)")
            client.report(error)
        }
        self.init(client, treasureData: treasureData)
    }

    /// The recorder of a client: its own server always, and Treasure Data where seed S4's settings are there.
    ///
    /// - Parameter bound: the most events that wait for the app's own server.
    package convenience init(
        _ client: ClientContext,
        treasureData: TreasureDataSettings?,
        bound: Int = EventStore.bound
    ) {
        let environment = client.environment
        let subject = EventSubject(identity: client.identity, platform: environment.platform)
        let upload = UploadEnvironment(
            transport: environment.transport,
            clock: environment.clock,
            random: environment.random,
            context: { await subject.complete() },
            report: client.report,
            log: client.log
        )
        let configuration = client.configuration
        let martlet = MartletDestination { [identity = client.identity] in
            guard let secret = try? identity.secret() else { return nil }
            return MartletDestination.Access(
                url: configuration.endpoint("events"),
                apiKey: configuration.apiKey,
                installationSecret: secret,
                timeout: configuration.timeout
            )
        }
        let storage = configuration.eventStorage == .files ? environment.storage : environment.defaults
        let queue: @Sendable (String) -> (@Sendable () throws(StorageUnreadable) -> String) = { destination in
            { () throws(StorageUnreadable) in "\(destination) \(try client.identity.queueID())" }
        }
        let store = EventStore(storage, bound: bound, destination: queue(configuration.server))
        var queues = [UploadQueue(store, EventUploader(store, to: martlet, upload), isOwnServer: true)]
        if let treasureData {
            let store = EventStore(
                storage,
                name: "martlet.events-td",
                destination: queue(treasureData.url.absoluteString)
            )
            let destination = TreasureDataDestination(treasureData, timeout: configuration.timeout)
            queues.append(UploadQueue(store, EventUploader(store, to: destination, upload)))
        }
        self.init(
            queues,
            about: subject,
            spool: { client.spool },
            server: configuration.server,
            access: { [identity = client.identity] in
                guard let secret = try? identity.secret() else { return nil }
                return ExtensionAccess(server: configuration.server, installationSecret: secret)
            },
            environment: environment,
            report: client.report,
            log: client.log
        )
    }
}
