import Foundation
import MartletPhone
import RidersApp
import Transit
import TransitCity

/// A rider's phone.
@MainActor
final class RiderPhone {
    let rider: Rider
    let app: RidersApp
    let phone: Phone
    private let link: RecordingLink

    init(_ rider: Rider, number: Int, in world: WeekWorld, link: SimulatedAPNsLink) throws {
        self.rider = rider
        guard let server = URL(string: world.serverURL) else { throw WeekFailure("There is no server.") }
        let token = try world.tokens.token(for: rider.id, expires: Date() + 86_400)
        let registration = DeviceRegistration(server: server, userToken: token)
        app = RidersApp(bundleID: world.bundleID) { await registration.register($0) }
        self.link = RecordingLink(link)
        var settings = PhoneSettings(
            name: rider.id,
            folder: URL(fileURLWithPath: "\(world.options.folder)/phones/\(number)", isDirectory: true)
        )
        settings.locale = rider.language
        settings.timeZone = City.timeZone
        phone = Phone(settings, app: app.installed, link: self.link)
    }

    /// What the phone got, the oldest first.
    var pushes: [RecordedPush] { link.pushes }

    /// The app is opened for the first time and its rider allows notifications.
    func begin() async throws {
        phone.answerPrompt(allowing: true)
        await phone.launch()
        let token = await phone.journal.first(within: 20) { if case .token = $0 { true } else { false } }
        guard token != nil else { throw WeekFailure("\(rider.id) got no token.") }
    }
}
