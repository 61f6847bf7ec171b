import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Endpoints of platform applications: devices by their tokens.
extension SNSService {
    func createPlatformEndpoint(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("PlatformApplicationArn", "Token", in: call.form)
        try missing.check()
        let application = try await application(of: call)
        var draft = try PlatformEndpointDraft(call.form)
        draft.owner = try await owner(of: draft, in: application)
        let creation: PlatformEndpointCreation
        do {
            creation = try await registrar.createPlatformEndpoint(application, draft)
        } catch let failure as Failure where failure.code == .notFound {
            throw SNSError.notFound("PlatformApplication")
        } catch let failure as Failure where failure.detail.field == "token" {
            throw SNSError.invalidToken(draft.token, of: application.kind)
        }
        switch creation {
        case .same(let endpoint): return Self.made(arn(of: endpoint, in: application))
        case .created(let endpoint):
            await announce(.created(endpoint), of: application)
            return Self.made(arn(of: endpoint, in: application))
        case .differs(let endpoint):
            let holder = try await self.application(holding: endpoint) ?? application
            throw SNSError.endpointExists(arn(of: endpoint, in: holder))
        }
    }

    func getEndpointAttributes(_ call: SNSCall) async throws -> SNSResult? {
        let arn = try EndpointARN(call.form.required("EndpointArn"), in: call.scope)
        guard let (_, endpoint) = try await endpoint(arn) else { throw SNSError.notFound("Endpoint") }
        return { $0.map("Attributes", endpoint.snsAttributes) }
    }

    func setEndpointAttributes(_ call: SNSCall) async throws -> SNSResult? {
        var missing = MissingMembers()
        missing.require("EndpointArn", "Attributes", in: call.form)
        try missing.check()
        let arn = try EndpointARN(call.form.required("EndpointArn"), in: call.scope)
        guard let (application, known) = try await endpoint(arn) else { throw SNSError.notFound("Endpoint") }
        let values = try EndpointAttributes(call.form.map("Attributes"))
        let update = EndpointUpdate(
            isEnabled: values.isEnabled,
            owner: try await owner(of: known, after: values, in: application),
            token: values.token,
            customUserData: values.customUserData
        )
        let endpoint: Endpoint
        do {
            endpoint = try await registrar.updatePlatformEndpoint(application, known.id, update)
        } catch let failure as Failure where failure.code == .notFound {
            throw SNSError.notFound("Endpoint")
        } catch let failure as Failure where failure.code == .conflict {
            throw SNSError.invalidParameter("This endpoint is already registered with a different token.")
        } catch let failure as Failure where failure.detail.field == "token" {
            throw SNSError.invalidToken(values.token ?? "", of: application.kind)
        }
        await announce(.updated(endpoint, values.names), of: application)
        await record(
            "device.update",
            of: AuditSubject(known),
            by: call,
            app: known.app,
            before: known.audited,
            after: endpoint.audited
        )
        return nil
    }

    func listEndpointsByPlatformApplication(_ call: SNSCall) async throws -> SNSResult? {
        let application = try await application(of: call)
        let page = try await store.platformEndpoints(application, PageToken.request(call.form))
        let items = page.items.map { (arn: arn(of: $0, in: application).description, endpoint: $0) }
        let next = PageToken.next(page)
        return { writer in
            writer.list("Endpoints", items) { writer, item in
                writer.element("EndpointArn", item.arn)
                writer.map("Attributes", item.endpoint.snsAttributes)
            }
            writer.element("NextToken", optional: next)
        }
    }

    /// Deletes one; its subscriptions stay. Deleting what is not there is no error.
    func deleteEndpoint(_ call: SNSCall) async throws -> SNSResult? {
        let arn = try EndpointARN(call.form.required("EndpointArn"), in: call.scope)
        guard let id = PublicID(arn.id), let application = try await application(arn.application) else { return nil }
        if let endpoint = try await store.removePlatformEndpoint(application, id) {
            await announce(.deleted(endpoint), of: application)
            let subject = AuditSubject(endpoint)
            await record("device.delete", of: subject, by: call, app: endpoint.app, before: endpoint.audited)
        }
        return nil
    }

    private var registrar: Registrar {
        Registrar(store: store, providers: credentials.providers, vault: credentials.vault)
    }

    private static func made(_ arn: EndpointARN) -> SNSResult {
        { $0.element("EndpointArn", arn.description) }
    }
}

/// How endpoints are found and called.
extension SNSService {
    /// The endpoint of a name with its application, or `nil` when either is not there. Whether somebody may publish to it
    /// is said by `isEnabled` of both.
    func endpoint(_ arn: EndpointARN) async throws -> (PlatformApplication, Endpoint)? {
        guard let id = PublicID(arn.id), let application = try await application(arn.application),
            let endpoint = try await store.platformEndpoint(application, id)
        else { return nil }
        return (application, endpoint)
    }

    /// What an endpoint of an application is called.
    func arn(of endpoint: Endpoint, in application: PlatformApplication) -> EndpointARN {
        EndpointARN(application: arn(of: application), id: endpoint.id.description)
    }

    /// The application that an endpoint is in by its environment.
    private func application(holding endpoint: Endpoint) async throws -> PlatformApplication? {
        guard let environment = endpoint.environment else { return nil }
        let queue = DeliveryQueue(app: endpoint.app, platform: endpoint.platform, environment: environment)
        return try await store.platformApplication(of: queue)
    }
}

/// What a call sets about an endpoint.
struct EndpointAttributes: Sendable {
    private(set) var token: String?
    private(set) var customUserData: String?
    private(set) var isEnabled: Bool?
    /// What is set, by name.
    private(set) var names: [String] = []

    /// How many bytes of its own a client may keep with an endpoint (Amazon SNS, CreatePlatformEndpoint).
    private static let userDataLimit = 2_048

    /// Reads them.
    ///
    /// - Throws: `InvalidParameter` for a name that is none of them, or a value that one cannot have.
    init(_ entries: [FormEntry<String>]) throws(SNSError) {
        for entry in entries {
            names.append(entry.key)
            switch entry.key {
            case "Token": token = entry.value
            case "CustomUserData": customUserData = try Self.userData(entry.value)
            case "Enabled": isEnabled = try ApplicationAttributes.flag(entry.key, entry.value)
            default: throw .attributes("Invalid attribute name: \(entry.key.excerpt)")
            }
        }
    }

    /// Data that is short enough.
    static func userData(_ text: String) throws(SNSError) -> String {
        guard text.utf8.count <= userDataLimit else {
            throw .attributes(
                "Invalid value for attribute: CustomUserData: must be at most \(userDataLimit) bytes long in UTF-8 encoding"
            )
        }
        return text
    }
}

extension PlatformEndpointDraft {
    /// What a call asks for. An attribute goes before the parameter of its name.
    fileprivate init(_ form: FormParameters) throws(SNSError) {
        let attributes = try EndpointAttributes(form.map("Attributes"))
        var data = attributes.customUserData
        if data == nil, let text = try form.string("CustomUserData") { data = try EndpointAttributes.userData(text) }
        let token = if let token = attributes.token { token } else { try form.required("Token") }
        self.init(
            token: token,
            customUserData: data == "" ? nil : data,
            isEnabled: attributes.isEnabled ?? true
        )
    }
}

extension Endpoint {
    /// What the interface says about it.
    fileprivate var snsAttributes: [(key: String, value: String)] {
        var values = [(key: "Enabled", value: String(isEnabled)), (key: "Token", value: token)]
        if let customUserData { values.append((key: "CustomUserData", value: customUserData)) }
        return values
    }
}

extension SNSError {
    /// The text from which AWS's own sample code takes the endpoint's name.
    fileprivate static func endpointExists(_ arn: EndpointARN) -> SNSError {
        .invalidParameter(
            "Token",
            reason: "Endpoint \(arn) already exists with the same Token, but different attributes."
        )
    }

    /// A text that is no token of this kind, in AWS's words.
    fileprivate static func invalidToken(_ text: String, of kind: PlatformApplication.Kind) -> SNSError {
        // Amazon takes 8,192 bytes; no service has tokens of more than 4,096.
        let limit = text.utf8.count > 8_192 ? 8_192 : 4_096
        let reason =
            if text.isEmpty {
                "cannot be empty"
            } else if kind.isApple {
                "iOS device tokens must be no more than 400 hexadecimal characters"
            } else if text.utf8.count > limit {
                "must be at most \(limit) bytes long in UTF-8 encoding"
            } else {
                "must contain only printable ASCII characters"
            }
        return .invalidParameter("Token", reason: reason)
    }
}
