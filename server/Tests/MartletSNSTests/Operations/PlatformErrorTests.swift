import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Refusals of platform operations")
struct PlatformErrorTests {
    private static let pair = [("PlatformCredential", "dummy"), ("PlatformPrincipal", "dummy")]

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
