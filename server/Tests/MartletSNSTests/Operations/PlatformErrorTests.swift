import Testing

@testable import MartletHTTP

/// What Amazon SNS answers to calls about platform applications and endpoints that it refuses, as it was recorded: code,
/// text and status. Of the recorded answers of these operations none is left out.
@Suite("Recorded refusals of platform operations")
struct PlatformErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// What the recording is called.
        let name: String
        let action: String
        /// `APP`, `ENDPOINT` and `GONE` stand for an application, an endpoint of it, and an application that is not there.
        let parameters: [(String, String)]
        let code: String
        /// As recorded, with `ENDPOINT` for the name that it holds.
        let message: String
        var status = 400

        var testDescription: String { name }
    }

    private static let missing =
        "1 validation error detected: Value null at 'attributes' failed to satisfy constraint: Member must not be null"
    private static let longData = String(repeating: "é", count: 1_025)
    private static let pair = [("PlatformCredential", "dummy"), ("PlatformPrincipal", "dummy")]

    private static func create(_ name: String, _ platform: String, _ values: [(String, String)]) -> [(String, String)] {
        [("Name", name), ("Platform", platform)] + Harness.map(values)
    }

    static let applications: [Row] = {
        let (create, set) = ("CreatePlatformApplication", "SetPlatformApplicationAttributes")
        let (invalid, arn) = ("InvalidParameter", "PlatformApplicationArn")
        let attributes = "Invalid parameter: Attributes Reason: "
        let noARN = "Invalid parameter: PlatformApplicationArn Reason: An ARN must have at least 6 elements, not 1"
        let gone = "PlatformApplication does not exist"
        let long = String(repeating: "a", count: 257)
        return [
            Row(name: "create no-args", action: create, parameters: Self.create("app", "ADM", []), code: "ValidationError", message: missing),
            Row(name: "create missing-credential", action: create, parameters: Self.create("app", "ADM", [pair[1]]), code: invalid, message: attributes + "PlatformPrincipal attribute provided without PlatformCredential"),
            Row(name: "create missing-principal", action: create, parameters: Self.create("app", "ADM", [pair[0]]), code: invalid, message: attributes + "PlatformCredential attribute provided without PlatformPrincipal"),
            Row(name: "create too-long", action: create, parameters: Self.create(long, "ADM", pair), code: invalid, message: "Invalid parameter: \(long) Reason: must be at most 256 characters long"),
            Row(name: "create empty", action: create, parameters: Self.create("", "ADM", pair), code: invalid, message: "Invalid parameter:  Reason: cannot be empty"),
            Row(name: "create invalid-char", action: create, parameters: Self.create("@name", "ADM", pair), code: invalid, message: "Invalid parameter: @name Reason: must contain only characters 'a'-'z', 'A'-'Z', '0'-'9', '_', '-', and '.'"),
            Row(name: "create invalid platform", action: create, parameters: Self.create("app", "AAA", pair), code: invalid, message: "Invalid parameter: Platform Reason: AAA is not supported"),
            Row(name: "get invalid arn", action: "GetPlatformApplicationAttributes", parameters: [(arn, "invalid")], code: invalid, message: noARN),
            Row(name: "get non-existing", action: "GetPlatformApplicationAttributes", parameters: [(arn, "GONE")], code: "NotFound", message: gone, status: 404),
            Row(name: "set invalid arn", action: set, parameters: [(arn, "invalid")] + Harness.map(pair), code: invalid, message: noARN),
            Row(name: "set non-existing", action: set, parameters: [(arn, "GONE")], code: "ValidationError", message: missing),
            Row(name: "set no-args", action: set, parameters: [(arn, "GONE")], code: "ValidationError", message: missing),
            Row(name: "set missing-credential", action: set, parameters: [(arn, "GONE")] + Harness.map([pair[1]]), code: "NotFound", message: gone, status: 404),
            Row(name: "set missing-principal", action: set, parameters: [(arn, "GONE")] + Harness.map([pair[0]]), code: "NotFound", message: gone, status: 404),
            Row(name: "set dummy-args", action: set, parameters: [(arn, "GONE")] + Harness.map(pair), code: "NotFound", message: gone, status: 404),
        ]
    }()

    static let endpoints: [Row] = {
        let (create, set) = ("CreatePlatformEndpoint", "SetEndpointAttributes")
        let (invalid, arn) = ("InvalidParameter", "EndpointArn")
        let base = [("PlatformApplicationArn", "APP"), ("Token", "token")]
        let noSuch = "arn:aws:sns:us-east-1:123456789012:endpoint/ADM/app/01890a5d-ac96-774b-bcce-b302099a8057"
        let attributes = "Invalid parameter: Attributes Reason: "
        var rows = [
            Row(name: "create idempotency", action: create, parameters: base + [("CustomUserData", "different")], code: invalid, message: "Invalid parameter: Token Reason: Endpoint ENDPOINT already exists with the same Token, but different attributes."),
            Row(name: "create non-existent app", action: create, parameters: [("PlatformApplicationArn", "GONE"), ("Token", "token")], code: "NotFound", message: "PlatformApplication does not exist", status: 404),
            Row(name: "list of a deleted app", action: "ListEndpointsByPlatformApplication", parameters: [("PlatformApplicationArn", "GONE")], code: "NotFound", message: "PlatformApplication does not exist", status: 404),
            Row(name: "set invalid arn", action: set, parameters: [(arn, "APP")] + Harness.map([("Enabled", "true")]), code: invalid, message: "Invalid parameter: EndpointArn Reason: Wrong number of slashes in relative portion of the ARN."),
            Row(name: "set non-existent", action: set, parameters: [(arn, noSuch)] + Harness.map([("Enabled", "true")]), code: "NotFound", message: "Endpoint does not exist", status: 404),
            Row(name: "get non-existent", action: "GetEndpointAttributes", parameters: [(arn, noSuch)], code: "NotFound", message: "Endpoint does not exist", status: 404),
            Row(name: "set Empty", action: set, parameters: [(arn, "ENDPOINT")], code: "ValidationError", message: missing),
        ]
        for (name, value, reason) in [
            ("PlatformPrincipal", "x", "Invalid attribute name: PlatformPrincipal"),
            ("PlatformCredential", "x", "Invalid attribute name: PlatformCredential"),
            ("InvalidKey", "x", "Invalid attribute name: InvalidKey"),
            ("CustomUserData", longData, "Invalid value for attribute: CustomUserData: must be at most 2048 bytes long in UTF-8 encoding"),
        ] {
            let map = Harness.map([(name, value)])
            rows.append(Row(name: "set \(name)", action: set, parameters: [(arn, "ENDPOINT")] + map, code: invalid, message: attributes + reason))
            rows.append(Row(name: "create \(name)", action: create, parameters: base + map, code: invalid, message: attributes + reason))
        }
        return rows
    }()

    @Test("every recorded refusal has its code, text and status")
    func refuses() async throws {
        try await Harness.run { server in
            let application = try await server.makeApplication("app", "ADM", Self.pair)
            let endpoint = try await server.makeEndpoint(application, token: "token")
            let gone = "arn:aws:sns:us-east-1:123456789012:app/ADM/gone"
            for row in Self.applications + Self.endpoints {
                let parameters = row.parameters.map { name, value in
                    (name, ["APP": application, "ENDPOINT": endpoint, "GONE": gone][value] ?? value)
                }
                let reply = try await server.call(row.action, parameters)
                #expect(reply.status == row.status, "\(row.name) \(reply.body)")
                #expect(reply["Type"] == "Sender" && reply.type == "text/xml", "\(row.name)")
                let message = row.message.replacing("ENDPOINT", with: endpoint)
                #expect(reply.error == (row.code, message), "\(row.name) \(reply.body)")
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
