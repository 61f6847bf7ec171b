import Foundation
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("Platform operations through boto3", .enabled(if: PythonProgram.hasBoto3, "python3 has no boto3"))
struct PlatformBoto3Tests {
    @Test("applications and endpoints are made, read, changed, listed and deleted, with default retries")
    func platform() async throws {
        try await Harness.run { server in
            let output = try await PythonProgram.run("platform_operations", server, [Harness.signingKey])
            let seen = try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
            let application = "arn:aws:sns:us-east-1:123456789012:app/APNS/shop"
            #expect(seen["application"] as? String == application)
            #expect(seen["applications"] as? [String] == [application])
            #expect(
                seen["attributes"] as? [String: String] == [
                    "Enabled": "true", "AuthenticationMethod": "Token", "ApplePlatformTeamID": "TEAM123456",
                    "ApplePlatformBundleID": "com.example.app", "SuccessFeedbackSampleRate": "50",
                ]
            )
            let endpoint = try #require(seen["endpoint"] as? String)
            let token = String(repeating: "00", count: 31)
            #expect(seen["is_same"] as? Bool == true)
            #expect(
                seen["endpoint_attributes"] as? [String: String] == [
                    "Enabled": "true", "Token": token + "ab", "CustomUserData": "ann & <bob> é",
                ]
            )
            #expect(
                seen["changed"] as? [String: String] == [
                    "Enabled": "false", "Token": token + "cd", "CustomUserData": "ann & <bob> é",
                ]
            )
            func expect(_ name: String, _ shape: String, _ message: String, _ status: Int) {
                let found = seen[name] as? [Any]
                #expect(found?.first as? String == shape, "\(name)")
                #expect(found?.dropFirst().first as? String == message, "\(name)")
                #expect(found?.last as? Int == status, "\(name)")
            }
            expect(
                "collision",
                "InvalidParameterException",
                """
                Invalid parameter: Token Reason: Endpoint \(endpoint) already exists with the same Token, but different \
                attributes.
                """,
                400
            )
            expect("gone", "NotFoundException", "Endpoint does not exist", 404)
            expect("application_gone", "NotFoundException", "PlatformApplication does not exist", 404)
            #expect((seen["wrong_secret"] as? [Any])?.last as? Int == 403)
            #expect(seen["pages"] as? [Int] == [100, 2])
            #expect((seen["empty"] as? [Any])?.isEmpty == true)
        }
    }
}
