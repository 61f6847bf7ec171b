import Foundation
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What authenticates an app at a provider, and the pauses that follow when it does not.
extension MartletAPI {
    func storeCredential(_ request: CredentialRequest, _ call: Call) async throws -> List<CredentialResponse> {
        let app = try await app(of: call)
        let environments = try credentials.environments(of: request.platform, named: request.environment)
        var draft = try CredentialDraft(request)
        draft.isURLOfOperator = call.caller.isOperator
        let before = try await store.credentials(app.row)
        let stored: [Credential]
        do {
            stored = try await credentials.store(draft, app: app, environments: environments)
        } catch let failure as Failure {
            throw failure.inWords(of: request)
        }
        for credential in stored {
            let old = before.first { $0.queue == credential.queue }
            await record(
                "credential.store",
                of: AuditSubject(credential.queue, as: "credential"),
                by: call.caller,
                app: app.row,
                before: old.map { .shown(CredentialResponse($0)) },
                after: .shown(CredentialResponse(credential))
            )
        }
        // What did not answer may have been mended with it: another address, other certificates to trust.
        let queues = stored.flatMap(\.queue.sharingCredential)
        breakers.probe(queues)
        // A stored credential ends its queue's pause, so there may be work at once.
        wakeUps.notify()
        return List(stored.map(CredentialResponse.init))
    }

    func listCredentials(_ call: Call) async throws -> List<CredentialResponse> {
        List(try await store.credentials(app(of: call).row).map(CredentialResponse.init))
    }

    func deleteCredential(_ call: Call) async throws -> Nothing {
        let app = try await app(of: call)
        let queue = try queue(of: app, call)
        let known = try await store.credentials(app.row).first { $0.queue == queue }
        guard try await store.deleteCredential(queue) else { throw Failure.notFound("credential") }
        await record(
            "credential.delete",
            of: AuditSubject(queue, as: "credential"),
            by: call.caller,
            app: app.row,
            before: known.map { .shown(CredentialResponse($0)) }
        )
        return Nothing()
    }

    func listPauses(_ call: Call) async throws -> List<PauseResponse> {
        List(try await store.pauses(app(of: call).row).map(PauseResponse.init))
    }

    func resume(_ call: Call) async throws -> Nothing {
        let app = try await app(of: call)
        let queue = try queue(of: app, call)
        let pause = try await store.pauses(app.row).first { $0.queue == queue }
        guard try await store.resume(queue) else { throw Failure.notFound("pause") }
        wakeUps.notify()
        await record(
            "queue.resume",
            of: AuditSubject(queue, as: "queue"),
            by: call.caller,
            app: app.row,
            before: pause.map { .shown(PauseResponse($0)) }
        )
        return Nothing()
    }
}

extension CredentialDraft {
    /// A draft from a request with exactly one form of secret.
    ///
    /// - Throws: `Failure` naming the field.
    init(_ request: CredentialRequest) throws(Failure) {
        let secret: Secret
        switch request.platform {
        case .apns: secret = try CredentialDraft.apns(request)
        case .fcm: secret = try CredentialDraft.fcm(request)
        case .webpush: secret = try CredentialDraft.webPush(request)
        }
        self.init(secret, url: try CredentialDraft.checked(url: request.url), trust: request.trust)
    }

    private static func apns(_ request: CredentialRequest) throws(Failure) -> Secret {
        if request.serviceAccount != nil {
            throw .invalid("service_account", "A service account is FCM's.", hint: "Name the platform: fcm.")
        }
        if request.bundleID == "" || (request.bundleID == nil && request.p8 != nil) {
            let hint = "It is the app's bundle id, such as com.example.app."
            throw Failure(
                .malformedRequest,
                "The bundle id is missing; a signing key does not contain it.",
                hint: hint,
                field: "bundle_id"
            )
        }
        return .apns(try secret(request), bundleID: request.bundleID ?? "")
    }

    private static func webPush(_ request: CredentialRequest) throws(Failure) -> Secret {
        let others = [request.p8, request.p12, request.certificate]
        guard others.allSatisfy({ $0 == nil }), request.serviceAccount == nil else {
            throw Failure(
                .invalidCredential,
                "Web Push takes a VAPID key and nothing else.",
                hint: "Send subject, and the server makes a key; or vapid_private_key beside it."
            )
        }
        return .webpush(
            Secret.WebPush(
                subject: request.subject,
                privateKey: request.vapidPrivateKey,
                isRotation: request.isRotation ?? false
            )
        )
    }

    private static func fcm(_ request: CredentialRequest) throws(Failure) -> Secret {
        let others = [request.p8, request.p12, request.certificate]
        guard let account = request.serviceAccount, others.allSatisfy({ $0 == nil }) else {
            let hasNone = request.serviceAccount == nil && others.allSatisfy { $0 == nil }
            throw Failure(
                hasNone ? .malformedRequest : .invalidCredential,
                hasNone ? "There is no credential in the request." : "FCM takes a service account and nothing else.",
                hint: "Send service_account: the object in the account's JSON file.",
                field: "service_account"
            )
        }
        guard let text = try? account.json() else { throw .invalid("service_account", "It has a number that is none.") }
        return .fcm(serviceAccount: String(decoding: text, as: UTF8.self))
    }

    private static func secret(_ request: CredentialRequest) throws(Failure) -> Secret.APNs {
        let forms = [request.p8 != nil, request.p12 != nil, request.certificate != nil].filter { $0 }.count
        guard forms == 1 else {
            throw Failure(
                forms == 0 ? .malformedRequest : .invalidCredential,
                forms == 0 ? "There is no credential in the request." : "There is more than one credential.",
                hint: "Send p8 with key_id and team_id, or p12 with password, or certificate with private_key."
            )
        }
        if let pem = request.p8 {
            guard let keyID = request.keyID else { throw missing("key_id", "p8") }
            guard let teamID = request.teamID else { throw missing("team_id", "p8") }
            return .signingKey(pem: pem, keyID: keyID, teamID: teamID)
        }
        if let text = request.p12 {
            guard let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !bytes.isEmpty else {
                throw .invalid("p12", "It is not base64.", hint: "Make it with: base64 -w0 certificate.p12")
            }
            return .pkcs12(bytes: Array(bytes), password: request.password ?? "")
        }
        guard let key = request.privateKey else { throw missing("private_key", "certificate") }
        return .pem(certificate: request.certificate ?? "", privateKey: key)
    }

    private static func missing(_ field: String, _ form: String) -> Failure {
        Failure(.malformedRequest, "The field is missing: '\(form)' needs it.", field: field)
    }
}

extension Failure {
    /// The same refusal with the request's field in place of the credential draft's.
    fileprivate func inWords(of request: CredentialRequest) -> Failure {
        var failure = self
        switch detail.field {
        case "key": failure.detail.field = request.p8 == nil ? "private_key" : "p8"
        case "certificate": failure.detail.field = request.p12 == nil ? "certificate" : "p12"
        case "topic": failure.detail.field = "bundle_id"
        default: break
        }
        return failure
    }
}

extension CredentialResponse {
    init(_ credential: Credential) {
        self.init(
            platform: credential.platform,
            environment: credential.environment,
            kind: credential.summary.kind,
            bundleID: credential.platform == .apns ? credential.summary.topic : nil,
            projectID: credential.platform == .fcm ? credential.summary.topic : nil,
            clientEmail: credential.platform == .fcm ? credential.summary.teamID : nil,
            publicKey: credential.platform == .webpush ? credential.summary.topic : nil,
            subject: credential.platform == .webpush ? credential.summary.teamID : nil,
            keyID: credential.summary.keyID,
            teamID: credential.platform == .apns ? credential.summary.teamID : nil,
            expiresAt: credential.summary.expiresAt.map(UTCTime.init),
            url: credential.url,
            createdAt: UTCTime(credential.createdAt)
        )
    }
}

extension PauseResponse {
    init(_ pause: Pause) {
        self.init(
            platform: pause.queue.platform,
            environment: pause.queue.environment,
            reason: pause.reason,
            advice: pause.advice,
            since: UTCTime(pause.since)
        )
        reasonCode = ReasonCode.text(of: pause.reason)
    }
}
