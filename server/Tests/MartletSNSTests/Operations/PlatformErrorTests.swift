import Testing

@testable import MartletHTTP

/// What Amazon SNS answers to calls about platform applications and endpoints that it refuses, as it was recorded: code,
/// text and status. Of the recorded answers of these operations none is left out.
@Suite("Recorded refusals of platform operations")
struct PlatformErrorTests {
    /// What is answered.
    struct Refusal: Sendable {
        var code = "InvalidParameter"
        /// `ENDPOINT` stands for the endpoint's name.
        var message: String
        var status = 400

        static let noAttributes = Refusal(code: "ValidationError", message: SNSError.missing(["attributes"]).message)

        static func gone(_ what: String) -> Refusal {
            Refusal(code: "NotFound", message: "\(what) does not exist", status: 404)
        }

        static func invalid(_ what: String, _ reason: String) -> Refusal {
            Refusal(message: "Invalid parameter: \(what) Reason: \(reason)")
        }
    }

    struct Row: Sendable {
        /// What the recording is called.
        let name: String
        let action: String
        /// `APP`, `ENDPOINT` and `GONE` stand for an application, an endpoint of it, and an application that is not there.
        let parameters: [(String, String)]
        let refusal: Refusal

        init(_ name: String, _ action: String, _ parameters: [(String, String)], _ refusal: Refusal) {
            self.name = name
            self.action = action
            self.parameters = parameters
            self.refusal = refusal
        }
    }

    private static let pair = [("PlatformCredential", "dummy"), ("PlatformPrincipal", "dummy")]
    private static let longName = String(repeating: "a", count: 257)
    private static let (principalAlone, credentialAlone) = (
        Refusal.invalid("Attributes", "PlatformPrincipal attribute provided without PlatformCredential"),
        Refusal.invalid("Attributes", "PlatformCredential attribute provided without PlatformPrincipal")
    )

    static let creations: [Row] = [
        ("no-args", "app", "ADM", [], Refusal.noAttributes),
        ("missing-credential", "app", "ADM", [pair[1]], principalAlone),
        ("missing-principal", "app", "ADM", [pair[0]], credentialAlone),
        ("too-long", longName, "ADM", pair, .invalid(longName, "must be at most 256 characters long")),
        ("empty", "", "ADM", pair, .invalid("", "cannot be empty")),
        (
            "invalid-char", "@name", "ADM", pair,
            .invalid("@name", "must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'")
        ),
        ("invalid platform", "app", "AAA", pair, .invalid("Platform", "AAA is not supported")),
    ].map { name, app, platform, attributes, refusal in
        let parameters = [("Name", app), ("Platform", platform)] + Harness.map(attributes)
        return Row("create \(name)", "CreatePlatformApplication", parameters, refusal)
    }

    static let applications: [Row] = {
        let (get, set) = ("GetPlatformApplicationAttributes", "SetPlatformApplicationAttributes")
        let noARN = Refusal.invalid("PlatformApplicationArn", "An ARN must have at least 6 elements, not 1")
        let (wrong, gone) = ([("PlatformApplicationArn", "invalid")], [("PlatformApplicationArn", "GONE")])
        let noSuch = Refusal.gone("PlatformApplication")
        return [
            Row("get invalid arn", get, wrong, noARN), Row("get non-existing", get, gone, noSuch),
            Row("set invalid arn", set, wrong + Harness.map(pair), noARN),
            Row("set non-existing", set, gone, .noAttributes), Row("set no-args", set, gone, .noAttributes),
            Row("set missing-credential", set, gone + Harness.map([pair[1]]), noSuch),
            Row("set missing-principal", set, gone + Harness.map([pair[0]]), noSuch),
            Row("set dummy-args", set, gone + Harness.map(pair), noSuch),
        ]
    }()

    static let endpoints: [Row] = {
        let (create, set, get) = ("CreatePlatformEndpoint", "SetEndpointAttributes", "GetEndpointAttributes")
        let base = [("PlatformApplicationArn", "APP"), ("Token", "token")]
        let gone = [("PlatformApplicationArn", "GONE")]
        let id = "01890a5d-ac96-774b-bcce-b302099a8057"
        let noSuch = [("EndpointArn", "arn:aws:sns:us-east-1:123456789012:endpoint/ADM/app/\(id)")]
        let on = Harness.map([("Enabled", "true")])
        let exists = "Endpoint ENDPOINT already exists with the same Token, but different attributes."
        let slashes = "Wrong number of slashes in relative portion of the ARN."
        var rows = [
            Row("idempotency", create, base + [("CustomUserData", "different")], .invalid("Token", exists)),
            Row("create non-existent app", create, gone + [("Token", "token")], .gone("PlatformApplication")),
            Row("list of a deleted app", "ListEndpointsByPlatformApplication", gone, .gone("PlatformApplication")),
            Row("set invalid arn", set, [("EndpointArn", "APP")] + on, .invalid("EndpointArn", slashes)),
            Row("set non-existent", set, noSuch + on, .gone("Endpoint")),
            Row("get non-existent", get, noSuch, .gone("Endpoint")),
            Row("set Empty", set, [("EndpointArn", "ENDPOINT")], .noAttributes),
        ]
        let long = String(repeating: "é", count: 1_025)
        for (name, value, reason) in [
            ("PlatformPrincipal", "x", "Invalid attribute name: PlatformPrincipal"),
            ("PlatformCredential", "x", "Invalid attribute name: PlatformCredential"),
            ("InvalidKey", "x", "Invalid attribute name: InvalidKey"),
            (
                "CustomUserData", long,
                "Invalid value for attribute: CustomUserData: must be at most 2048 bytes long in UTF-8 encoding"
            ),
        ] {
            let map = Harness.map([(name, value)])
            let refusal = Refusal.invalid("Attributes", reason)
            rows.append(Row("set \(name)", set, [("EndpointArn", "ENDPOINT")] + map, refusal))
            rows.append(Row("create \(name)", create, base + map, refusal))
        }
        return rows
    }()

    @Test("every recorded refusal has its code, text and status")
    func refuses() async throws {
        try await Harness.run { server in
            let application = try await server.makeApplication("app", "ADM", Self.pair)
            let endpoint = try await server.makeEndpoint(application, token: "token")
            let gone = "arn:aws:sns:us-east-1:123456789012:app/ADM/gone"
            for row in Self.creations + Self.applications + Self.endpoints {
                let parameters = row.parameters.map { name, value in
                    (name, ["APP": application, "ENDPOINT": endpoint, "GONE": gone][value] ?? value)
                }
                let reply = try await server.call(row.action, parameters)
                #expect(reply.status == row.refusal.status, "\(row.name) \(reply.body)")
                #expect(reply["Type"] == "Sender" && reply.type == "text/xml", "\(row.name)")
                let message = row.refusal.message.replacing("ENDPOINT", with: endpoint)
                #expect(reply.error == (row.refusal.code, message), "\(row.name) \(reply.body)")
            }
        }
    }

    @Test("names of another region, account or kind, and members that are missing, are refused")
    func refusesForeign() async throws {
        try await Harness.run { server in
            let application = try await server.makeApplication("app", "ADM", Self.pair)
            let endpoint = try await server.makeEndpoint(application, token: "token")
            for (action, name, arn) in [
                ("GetPlatformApplicationAttributes", "PlatformApplicationArn", application),
                ("DeletePlatformApplication", "PlatformApplicationArn", application),
                ("GetEndpointAttributes", "EndpointArn", endpoint), ("DeleteEndpoint", "EndpointArn", endpoint),
            ] {
                let missing = try await server.call(action)
                let path = name.prefix(1).lowercased() + name.dropFirst()
                #expect(missing.error.code == "ValidationError")
                #expect(missing.error.message?.contains("Value null at '\(path)'") == true)
                let region = try await server.call(action, [(name, arn)], region: "eu-west-1")
                #expect(region.error == ("InvalidParameter", "Invalid parameter: \(name)"))
                let account = arn.replacing(Harness.account, with: "999999999999")
                let other = try await server.call(action, [(name, account)])
                #expect(other.status == 403 && other.error.code == "AuthorizationError")
                let topic = try await server.call(action, [(name, "arn:aws:sns:us-east-1:123456789012:topic")])
                #expect(topic.error.message?.contains("Wrong number of slashes") == true)
            }
            #expect(try await server.call("GetEndpointAttributes", [("EndpointArn", endpoint)]).status == 200)
        }
    }
}
