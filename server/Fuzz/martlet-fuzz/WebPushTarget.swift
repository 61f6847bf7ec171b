import Foundation
import MartletWire

@testable import MartletCore
@testable import MartletProviders

/// What a push service or somebody in its place answers: the status, the service, the fields `retry-after` and
/// `x-wns-notificationstatus`, a line each, and the body; or, with the status 0, what a browser says of its subscription.
enum WebPushTarget {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let status = Int(input.line()), status == 0 || (200...999).contains(status) else { return false }
        if status == 0 { return subscribe(Array(input.rest)) }
        let service = MartletCore.Environment(rawValue: input.line()) ?? .otherService
        let fields = ["retry-after": input.line(), "x-wns-notificationstatus": input.line()]
        let answer = WebPushAnswer(status: status, body: Array(input.rest), now: now) { fields[$0] }
        let reason = answer.recordedReason
        demand((1...64).contains(reason.utf8.count), "a reason of \(reason.utf8.count) bytes is recorded")
        demand(reason.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a reason that is not printable is recorded")
        let wait = answer.retryAfter ?? .zero
        demand(wait >= .zero && wait <= .seconds(3_600), "a wait of \(wait)")
        let outcome = WebPushVerdict.outcome(of: answer, at: service, sentAt: now)
        if outcome == .accepted { demand([200, 201, 202].contains(status), "\(status) is accepted") }
        if case .rejected(let rejection) = outcome, case .unregistered = rejection.meaning {
            demand((400..<500).contains(status), "\(status) takes a browser away")
        }
        return true
    }

    private static func subscribe(_ body: [UInt8]) -> Bool {
        guard let said = try? JSONDecoder().decode(WebPushSubscription.self, from: Data(body)) else { return false }
        if let endpoint = try? WebPushEndpoint(said.endpoint, hosts: .none, field: "f") {
            let again = try? WebPushEndpoint(endpoint.text, hosts: .none, field: "f")
            demand(again == endpoint, "an endpoint's form is not its own")
            let parts = URLComponents(string: endpoint.text)
            demand(parts == nil || parts?.host == endpoint.host, "another parser reads another host")
        }
        let keys = said.keys
        let subscription = try? PushSubscription(p256dh: keys.p256dh, auth: keys.auth, vapidKeyID: "k", field: "f")
        guard let subscription else { return true }
        demand(PushSubscription(bytes: subscription.bytes, vapidKeyID: "k") == subscription, "stored keys are others")
        let sealed = try? WebPushEncryption.seal(Array(body.suffix(64)), paddedTo: 512, for: subscription)
        demand(sealed?.count == 512 + WebPushEncryption.overhead, "nothing is sealed for what was accepted")
        return true
    }
}
