package import MartletCore
import MartletTransport
package import MartletWire

extension FCMProvider {
    /// Gets an access token and has FCM look at a message to a token that no device has: it authenticates the request,
    /// answers that the token is none, and nobody gets anything.
    package func findings(_ credential: OpenedCredential, over route: FCMRoute) async -> [Finding] {
        let diagnosis = FCMDiagnosis(credential: credential.credential)
        var findings = [diagnosis.credentialFinding]
        let token: AccessToken
        do {
            token = try await route.tokens.token()
        } catch {
            return findings + [diagnosis.tokenFinding(error as? AccessTokenSource.Resting)]
        }
        findings.append(diagnosis.tokenFinding(isCorrected: route.tokens.correction))
        findings += await probe(route.connection, diagnosis) { connection in
            let authority = route.address.authority
            let template = FCMRequest.template(authority: authority, token: token, body: FCMDiagnosis.probe)
            let answer = await connection.send(template, path: FCMRequest.path(of: route.account.projectID))
            guard case .response(let response) = answer else { return [diagnosis.silenceFinding] }
            let now = clock.now()
            return [diagnosis.reached(route.address)] + diagnosis.findings(FCMAnswer(response, now: now), now: now)
        }
        if route.pacing.lacksThirdPartyKey { findings.append(diagnosis.thirdPartyFinding) }
        return findings
    }
}
