import Foundation
import MartletCore
import MartletPipeline
import MartletWire

/// Who changed what by a key: each change by an admin or a send key is written into the audit log. What a phone does for
/// itself is not, nor what a backend passes on for one: a registration, events, marks in an inbox.
extension MartletAPI {
    /// Writes a change down when it is made.
    ///
    /// - Parameters:
    ///   - before: what was there; `nil` for what was made.
    ///   - after: what is there now; `nil` for what is gone.
    func record(
        _ action: AuditAction,
        of subject: AuditSubject,
        by caller: Caller,
        app: RowID<App>? = nil,
        before: JSONValue? = nil,
        after: JSONValue? = nil
    ) async {
        guard let actor = caller.auditActor else { return }
        let draft = AuditDraft(action, of: subject, by: actor, app: app, before: before, after: after)
        await AuditRecorder(store: store, logger: logger).record([draft])
    }
}

extension Caller {
    /// Who changes are recorded of; `nil` of phones.
    var auditActor: AuditActor? {
        guard let key, key.scope != .client else { return nil }
        return AuditActor(key)
    }
}

extension JSONValue {
    /// What the interface shows of something, for the audit log.
    static func shown(_ document: some Encodable) -> JSONValue {
        (try? DocumentEncoder.encode(document)) ?? .null
    }

    /// The object with one member more.
    func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}

extension AuditSubject {
    init(_ app: App) { self.init("app", app.id.description) }
    init(_ queue: DeliveryQueue, as kind: String) { self.init(kind, queue.word) }
    init(_ topic: Topic) { self.init("topic", topic.id.description) }
    init(_ subscription: Subscription) { self.init("subscription", subscription.id.description) }
    init(_ category: Category) { self.init("category", category.key) }
    init(_ device: Endpoint) { self.init("device", device.id.description) }

    /// A person.
    static func user(_ id: String) -> AuditSubject { AuditSubject("user", id) }

    /// A person who is erased: found again by who has the id, and naming nobody.
    static func erased(_ user: String) -> AuditSubject {
        AuditSubject("user", "sha256:" + Secret.base64URL(Array(SecretHash(of: user).bytes.prefix(12))))
    }
}
