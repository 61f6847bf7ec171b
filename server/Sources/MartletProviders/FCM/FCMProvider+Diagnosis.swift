public import MartletCore
import MartletTransport
import MartletWire
import NIOCore

extension FCMProvider {
    /// Gets an access token and has FCM look at a message to a token that no device has: it authenticates the request,
    /// answers that the token is none, and nobody gets anything.
    public func diagnose(_ credential: OpenedCredential) async -> [Finding] {
        let diagnosis = FCMDiagnosis(credential: credential.credential)
        do {
            return try await routes.withRoute(for: credential, at: clock.now()) { route in
                await self.findings(route, diagnosis)
            }
        } catch {
            return [
                Finding(.problem, diagnosis.subject("credential"), error.detail.message, advice: error.detail.hint)
            ]
        }
    }

    private func findings(_ route: FCMRoute, _ diagnosis: FCMDiagnosis) async -> [Finding] {
        var findings = [diagnosis.credentialFinding]
        let token: AccessToken
        do {
            token = try await route.tokens.token()
        } catch {
            return findings + [diagnosis.tokenFinding(error as? AccessTokenSource.Resting)]
        }
        findings.append(diagnosis.tokenFinding(isCorrected: route.tokens.correction))
        findings += await probe(route, token, diagnosis)
        if route.pacing.lacksThirdPartyKey { findings.append(diagnosis.thirdPartyFinding) }
        return findings
    }

    /// A connection of its own, so that what is found is about now and not about a connection made long ago.
    private func probe(_ route: FCMRoute, _ token: AccessToken, _ diagnosis: FCMDiagnosis) async -> [Finding] {
        let connection: HTTP2ClientConnection
        do throws(HTTP2ConnectError) {
            connection = try await HTTP2ClientConnection.connect(route.connection, group: group, logger: logger)
        } catch {
            return [diagnosis.connectionFinding(error)]
        }
        let template = FCMRequest.template(
            authority: route.address.authority,
            token: token,
            body: FCMDiagnosis.probe
        )
        let answer = await connection.send(template, path: FCMRequest.path(of: route.account.projectID))
        await connection.close(within: .seconds(1))
        guard case .response(let response) = answer else { return [diagnosis.silenceFinding] }
        let now = clock.now()
        return diagnosis.findings(FCMAnswer(response, now: now), authority: route.address.authority, now: now)
    }
}
