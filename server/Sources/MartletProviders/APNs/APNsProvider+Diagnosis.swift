import Foundation
package import MartletCore
import MartletTransport
package import MartletWire
import SwiftASN1
import X509

extension APNsProvider {
    /// Connects and sends one request to a token that no device has: APNs authenticates it, answers `BadDeviceToken`,
    /// and nobody gets anything. The token has a token's form, because one that has not may be refused before anything
    /// else is looked at.
    package func findings(_ credential: OpenedCredential, over route: APNsRoute) async -> [Finding] {
        let diagnosis = APNsDiagnosis(credential: credential.credential)
        return [diagnosis.credentialFinding(leaf: Self.leaf(of: credential), now: clock.now())]
            + (await probe(route.connection, diagnosis) { await findings($0, route, diagnosis) })
    }

    private static func leaf(of credential: OpenedCredential) -> PushCertificate? {
        guard case .certificate(let chain, _)? = try? APNsSecret(bytes: credential.secret), let leaf = chain.first,
            let certificate = try? Certificate(derEncoded: Array(leaf))
        else { return nil }
        return PushCertificate(certificate)
    }

    private func findings(
        _ connection: HTTP2ClientConnection,
        _ route: APNsRoute,
        _ diagnosis: APNsDiagnosis
    ) async -> [Finding] {
        let token: ProviderToken?
        do {
            token = try await route.tokens?.token(at: clock.now())
        } catch let rest as ProviderTokenSource.Resting {
            return [diagnosis.authenticationFinding(rest)]
        } catch {
            return [diagnosis.finding(.problem, "credential", "The signing key cannot sign.")]
        }
        let message = Message(
            platform: .apns,
            headers: [APNsHeader.pushType: APNsPushType.background.rawValue, APNsHeader.priority: "5"],
            payload: Payload(Array(#"{"aps":{"content-available":1}}"#.utf8))
        )
        let template = APNsRequest.template(
            message,
            topic: diagnosis.credential.summary.topic,
            authority: route.address.authority,
            token: token
        )
        let answer = await connection.send(
            template,
            path: "/3/device/" + String(repeating: "0", count: 64),
            headers: [HTTP2Header(APNsHeader.id, UUID().uuidString.lowercased(), isIndexed: false)]
        )
        switch answer {
        case .response(let response):
            let now = clock.now()
            return [diagnosis.reached(route.address)]
                + diagnosis.findings(APNsAnswer(response, now: now), tokenIssuedAt: token?.issuedAt, now: now)
        case .failed(let failure): return [diagnosis.connectionFinding(failure)]
        }
    }
}
