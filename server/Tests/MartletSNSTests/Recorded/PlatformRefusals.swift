import Testing

/// Calls about platform applications and endpoints that are refused.
struct PlatformRefusals: Refusals {
    private let application: String
    private let endpoint: String
    private let goneApplication = "arn:aws:sns:us-east-1:123456789012:app/ADM/gone"
    private let goneEndpoint =
        "arn:aws:sns:us-east-1:123456789012:endpoint/ADM/app/01890a5d-ac96-774b-bcce-b302099a8057"

    private static let pair = [("PlatformCredential", "dummy"), ("PlatformPrincipal", "dummy")]

    init(_ harness: Harness) async throws {
        application = try await harness.makeApplication("app", "ADM", Self.pair)
        endpoint = try await harness.makeEndpoint(application, token: "token")
    }

    func call(for row: RecordedError) -> RefusedCall? {
        let test = String(row.name.prefix { $0 != "/" && $0 != "[" })
        let parameter = row.name.firstMatch(of: /\[(.*)\]/).map { String($0.1) } ?? ""
        return creation(test, parameter) ?? applicationCall(test, parameter) ?? endpointCall(test, parameter)
    }

    func message(of row: RecordedError) -> String {
        row.message.replacing(/arn:<partition>:sns:\S+<resource:1>/, with: endpoint)
    }

    func check(_ harness: Harness) async throws {
        #expect(try await harness.call("ListPlatformApplications").all("PlatformApplicationArn") == [application])
        let listed = try await harness.call(
            "ListEndpointsByPlatformApplication",
            [("PlatformApplicationArn", application)]
        )
        #expect(listed.all("EndpointArn") == [endpoint])
        #expect(
            try await harness.call("GetEndpointAttributes", [("EndpointArn", endpoint)]).entries == [
                "Enabled": "true", "Token": "token",
            ]
        )
    }

    private func creation(_ test: String, _ parameter: String) -> RefusedCall? {
        func create(_ name: String, _ attributes: [(String, String)], platform: String = "ADM") -> RefusedCall {
            let parameters = [("Name", name), ("Platform", platform)]
            return RefusedCall("CreatePlatformApplication", parameters + Harness.map(attributes))
        }
        switch (test, parameter) {
        case ("test_create_platform_application_invalid_attributes", _):
            return Self.attributes(parameter).map { create("other", $0) }
        case ("test_create_platform_application_invalid_name", "too-long"):
            return create(String(repeating: "a", count: 257), Self.pair)
        case ("test_create_platform_application_invalid_name", "empty"): return create("", Self.pair)
        case ("test_create_platform_application_invalid_name", "invalid-char"): return create("@name", Self.pair)
        case ("test_create_platform_application_invalid_platform", _):
            return create("other", Self.pair, platform: "AAA")
        default: return nil
        }
    }

    private func applicationCall(_ test: String, _ parameter: String) -> RefusedCall? {
        func call(_ action: String, _ arn: String, _ attributes: [(String, String)] = []) -> RefusedCall {
            RefusedCall(action, [("PlatformApplicationArn", arn)] + Harness.map(attributes))
        }
        let (get, set) = ("GetPlatformApplicationAttributes", "SetPlatformApplicationAttributes")
        switch test {
        case "test_get_platform_application_attributes_invalid_arn": return call(get, "invalid")
        case "test_get_platform_application_attributes_non_existing_app": return call(get, goneApplication)
        case "test_set_platform_application_attributes_invalid_arn": return call(set, "invalid", Self.pair)
        case "test_set_platform_application_attributes_non_existing_app":
            return Self.attributes(parameter).map { call(set, goneApplication, $0) }
        case "test_delete_endpoints_of_deleted_app":
            return call("ListEndpointsByPlatformApplication", goneApplication)
        default: return nil
        }
    }

    private func endpointCall(_ test: String, _ parameter: String) -> RefusedCall? {
        func create(_ application: String, _ more: [(String, String)] = []) -> RefusedCall {
            let parameters = [("PlatformApplicationArn", application), ("Token", "token")]
            return RefusedCall("CreatePlatformEndpoint", parameters + more)
        }
        func set(_ arn: String, _ attributes: [(String, String)]) -> RefusedCall {
            RefusedCall("SetEndpointAttributes", [("EndpointArn", arn)] + Harness.map(attributes))
        }
        switch test {
        case "test_create_platform_endpoint_idempotency": return create(application, [("CustomUserData", "different")])
        case "test_create_platform_endpoint_non_existent_app": return create(goneApplication)
        case "test_create_platform_endpoint_with_invalid_attributes":
            return Self.endpointAttributes(parameter).map { create(application, Harness.map($0)) }
        case "test_set_platform_endpoint_attributes_invalid_arn": return set(application, [("Enabled", "true")])
        case "test_set_platform_endpoint_attributes_non_existent_endpoint":
            return set(goneEndpoint, [("Enabled", "true")])
        case "test_set_platform_endpoint_attributes_invalid_attributes":
            return Self.endpointAttributes(parameter).map { set(endpoint, $0) }
        case "test_get_platform_endpoint_attributes_non_existent_endpoint":
            return RefusedCall("GetEndpointAttributes", [("EndpointArn", goneEndpoint)])
        default: return nil
        }
    }

    /// Attributes of an application by the word that the recording has for them.
    private static func attributes(_ word: String) -> [(String, String)]? {
        switch word {
        case "", "no-args": []
        case "missing-credential": [pair[1]]
        case "missing-principal": [pair[0]]
        case "dummy-args": pair
        default: nil
        }
    }

    /// Attributes of an endpoint by the word that the recording has for them.
    private static func endpointAttributes(_ word: String) -> [(String, String)]? {
        switch word {
        case "Invalid_Name_Principal": [("PlatformPrincipal", "x")]
        case "Invalid_Name_Credential": [("PlatformCredential", "x")]
        case "Invalid_Name_Generic": [("InvalidKey", "x")]
        // One byte too many in half as many characters.
        case "Data_Too_Long": [("CustomUserData", String(repeating: "é", count: 1_024) + "a")]
        case "Empty": []
        default: nil
        }
    }
}
