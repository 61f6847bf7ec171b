import Crypto
import Foundation
import MartletCore
import MartletStore
import MartletTesting
import MartletWire

extension FaultCase {
    /// What the provider answers.
    static let answers = [
        FaultCase(name: "503 storm", isRecorded: true) { scene in
            try await scene.simulator.script(respond("ServiceUnavailable"))
            try await scene.send()
            try await scene.untilReceived(1)
            try await scene.last(scene.form.outage)
            try await scene.endRules()
        },
        FaultCase(name: "500 on every 5th", isRecorded: true) { scene in
            try await scene.simulator.script(respond("InternalServerError", #""every": 5"#))
            try await scene.send()
        },
        FaultCase(name: "429 for some devices") { scene in
            for number in stride(from: 1, to: scene.form.deliveries, by: scene.share(50)) {
                let token = String(repeating: "0", count: 64) + String(number, radix: 16)
                let when = #""when": {"token": "\#(token.suffix(64))"}, "times": 3"#
                try await scene.simulator.script(respond("TooManyRequests", when))
            }
            try await scene.send()
        },
        FaultCase(name: "429 provider token updates") { scene in
            let when = #""every": 5, "times": \#(scene.share(10))"#
            try await scene.simulator.script(respond("TooManyProviderTokenUpdates", when))
            try await scene.send()
        },
        FaultCase(name: "the provider token expires") { scene in
            try await scene.putAgedProviderToken()
            let when = #""when": {"connection": 1}, "skip": \#(scene.share(4))"#
            try await scene.simulator.script(respond("ExpiredProviderToken", when))
            try await scene.send()
        },
        FaultCase(name: "the key is revoked, then replaced") { scene in
            let when = #""skip": \#(scene.share(4)), "scope": "all""#
            try await scene.simulator.script(respond("InvalidProviderToken", when))
            try await scene.send()
            try await scene.until("the app is paused") {
                let pauses = try await scene.server.call("GET", "/apps/\(FaultScene.app)/pauses")
                if case .array(let all)? = pauses { return !all.isEmpty } else { return false }
            }
            try await scene.replaceKey()
        },
        FaultCase(name: "410 and 400 for 30 %", refused: 0.25...0.35) { scene in
            try await scene.simulator.script(respond("Unregistered", #""probability": 0.15"#))
            // Of those that the rule above lets pass.
            try await scene.simulator.script(respond("BadDeviceToken", #""probability": 0.176"#))
            try await scene.send()
        },
    ]

    private static func respond(_ reason: String, _ members: String = #""scope": "accepted""#) -> String {
        #"{\#(members), "then": {"do": "respond", "reason": "\#(reason)"}}"#
    }
}

extension FaultScene {
    /// A provider token that is half an hour old, as another server would have left it: a new one may be made at once
    /// when the provider calls it expired.
    func putAgedProviderToken() async throws {
        let key = try P256.Signing.PrivateKey(pemRepresentation: try stage.signingKey())
        let issuedAt = SystemClock().now().rawValue / 1_000 - 30 * 60
        let header = Secret.base64URL(Array(#"{"alg":"ES256","kid":"\#(DeliveryStage.keyID)"}"#.utf8))
        let claims = Secret.base64URL(Array(#"{"iss":"\#(DeliveryStage.teamID)","iat":\#(issuedAt)}"#.utf8))
        let signature = try key.signature(for: Data("\(header).\(claims)".utf8)).rawRepresentation
        let text = "\(header).\(claims).\(Secret.base64URL(Array(signature)))"
        let fingerprint = SHA256.hash(data: key.publicKey.x963Representation).prefix(8)
        let name = "apns/\(DeliveryStage.teamID)/\(DeliveryStage.keyID)/\(Secret.base64URL(Array(fingerprint)))"
        let vault = try Vault(
            base64: String(contentsOfFile: stage.data + "/encryption.key", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        )
        let store = try await openStore()
        let entry = ProviderTokenStore.Entry(text: text, issuedAt: Timestamp(milliseconds: issuedAt * 1_000))
        _ = try await ProviderTokenStore(store.sharedValue, vault: vault).keep(entry, as: name, insteadOf: nil)
        await store.close()
    }

    /// Registers another key with the provider, ends the trouble with the old one, and stores the new one.
    func replaceKey() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let keyID = "KEY9999999"
        let document = ["keyID": keyID, "teamID": DeliveryStage.teamID, "key": pem]
        let body = String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
        try await simulator.call("POST", "/keys", body)
        try await endRules()
        try await stage.setCredential(server, key: pem, keyID: keyID)
    }
}
