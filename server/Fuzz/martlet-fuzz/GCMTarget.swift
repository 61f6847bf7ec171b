import Foundation
import MartletWire

@testable import MartletCore
@testable import MartletProviders
@testable import MartletSNS

/// The text under `GCM`, read as SNS's interface reads it and rendered as FCM's provider renders it.
enum GCMTarget {
    private static let id = PublicID(high: 0x0189_0A5D_AC96_774B, low: 0xBCCE_B302_099A_8057)

    static func run(_ input: FuzzInput) -> Bool {
        let text = String(decoding: input.rest, as: UTF8.self)
        guard let payload = try? GCMPayload(text) else { return false }
        for target in ["token", "fid", "topic", "condition", "to", "registration_ids"] {
            demand(payload.message[target] == nil, "a target is kept")
        }
        render(payload.override)
        return true
    }

    private static func render(_ override: JSONValue) {
        let app = App(row: RowID(1), id: id, name: "a", identity: Identity(), createdAt: Timestamp(milliseconds: 0))
        let content = Content(overrides: [.fcm: override])
        let submission = Submission(app: app, audience: .all, content: content, expiry: .at(Timestamp(milliseconds: 1)))
        let credential = CredentialSummary(kind: .serviceAccount, topic: "p", keyID: "k", teamID: "a@p", expiresAt: nil)
        let context = RenderContext(notification: id, credentials: [credential])
        let message: Message
        do throws(Failure) {
            message = try FCMRenderer.render(submission, context: context)
        } catch {
            demand(error.detail.field != nil, "a refusal names no field")
            return
        }
        let body = message.payload.filled(
            badge: nil,
            deliveryID: id,
            target: FCMToken.member(for: "a:b"),
            secondsToLive: 5
        )
        guard let json = try? JSONValue(json: Data(body)), let sent = json.objectValue?["message"]?.objectValue else {
            return demand(false, "the body is no JSON")
        }
        demand(sent["token"] == "a:b", "the body names no device")
        demand((sent["data"]?.objectValue ?? [:]).values.allSatisfy { $0.stringValue != nil }, "data has other values")
    }
}
