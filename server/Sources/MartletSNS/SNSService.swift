import HTTPTypes
import Hummingbird
package import Logging
package import MartletCore
package import MartletPipeline
package import MartletStore
import MartletWire
import NIOCore

/// The Amazon-SNS-compatible interface: reads a call, finds out who makes it and whether they may, has the operation done,
/// and answers in XML, or in JSON where that is asked for, whatever happens.
package struct SNSService: Sendable {
    let store: Store
    let submitter: Submitter
    let credentials: CredentialService
    let vault: Vault
    let clock: any WallClock
    let wakeUps: WakeUps
    let settings: SNSSettings
    /// The region of what was made through other interfaces.
    let homeRegion: String
    let logger: Logger
    /// Where links lead to: tell it where the server listens.
    package let address: PublicAddress
    let certificate: SigningCertificate
    /// What writes when access keys were used: run it beside the server.
    package let keyUses: KeyUses
    private let signingKeys = SigningKeys()

    package init(
        store: Store,
        submitter: Submitter,
        credentials: CredentialService,
        vault: Vault,
        clock: any WallClock,
        wakeUps: WakeUps,
        settings: SNSSettings,
        homeRegion: String,
        logger: Logger
    ) {
        self.store = store
        self.submitter = submitter
        self.credentials = credentials
        self.vault = vault
        self.clock = clock
        self.wakeUps = wakeUps
        self.settings = settings
        self.homeRegion = homeRegion
        self.logger = logger
        address = PublicAddress(publicURL: settings.publicURL)
        keyUses = KeyUses(store: store, clock: clock, logger: logger)
        certificate = SigningCertificate(store: store, vault: vault, clock: clock)
    }

    /// Answers a request to `/`; never throws.
    func answer(_ request: Request, _ context: some SNSRequestContext) async -> SNSAnswer {
        let id = SNSAnswer.newRequestID()
        var form = AnswerWriter.Form.xml
        do {
            let signed = SignedRequest(request.head, body: try await body(of: request, context))
            form = AnswerWriter.Form(of: signed)
            let call = try await admit(signed)
            context.note(key: call.caller?.id)
            try call.authorize()
            let result = try await perform(call)
            return .success(call.action, requestID: id, as: form, result: result)
        } catch {
            let error = refusal(for: error, requestID: id)
            context.note(code: error.code.rawValue)
            return .failure(error, requestID: id, as: form)
        }
    }

    private func refusal(for error: any Error, requestID: String) -> SNSError {
        switch error {
        case let error as SNSError: return error
        case let failure as Failure where failure.code != .internalError: return SNSError(failure)
        case is CancellationError: return .throttling
        default:
            logger.error("an SNS call failed", metadata: ["request": "\(requestID)", "error": "\(error)"])
            return .internalFailure
        }
    }

    private func body(of request: Request, _ context: some SNSRequestContext) async throws -> [UInt8] {
        if let announced = request.headers[.contentLength].flatMap(Int.init), announced > settings.bodyLimit {
            throw SNSError.tooLarge("Request size exceeded \(settings.bodyLimit) bytes.")
        }
        do {
            return try await context.collect(request.body, limit: settings.bodyLimit)
        } catch let failure as Failure where failure.code == .bodyTooLarge {
            throw SNSError.tooLarge("Request size exceeded \(settings.bodyLimit) bytes.")
        } catch let failure as Failure where failure.code == .overloaded {
            throw SNSError.throttling
        } catch let failure as Failure {
            throw SNSError.malformedInput(failure.detail.message)
        } catch let error where !(error is CancellationError) {
            // The connection broke or what came is not HTTP: the caller's trouble and not a defect.
            throw SNSError.malformedInput("The body could not be read to its end.")
        }
    }

    /// Checks a signature. That a key has expired is said to who has its secret; to anybody else it is an unknown one.
    private func verify(_ request: SignedRequest, _ claim: SignatureClaim, of known: StoredAccessKey) throws {
        let now = clock.now()
        let isExpired = known.isExpired(at: now)
        do {
            // Before a key is derived and kept: it is one of the day on which the request says that it was signed.
            try claim.scope.check(claim.time)
            let key = try signingKeys.key(of: known, scope: claim.scope, vault: vault)
            try claim.verify(request, key: key, now: now)
        } catch {
            throw isExpired ? SNSError.unknownKey : error
        }
        if isExpired { throw SNSError.expiredKey }
    }

    /// Checks the signature over the bytes as they came, then reads what they ask for.
    private func admit(_ request: SignedRequest) async throws -> SNSCall {
        let claim = try SignatureClaim.of(request)
        var caller: StoredAccessKey?
        if let claim {
            guard let known = try await store.key(.accessKey(claim.scope.accessKeyID))?.access,
                try !request.hasSessionToken()
            else {
                throw SNSError.unknownKey
            }
            try verify(request, claim, of: known)
            keyUses.note(known)
            caller = known
        }
        let form = try FormParameters(query: request.query, body: request.body)
        let action = try form.action()
        if caller == nil, !action.isOpen { throw SNSError.unsigned }
        let region = claim?.scope.region ?? homeRegion
        return SNSCall(
            form: form,
            scope: ARNScope(region: region, account: settings.account, action: action),
            caller: caller
        )
    }
}

extension SNSAction {
    /// Whether it needs no signature: the links that a subscriber follows.
    var isOpen: Bool { self == .confirmSubscription || self == .unsubscribe }
}
