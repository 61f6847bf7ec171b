import Foundation
import MartletPhone
import Synchronization

/// A push that a phone got, as the phone remembers it.
struct RecordedPush: Sendable {
    var apnsID: String
    /// The text that it showed; `nil` for one that took an alert away.
    var text: String?
    var alert: String

    init?(_ push: Push) {
        guard let payload = try? JSONSerialization.jsonObject(with: push.payload) as? [String: Any],
            let alert = payload["alert_id"] as? String
        else { return nil }
        self.alert = alert
        apnsID = push.apnsID ?? ""
        let shown = (payload["aps"] as? [String: Any])?["alert"] as? [String: Any]
        text = payload["alert_action"] == nil ? shown?["body"] as? String ?? "" : nil
    }
}

/// A phone's way to the simulated APNs, which remembers what came.
final class RecordingLink: APNsLink {
    private struct Record {
        var pushes: [RecordedPush] = []
        var taken: [Data: Int] = [:]
    }

    private let link: SimulatedAPNsLink
    private let record = Mutex(Record())

    init(_ link: SimulatedAPNsLink) { self.link = link }

    var pushes: [RecordedPush] { record.withLock { $0.pushes } }

    func newToken(topic: String, environment: PhoneEnvironment) async throws -> Data {
        try await link.newToken(topic: topic, environment: environment)
    }

    func giveUp(_ token: Data) async { await link.giveUp(token) }

    func pushes(for token: Data, after taken: Int) async throws -> PushPage {
        let page = try await link.pushes(for: token, after: taken)
        record.withLock { record in
            // A page that is asked for again is the same page.
            guard page.next > record.taken[token] ?? 0 else { return }
            record.taken[token] = page.next
            record.pushes += page.pushes.compactMap(RecordedPush.init)
        }
        return page
    }
}
