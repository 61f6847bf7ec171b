import Crypto
import Foundation

@testable import MartletSimulator

/// A developer account for the tests: one key, one app.
struct Account: Sendable {
    static let topic = "com.example.transit"
    static let device = String(repeating: "a1b2c3d4", count: 8)
    static let otherDevice = String(repeating: "0f", count: 32)

    let privateKey = P256.Signing.PrivateKey()
    var keyID = "ABC123DEFG"
    var teamID = "TEAM123456"

    func key(environment: APNsEnvironment? = nil, topics: [String]? = nil) throws -> SimulatorKey {
        try SimulatorKey(
            keyID: keyID,
            teamID: teamID,
            pem: privateKey.pemRepresentation,
            environment: environment,
            topics: topics
        )
    }

    func app(_ topic: String = Account.topic) throws -> SimulatorApp {
        try SimulatorApp(topic: topic, teamID: teamID)
    }

    /// A signed provider token; parts can be wrong on purpose.
    func token(
        issuedAt: Int64,
        alg: String = "ES256",
        kid: String? = nil,
        iss: String? = nil,
        signer: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let header = #"{"alg":"\#(alg)","kid":"\#(kid ?? keyID)"}"#
        let claims = #"{"iss":"\#(iss ?? teamID)","iat":\#(issuedAt)}"#
        return try token(header: header, claims: claims, signer: signer)
    }

    /// - Parameter isDER: whether the signature is written as DER, and not as RFC 7518 has it.
    func token(
        header: String,
        claims: String,
        signer: P256.Signing.PrivateKey? = nil,
        isDER: Bool = false
    ) throws -> String {
        let text = "\(Self.base64url(Data(header.utf8))).\(Self.base64url(Data(claims.utf8)))"
        let signature = try (signer ?? privateKey).signature(for: Data(text.utf8))
        let bytes = isDER ? signature.derRepresentation : signature.rawRepresentation
        return "\(text).\(Self.base64url(bytes))"
    }

    private static func base64url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
