import Logging
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Platform applications: an app with one platform and one environment.
extension SNSService {
    /// Makes one. Where there is one of the name already, it gets what is set, and is not made twice.
    func createPlatformApplication(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("Name", "Platform", "Attributes", in: call.form)
        try missing.check()
        let name = try PlatformApplicationName(call, homeRegion: homeRegion)
        let attributes = try ApplicationAttributes(call.form.map("Attributes"), in: call.scope)
        guard let credential = try attributes.credential(for: name.kind) else {
            throw SNSError.invalidCredentials
        }
        let arn = call.arn(of: name)
        let result: SNSResult = { $0.element("PlatformApplicationArn", arn.description) }
        if let known = try await store.platformApplication(name) {
            try await update(known, attributes, call)
            return result
        }
        var random = SystemRandomNumberGenerator()
        let id = PublicID(milliseconds: clock.now().rawValue, using: &random)
        let sealed = try seal(credential, attributes, kind: name.kind, app: id)
        let draft = PlatformApplicationDraft(
            name: name,
            appID: id,
            isEnabled: attributes.isEnabled ?? true,
            attributes: [:].updated(by: attributes.kept(for: name.kind)),
            sealed: sealed.source,
            credential: sealed.credential
        )
        let created = try await store.createPlatformApplication(draft)
        let application = created.application
        if created.isNew {
            await record(
                "platform_application.create",
                of: subject(application),
                by: call,
                app: application.app,
                after: application.audited
            )
        } else {
            try await update(application, attributes, call)
        }
        wakeUps.notify()
        return result
    }

    /// Says what is set, and never what it authenticates with.
    func getPlatformApplicationAttributes(_ call: SNSCall) async throws -> SNSResult? {
        let application = try await application(of: call)
        let attributes = try await attributes(of: application)
        return { $0.map("Attributes", attributes) }
    }

    func setPlatformApplicationAttributes(_ call: SNSCall) async throws -> SNSResult? {
        // A name that is none is reported before attributes that are not there.
        if let name = try call.form.string("PlatformApplicationArn") {
            _ = try PlatformApplicationARN(name, in: call.scope)
        }
        var missing = MissingMembers()
        missing.require("PlatformApplicationArn", "Attributes", in: call.form)
        try missing.check()
        let application = try await application(of: call)
        try await update(application, ApplicationAttributes(call.form.map("Attributes"), in: call.scope), call)
        return nil
    }

    func listPlatformApplications(_ call: SNSCall) async throws -> SNSResult? {
        let page = try await store.platformApplications(
            .region(call.region, isHome: call.region == homeRegion),
            PageToken.request(call.form)
        )
        var items: [(arn: String, attributes: [(key: String, value: String)])] = []
        for application in page.items {
            items.append((arn(of: application).description, try await attributes(of: application)))
        }
        let (listed, next) = (items, PageToken.next(page))
        return { writer in
            writer.list("PlatformApplications", listed) { writer, item in
                writer.element("PlatformApplicationArn", item.arn)
                writer.map("Attributes", item.attributes)
            }
            writer.element("NextToken", optional: next)
        }
    }

    /// Deletes one with its credential and endpoints. Deleting what is not there is no error.
    func deletePlatformApplication(_ call: SNSCall) async throws -> SNSResult? {
        let arn = try PlatformApplicationARN(call.form.required("PlatformApplicationArn"), in: call.scope)
        guard let application = try await application(arn) else { return nil }
        _ = try await store.deletePlatformApplication(application.row)
        await record(
            "platform_application.delete",
            of: subject(application),
            by: call,
            app: application.app,
            before: application.audited
        )
        return nil
    }

    /// Writes what a call sets, credential and all in one step.
    private func update(
        _ application: PlatformApplication,
        _ attributes: ApplicationAttributes,
        _ call: SNSCall
    ) async throws {
        let kind = application.kind
        var update = PlatformApplicationUpdate(
            isEnabled: attributes.isEnabled,
            attributes: attributes.kept(for: kind)
        )
        var credential = try attributes.credential(for: kind)
        if credential == nil, attributes.teamID != nil || attributes.bundleID != nil, kind.isApple {
            // What they belong to is what was given before.
            let source = try application.sealed.map { sealed in
                try vault.open(sealed, for: PlatformApplication.purpose(app: application.appID, kind: kind))
            }
            guard let known = source.flatMap(ApplicationCredential.init(bytes:)) else {
                throw SNSError.attributes("ApplePlatform attributes provided without PlatformCredential")
            }
            credential = known
        }
        if let credential {
            let summary = try await self.credential(of: application)?.summary
            var all = attributes
            all.teamID = all.teamID ?? application.attributes[ApplicationAttributes.team] ?? summary?.teamID
            all.bundleID = all.bundleID ?? application.attributes[ApplicationAttributes.bundle] ?? summary?.topic
            if credential.isCertificate, attributes.bundleID == nil { all.bundleID = nil }
            let sealed = try seal(credential, all, kind: kind, app: application.appID)
            update.sealed = sealed.source
            update.credential = sealed.credential
        }
        let changed: PlatformApplication
        do {
            changed = try await store.updatePlatformApplication(application.row, update)
        } catch let failure as Failure where failure.code == .notFound {
            throw SNSError.notFound("PlatformApplication")
        }
        if update.credential != nil { wakeUps.notify() }
        await recordUpdate(of: application, to: changed, hasNewCredential: update.sealed != nil, by: call)
    }

    /// Seals what authenticates: as it was given, and where a provider takes it, as that wants it.
    ///
    /// - Throws: `InvalidParameter` for what the provider does not take.
    private func seal(
        _ credential: ApplicationCredential,
        _ attributes: ApplicationAttributes,
        kind: PlatformApplication.Kind,
        app: PublicID
    ) throws -> (source: [UInt8], credential: StoredCredentialDraft?) {
        let source = try vault.seal(credential.bytes, for: PlatformApplication.purpose(app: app, kind: kind))
        guard let draft = try draft(credential, attributes, kind: kind) else {
            if kind.isApple || kind.isGoogle {
                logger.warning(
                    "a platform application has no credential that the platform would take: nothing is sent for it",
                    metadata: ["app": "\(app)", "platform": "\(kind.rawValue)"]
                )
            }
            return (source, nil)
        }
        do {
            return (source, try credentials.seal(draft, for: app))
        } catch let failure as Failure where failure.code != .internalError {
            logger.notice("a platform credential was refused", metadata: ["reason": "\(failure.detail.message)"])
            throw SNSError.invalidCredentials
        }
    }

    /// What the platform's provider is given; `nil` for a placeholder, and where there is no provider.
    private func draft(
        _ credential: ApplicationCredential,
        _ attributes: ApplicationAttributes,
        kind: PlatformApplication.Kind
    ) throws(SNSError) -> CredentialDraft? {
        if kind.isGoogle {
            // What Google had before service accounts, a key of letters and digits, sends nothing since 2024.
            guard credential.isServiceAccount, credentials.providers[.fcm] != nil else { return nil }
            return CredentialDraft(.fcm(serviceAccount: credential.credential))
        }
        guard kind.isApple,
            let secret = try credential.secret(teamID: attributes.teamID, bundleID: attributes.bundleID)
        else { return nil }
        return CredentialDraft(
            .apns(secret, bundleID: attributes.bundleID ?? ""),
            url: settings.apnsURL,
            isURLOfOperator: true,
            trust: settings.apnsTrust
        )
    }

    private func credential(of application: PlatformApplication) async throws -> Credential? {
        try await store.credentials(application.app).first { $0.queue == application.queue }
    }

    private func attributes(of application: PlatformApplication) async throws -> [(key: String, value: String)] {
        let credential = try await credential(of: application)
        return ApplicationAttributes.shown(application, credential?.summary)
    }
}

/// How platform applications are found and called.
extension SNSService {
    /// The application that a call names.
    ///
    /// - Throws: `InvalidParameter` for what is no application's name of this region, `AuthorizationError` for another
    ///   account's, `NotFound`.
    func application(of call: SNSCall) async throws -> PlatformApplication {
        let arn = try PlatformApplicationARN(call.form.required("PlatformApplicationArn"), in: call.scope)
        guard let application = try await application(arn) else { throw SNSError.notFound("PlatformApplication") }
        return application
    }

    /// The application of a name, or `nil`.
    func application(_ arn: PlatformApplicationARN) async throws -> PlatformApplication? {
        guard let kind = PlatformApplication.Kind(rawValue: arn.platform) else { return nil }
        return try await store.platformApplication(
            PlatformApplicationName(kind: kind, region: arn.region, isHome: arn.region == homeRegion, name: arn.name)
        )
    }

    /// What an application is called.
    func arn(of application: PlatformApplication) -> PlatformApplicationARN {
        PlatformApplicationARN(
            region: application.region ?? homeRegion,
            account: settings.account,
            platform: application.kind.rawValue,
            name: application.name
        )
    }
}

extension SNSCall {
    fileprivate func arn(of name: PlatformApplicationName) -> PlatformApplicationARN {
        PlatformApplicationARN(region: region, account: account, platform: name.kind.rawValue, name: name.name)
    }
}

extension PlatformApplicationName {
    /// The name that a call asks for: 1 to 256 letters, digits, `_`, `-` and `.`.
    ///
    /// - Throws: `InvalidParameter` in AWS's words.
    fileprivate init(_ call: SNSCall, homeRegion: String) throws(SNSError) {
        let name = try call.form.required("Name")
        guard !name.isEmpty else { throw .invalidParameter("", reason: "cannot be empty") }
        guard name.utf8.count <= 256 else {
            // The whole of it, as AWS does, but no more than a request's worth of names.
            let shown = name.utf8.count > 4_096 ? name.excerpt : name
            throw .invalidParameter(shown, reason: "must be at most 256 characters long")
        }
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x5F || byte == 0x2D || byte == 0x2E
        }
        guard isPlain else {
            let reason = "must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'"
            throw .invalidParameter(name, reason: reason)
        }
        let platform = try call.form.required("Platform")
        guard let kind = PlatformApplication.Kind(rawValue: platform) else {
            throw .invalidParameter("Platform", reason: "\(platform.excerpt) is not supported")
        }
        self.init(kind: kind, region: call.region, isHome: call.region == homeRegion, name: name)
    }
}
