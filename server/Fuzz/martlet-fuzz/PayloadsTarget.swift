import Foundation
import MartletCore
import MartletWire

@testable import MartletProviders

/// Content of a backend, typed and raw, rendered for every push type.
enum PayloadsTarget {
    static let app = App(
        row: RowID(1),
        id: PublicID(high: 1, low: 2),
        name: "com.example.app",
        identity: Identity(),
        createdAt: Timestamp(milliseconds: 0)
    )

    static let context = RenderContext(
        notification: PublicID(high: 3, low: 4),
        credentials: CredentialKind.allCases.map {
            CredentialSummary(kind: $0, topic: "com.example.app", keyID: nil, teamID: nil, expiresAt: nil)
        }
    )

    static func run(_ input: FuzzInput) -> Bool {
        var maker = JSONMaker(input)
        guard let type = maker.byte(), let flags = maker.byte() else { return false }
        var submission = Submission(app: app, audience: .all, content: content(&maker, flags))
        let types = APNsPushType.allCases.map(\.rawValue)
        if type != 0 { submission.pushType = type <= types.count ? types[Int(type) - 1] : maker.text() }
        if flags & 8 != 0 { submission.dedup = Dedup(key: maker.text()) }
        if flags & 16 != 0 { submission.collapse = .id(maker.text()) }
        if flags & 32 != 0 { submission.priority = Priority.allCases[Int(maker.byte() ?? 0) % 3] }
        if flags & 64 != 0 { submission.expiry = .at(Timestamp(milliseconds: maker.value().integerValue ?? 0)) }
        if flags & 128 != 0 { submission.topic = maker.text() }
        render(submission)
        // Once more with a place for all that may differ between devices.
        submission.badges = ["ann": 3]
        submission.hasDeliveryID = true
        render(submission)
        return true
    }

    private static func content(_ maker: inout JSONMaker, _ flags: UInt8) -> Content {
        var content = Content(title: maker.optionalText(), body: maker.optionalText(), sound: maker.optionalText())
        if flags & 1 != 0 {
            content.subtitle = maker.optionalText()
            content.image = maker.optionalText()
            content.deepLink = maker.optionalText()
            content.badge = (maker.value().integerValue).map(Int.init)
            content.actionCategory = maker.optionalText()
            content.threadID = maker.optionalText()
        }
        if flags & 2 != 0 { content.data = maker.members(8) }
        if flags & 4 != 0 { content.overrides[.apns] = maker.value() }
        return content
    }

    /// Renders a submission and looks at what comes of it, if it is not refused.
    static func render(_ submission: Submission) {
        guard let message = try? APNsRenderer.render(submission, context: context) else { return }
        let name = message.headers[APNsHeader.pushType] ?? ""
        guard let type = APNsPushType(rawValue: name) else { return demand(false, "the push type is '\(name)'") }
        let fillings = [nil, Int32.max].map { message.payload.filled(badge: $0, deliveryID: context.notification) }
        for bytes in fillings { check(bytes, of: type) }
        for (name, value) in message.headers {
            demand(value.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "the header field \(name) is not printable")
        }
        var other = submission
        other.content.data = submission.content.data.rebuilt
        other.content.overrides = submission.content.overrides.mapValues(\.rebuilt)
        let again = try? APNsRenderer.render(other, context: context)
        demand(again == message, "the same submission gives other bytes")
    }
    private static func check(_ bytes: [UInt8], of type: APNsPushType) {
        demand(bytes.count <= type.rules.payloadLimit, "a payload of \(bytes.count) bytes")
        guard let json = try? JSONValue(json: Data(bytes)), let members = json.objectValue else {
            return demand(false, "the payload is not a JSON object")
        }
        demand(type == .mdm || members["message_id"] != nil, "the payload has no message_id")
    }
}
