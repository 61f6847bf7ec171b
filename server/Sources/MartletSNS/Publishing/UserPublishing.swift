import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Messages to users: on all of their devices, and in their inbox where they have none.
extension SNSService {
    /// Sends a message to one user.
    ///
    /// - Returns: the notification's id.
    /// - Throws: `SNSError`: first for an app that there is not, then for one whose platforms are all disabled, then for
    ///   what the message says.
    func publish(_ message: PublishedMessage, to arn: UserARN) async throws -> PublicID {
        guard let app = try await app(of: arn) else {
            throw SNSError.invalidParameter("TargetArn", reason: "No app found for the target arn specified")
        }
        let kinds = try await kinds(of: app)
        guard !kinds.isEmpty else {
            throw SNSError(.platformApplicationDisabled, "Platform application is disabled")
        }
        let text = try message.text()
        let person = try await person(message.person, in: app)
        let kind = text.kind(among: kinds)
        return try await submit(kind: kind) { recordsRefusals in
            message.submission(
                of: text,
                to: .users([arn.user]),
                app: app,
                kind: kind,
                person: person,
                now: clock.now(),
                recordsRefusals: recordsRefusals
            )
        }
    }

    /// The app of a user's name; `nil` where there is none.
    func app(of arn: UserARN) async throws -> App? { try await store.app(.name(arn.app)) }

    /// What a message to one app asks of people's preferences and inboxes.
    ///
    /// - Throws: `InvalidParameter` for a category that the app has not.
    func person(_ attributes: PersonAttributes, in app: App, isOfOneDevice: Bool = false) async throws -> PersonRequest
    {
        let needsCategories = PersonRequest.needsCategories(attributes)
        let categories = needsCategories ? try await store.categories(of: app.row) : []
        return try PersonRequest(attributes, isOfOneDevice: isOfOneDevice, app: app, categories: categories)
    }

    /// Submits what is for one person or device. Without a credential it is accepted, as Amazon accepts it; the notification
    /// says why nothing was sent.
    ///
    /// - Parameter submission: what is submitted, with whether refusals are recorded; `nil` where the message has no text
    ///   for the platform.
    func submit(
        kind: PlatformApplication.Kind,
        _ submission: (_ recordsRefusals: Bool) -> Submission?
    ) async throws -> PublicID {
        func submit(recordsRefusals: Bool) async throws -> PublicID {
            guard let submission = submission(recordsRefusals) else { throw SNSError.noText(for: kind) }
            return try await submitter.submit(submission, idempotency: nil).id
        }
        do {
            return try await submit(recordsRefusals: false)
        } catch let failure as Failure where failure.code == .missingCredential {
            return try await submit(recordsRefusals: true)
        } catch let failure as Failure {
            throw SNSError.refusal(of: failure, kind: kind)
        }
    }
}
