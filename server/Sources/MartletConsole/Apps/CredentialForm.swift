import Foundation
import MartletCore
import MartletPipeline
import MartletWire

/// The fields of a form in which a credential is handed over: a file, and what is not in it; or a key for browsers. What
/// is secret is read here and shown nowhere. A pure value.
struct CredentialForm: Sendable {
    private let form: FormValues
    private let file: FormFile?
    private let password: String

    /// - Parameters:
    ///   - file: the one in the form, or of the page before.
    ///   - password: that of a `.p12`.
    init(_ form: FormValues, file: FormFile?, password: String) {
        (self.form, self.file, self.password) = (form, file, password)
    }

    /// The names of fields that a page shows again as they were.
    static let shown = ["bundle_id", "key_id", "team_id", "subject", "url", "trust"]

    /// The environment that was chosen; `nil` is all that the provider has.
    var environment: Environment? { form["environment"].flatMap { Environment(rawValue: $0) } }

    /// What was handed over: nothing, one, or a file and a key for browsers.
    ///
    /// - Throws: `Failure` naming the field.
    func drafts() throws(Failure) -> [CredentialDraft] {
        var drafts: [CredentialDraft] = []
        if let file { drafts.append(try draft(.init(of: file), file)) }
        // It has no address of its own: each subscription has one.
        if form.isOn("vapid") { drafts.append(CredentialDraft(webPush, isURLOfOperator: true)) }
        return drafts
    }

    /// A draft for one environment. An address, certificates to trust and a bundle id stay each environment's own where
    /// they were not changed on the page, which shows those of the credential that it replaces, or none.
    func draft(_ draft: CredentialDraft, for environment: Environment, among stored: [Credential]) -> CredentialDraft {
        let own = stored.filter { $0.platform == draft.platform }
        guard let old = own.first(where: { $0.environment == environment }) else { return draft }
        let shown = own.first { $0.environment.rawValue == form["replaces"] }
        var draft = draft
        if draft.url == shown?.url { draft.url = old.url }
        if Self.plain(draft.trust) == Self.plain(shown?.trust) { draft.trust = old.trust }
        if case .apns(let secret, let bundleID) = draft.secret, bundleID == shown?.summary.topic {
            draft.secret = .apns(secret, bundleID: old.summary.topic)
        }
        return draft
    }

    /// A text as it is whatever a browser makes of its lines.
    private static func plain(_ text: String?) -> String {
        (text ?? "").split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var webPush: CredentialDraft.Secret {
        .webpush(
            CredentialDraft.Secret.WebPush(subject: form["subject"], isRotation: form.isOn("rotation"))
        )
    }

    private func draft(_ file: CredentialFile, _ source: FormFile) throws(Failure) -> CredentialDraft {
        let bundleID = form["bundle_id"]
        switch file {
        case .signingKey(let pem):
            guard let bundleID else {
                throw Self.missing("bundle_id", "The bundle id is missing: a signing key has none.")
            }
            // The file says who it is; the field may be of another one.
            guard let keyID = CredentialFile.keyID(in: source.name) ?? form["key_id"] else {
                throw Self.missing("key_id", "The key's id is missing: it is in the name of Apple's file.")
            }
            guard let teamID = form["team_id"] else {
                throw Self.missing(
                    "team_id",
                    "The team's id is missing: it is at the top right of Apple's developer account."
                )
            }
            return try draft(.apns(.signingKey(pem: pem, keyID: keyID, teamID: teamID), bundleID: bundleID))
        case .pkcs12(let bytes):
            return try draft(.apns(.pkcs12(bytes: bytes, password: password), bundleID: bundleID ?? ""))
        case .certificate(let pem, let privateKey):
            return try draft(.apns(.pem(certificate: pem, privateKey: privateKey), bundleID: bundleID ?? ""))
        case .serviceAccount(let json):
            return try draft(.fcm(serviceAccount: json))
        }
    }

    private func draft(_ secret: CredentialDraft.Secret) throws(Failure) -> CredentialDraft {
        // An admin of the console runs the whole server.
        CredentialDraft(
            secret,
            url: try CredentialDraft.checked(url: form["url"]),
            isURLOfOperator: true,
            trust: form["trust"]
        )
    }

    private static func missing(_ field: String, _ message: String) -> Failure { .invalid(field, message) }

    /// A refusal with the form's field in place of the draft's.
    static func inWords(_ failure: Failure) -> Failure {
        var failure = failure
        switch failure.detail.field {
        case "key", "certificate", "service_account", "p8", "p12": failure.detail.field = "file"
        case "topic": failure.detail.field = "bundle_id"
        default: break
        }
        return failure
    }
}

extension CredentialFile {
    /// What a file is.
    ///
    /// - Throws: `Failure` naming `file`.
    init(of file: FormFile) throws(Failure) {
        guard let known = CredentialFile(file.bytes) else {
            throw .invalid(
                "file",
                "This file is no credential.",
                hint:
                    "It is Apple's .p8, a .p12, a PEM file with certificate and key, or a Firebase service account's JSON."
            )
        }
        self = known
    }
}

extension Credential {
    /// What the audit log shows of it.
    var audited: JSONValue {
        var members: [String: JSONValue] = [
            "platform": .string(platform.rawValue), "environment": .string(environment.rawValue),
            "kind": .string(summary.kind.rawValue), "topic": .string(summary.topic),
        ]
        members["key_id"] = summary.keyID.map { .string($0) }
        members["team_id"] = summary.teamID.map { .string($0) }
        members["url"] = url.map { .string($0) }
        return .object(members)
    }
}

extension App {
    /// What the audit log shows of it.
    var audited: JSONValue {
        var members: [String: JSONValue] = ["name": .string(name), "identity": .string(identity.mode.rawValue)]
        members["issuer"] = identity.issuer.map { .string($0) }
        members["audience"] = identity.audience.map { .string($0) }
        switch identity.verification {
        case .secret: members["checked_with"] = "shared secret"
        case .keySet: members["checked_with"] = "key set"
        case .keySetURL(let url): members["checked_with"] = .string(url)
        case nil: break
        }
        return .object(members)
    }
}
