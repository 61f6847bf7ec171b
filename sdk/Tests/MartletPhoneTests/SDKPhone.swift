import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

/// A phone with an app that has the SDK, and its server.
@MainActor
struct SDKPhone {
    let disk = Disk()
    let backend: Backend
    let network: PhoneNetwork
    let app: SDKApp
    let phone: Phone

    /// - Parameters:
    ///   - backend: the server, which two phones may share.
    ///   - user: whom the app's configuration names.
    init(
        backend: Backend = Backend(),
        user: String? = nil,
        suspends: Bool = false,
        firebase: (any FCMLink)? = nil,
        setUp: (inout SDKApp.Setup) -> Void = { _ in }
    ) throws {
        self.backend = backend
        network = PhoneNetwork(hosts: ["api.example.test": try #require(URL(string: "http://127.0.0.1:9"))])
        let configuration = try SDKConfiguration(
            apiURL: try #require(URL(string: "https://api.example.test")),
            apiKey: "client-key-1234",
            playerAccountId: user
        )
        var setup = SDKApp.Setup(bundleID: "com.example.game", configuration: configuration)
        setup.transport = backend
        setUp(&setup)
        app = SDKApp(setup)
        var settings = PhoneSettings(folder: disk.folder)
        settings.suspends = suspends
        phone = Phone(settings, app: app.installed, firebase: firebase, network: network)
    }

    /// The app is started by its icon, and the server knows its token.
    func launch(registrations count: Int = 1) async throws -> TokenRegistrationRequest {
        await phone.launch()
        return try #require(await backend.registrations.wait(for: count).last)
    }

    /// Uploads what there is, until the server has so many events of a message.
    func upload(_ type: EventType, _ message: String, _ count: Int = 1) async {
        while backend.count(type, message) < count, !Task.isCancelled {
            await app.flush()
            await Task.yield()
        }
    }
}

extension Push {
    /// A push of the app's server.
    static func message(
        _ id: String,
        identifier: String? = nil,
        mutable: Bool = false,
        more: String = ""
    ) -> Push {
        let change = mutable ? #","mutable-content":1"# : ""
        return Push(
            #"{"aps":{"alert":{"title":"Title","body":"Body"}\#(change)},"message_id":"\#(id)"\#(more)}"#,
            collapseID: identifier ?? id
        )
    }

    /// A push that shows nothing and wakes the app.
    static func silent(_ id: String) -> Push {
        Push(#"{"aps":{"content-available":1},"message_id":"\#(id)"}"#, collapseID: id)
    }
}
