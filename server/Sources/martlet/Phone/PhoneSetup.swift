import Foundation
import MartletPhone
import PushNotificationSDK

/// What the phones are like and where they live.
struct PhoneSetup: Sendable {
    /// The app's name or id at the server.
    var app: String
    /// The app's bundle id, the topic of its pushes.
    var bundleID: String
    /// The key inside the app.
    var apiKey: String
    /// The server's address.
    var server: URL
    /// The simulated APNs' control interface.
    var simulator: URL
    /// The Firebase project of the app, whose pushes then come through the FCM that is simulated there too.
    var firebaseProject: String?
    /// Who uses the app on each phone; `nil` is nobody yet.
    var users: [String?]
    /// Makes the tokens that speak for them; `nil` where a login brings its own.
    var tokens: UserTokenMaker?
    /// The user's answer to the system's prompt; `nil` lets it show.
    var allows: Bool? = true
    /// Where the app's tokens are valid.
    var environment = PhoneEnvironment.production
    /// The IANA time zone of the phones.
    var timeZone = TimeZone.current.identifier
    /// Hosts that the phones reach beside the server, for pictures.
    var hosts: [String: URL] = [:]
    /// Links that the app opens.
    var links: [LinkPolicy.Rule] = []
    /// The app's categories with their buttons.
    var categories: [NotificationCategory] = []
    /// The phones' disks.
    var folder: URL

    /// The host by which the app calls the server; of the names that no network has (RFC 6761, section 6.2). The SDK
    /// speaks https only, and the phone's network leads this name to the server, wherever that is.
    private static let host = "api.martlet.test"

    /// The app on one phone, and the phone.
    ///
    /// - Throws: `CommandFailure` when the SDK refuses its configuration.
    @MainActor
    func make(_ number: Int) throws -> (SDKApp, Phone) {
        let user = users[number - 1]
        let configuration = try configuration(user)
        var setup = SDKApp.Setup(bundleID: bundleID, configuration: configuration)
        setup.links = LinkPolicy(links)
        setup.userToken = { [tokens] in tokens?.token(for: $0) }
        // What went wrong reaches the app's onError, and with it the person.
        setup.log = { _ in }
        let app = SDKApp(setup)
        var settings = PhoneSettings(
            name: user ?? "phone \(number)",
            folder: folder.appendingPathComponent("\(number)", isDirectory: true)
        )
        settings.environment = environment
        settings.timeZone = timeZone
        settings.locale = "en-US"
        let phone = Phone(
            settings,
            app: app.installed,
            link: SimulatedAPNsLink(control: simulator),
            firebase: firebaseProject.map { SimulatedFCMLink(control: simulator, project: $0) },
            network: PhoneNetwork(hosts: hosts.merging([Self.host: server]) { $1 })
        )
        return (app, phone)
    }

    private func configuration(_ user: String?) throws -> SDKConfiguration {
        guard let address = URL(string: "https://\(Self.host)") else {
            throw CommandFailure("\(Self.host) is not a host.")
        }
        do throws(PushNotificationError) {
            var configuration = try SDKConfiguration(apiURL: address, apiKey: apiKey, playerAccountId: user)
            configuration.app = app
            configuration.categories = categories
            return configuration
        } catch {
            throw CommandFailure("The SDK refuses this: \(error.errorDescription ?? "\(error)")")
        }
    }
}
