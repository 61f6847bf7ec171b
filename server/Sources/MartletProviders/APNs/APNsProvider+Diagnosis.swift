import Foundation
public import MartletCore
import MartletTransport
import MartletWire
import NIOCore
import SwiftASN1
import X509

extension APNsProvider {
    /// Connects and sends one request to a token that no device has: APNs authenticates it, answers `BadDeviceToken`,
    /// and nobody gets anything. The token has a token's form, because one that has not may be refused before anything
    /// else is looked at.
    ///
    /// - Returns: what was found about credential, connection, authentication and clock, the worst not first.
    public func diagnose(_ credential: OpenedCredential) async -> [Finding] {
        let now = clock.now()
        let diagnosis = APNsDiagnosis(credential: credential.credential)
        do {
            return try await routes.withRoute(for: credential, at: now) { route in
                [diagnosis.credentialFinding(leaf: Self.leaf(of: credential), now: now)]
                    + (await self.probe(route, of: credential, diagnosis))
            }
        } catch {
            return [
                Finding(
                    .problem,
                    diagnosis.subject("credential"),
                    error.detail.message,
                    advice: error.detail.hint
                )
            ]
        }
    }

    private static func leaf(of credential: OpenedCredential) -> PushCertificate? {
        guard case .certificate(let chain, _)? = try? APNsSecret(bytes: credential.secret), let leaf = chain.first,
            let certificate = try? Certificate(derEncoded: Array(leaf))
        else { return nil }
        return PushCertificate(certificate)
    }

    /// A connection of its own, so that what is found is about now and not about a connection made long ago.
    private func probe(
        _ route: APNsRoute,
        of credential: OpenedCredential,
        _ diagnosis: APNsDiagnosis
    ) async -> [Finding] {
        let connection: HTTP2ClientConnection
        do throws(HTTP2ConnectError) {
            connection = try await HTTP2ClientConnection.connect(route.connection, group: group, logger: logger)
        } catch {
            return [diagnosis.connectionFinding(error)]
        }
        let token: ProviderToken?
        do {
            token = try await route.tokens?.token(at: clock.now())
        } catch let rest as ProviderTokenSource.Resting {
            await connection.close()
            return [diagnosis.authenticationFinding(rest)]
        } catch {
            await connection.close()
            return [Finding(.problem, diagnosis.subject("credential"), "The signing key cannot sign.")]
        }
        let message = Message(
            platform: .apns,
            headers: [APNsHeader.pushType: APNsPushType.background.rawValue, APNsHeader.priority: "5"],
            payload: Payload(Array(#"{"aps":{"content-available":1}}"#.utf8))
        )
        let template = APNsRequest.template(
            message,
            topic: credential.credential.summary.topic,
            authority: route.address.authority,
            token: token
        )
        let id = UUID().uuidString.lowercased()
        let answer = await connection.send(
            template,
            path: "/3/device/" + String(repeating: "0", count: 64),
            headers: [HTTP2Header(APNsHeader.id, id, isIndexed: false)]
        )
        await connection.close()
        let reached = Finding(.ok, diagnosis.subject("connection"), "\(route.address.authority) answers over HTTP/2.")
        switch answer {
        case .response(let response):
            return [reached]
                + diagnosis.findings(
                    APNsAnswer(response, now: clock.now()),
                    tokenIssuedAt: token?.issuedAt,
                    now: clock.now()
                )
        case .failed(let failure): return [diagnosis.connectionFinding(failure)]
        }
    }
}
