import Foundation
import MartletSimulator
import MartletWire

/// A rider's phone with Android. Its app registers through REST, as `docs/fcm.md` shows; the system shows notifications
/// without running the app.
struct DemoAndroid: Sendable {
    static let user = "deniz"
    private static let name = "Android phone"
    /// Seconds that a message that FCM took may be on its way.
    private static let timeout = 10

    /// The phone with its token.
    let phone: DemoPhone
    /// What the server gave its app to prove itself with.
    let secret: String?
    private let fcm: FCMSimulator

    /// The app gets its token of FCM and registers.
    ///
    /// - Parameter key: the client key inside the app.
    static func begin(_ world: DemoWorld, key: String) async throws -> DemoAndroid {
        let fcm = world.simulators.fcm
        guard let token = fcm.openDevice(project: DemoSimulators.project) else {
            throw CommandFailure("The simulated FCM gave no token.", status: .failed)
        }
        var random = SystemRandomNumberGenerator()
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let request = TokenRegistrationRequest(
            app: DemoStory.app,
            installationID: PublicID(milliseconds: now, using: &random),
            token: token,
            platform: .fcm,
            userID: .value(user)
        )
        let app = try APIClient(server: world.address, key: key)
        let made: Item<TokenRegistrationResponse> = try await app.call(.post, "tokens", request)
        var phone = DemoPhone(user: user, name: name, platform: .fcm)
        phone.token = token
        return DemoAndroid(phone: phone, secret: made.data.installationSecret, fcm: fcm)
    }

    /// The titles of what it shows, once there is something.
    func shown() async throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(Self.timeout)
        while true {
            let titles = fcm.messages(of: phone.token).compactMap { $0.message["notification"]?["title"]?.text }
            guard titles.isEmpty, ContinuousClock.now < deadline else { return titles }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
