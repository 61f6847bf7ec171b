import Foundation
package import MartletCore
package import MartletWire

/// Whether providers take what an app has to authenticate with.
extension CredentialService {
    /// For how long a check of one credential may take. Ours: a connection, a handshake and an answer on a slow line.
    package static let diagnosisLimit: Duration = .seconds(20)

    /// What a stored credential's provider says of it.
    package func diagnose(
        _ credential: Credential,
        of app: App,
        within limit: Duration = diagnosisLimit,
        clock: any WallClock
    ) async -> [Finding] {
        do {
            return await diagnose(try open(credential, of: app), within: limit, clock: clock)
        } catch {
            return [Finding(.problem, credential.queue.word, error.detail.message, advice: error.detail.hint)]
        }
    }

    /// What a credential is that is not stored, and what its provider says of it in one environment.
    ///
    /// - Throws: `Failure` with ``ErrorCode/invalidCredential`` and what to do.
    package func tryOut(
        _ draft: CredentialDraft,
        in environment: Environment,
        within limit: Duration = diagnosisLimit,
        clock: any WallClock
    ) async throws(Failure) -> (summary: CredentialSummary, findings: [Finding]) {
        guard let provider = providers[draft.platform] else { throw Self.noProvider(draft.platform) }
        let checked = try provider.check(draft)
        // Rows have positive keys: it is nobody's.
        let credential = Credential(
            row: RowID(0),
            app: RowID(0),
            platform: draft.platform,
            environment: environment,
            summary: checked.summary,
            sealed: [],
            url: draft.url,
            isURLOfOperator: draft.isURLOfOperator,
            trust: draft.trust,
            createdAt: clock.now()
        )
        let opened = OpenedCredential(credential: credential, secret: checked.secret)
        return (checked.summary, await diagnose(opened, within: limit, clock: clock))
    }

    private func diagnose(_ opened: OpenedCredential, within limit: Duration, clock: any WallClock) async -> [Finding] {
        let subject = opened.credential.queue.word
        guard let provider = providers[opened.credential.platform] else {
            return [Finding(.problem, subject, "This server has no provider for it.")]
        }
        return await withTaskGroup(of: [Finding]?.self) { group in
            group.addTask { await provider.diagnose(opened) }
            group.addTask {
                try? await clock.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? [Finding(.problem, subject, "There was no answer in time.", advice: "Check the network.")]
        }
    }

    /// The environments that a credential is stored for: the one that is named, or all that the provider has.
    ///
    /// - Throws: `Failure` naming `environment`.
    package func environments(of platform: Platform, named: Environment?) throws(Failure) -> [Environment] {
        let known = providers[platform]?.environments ?? []
        if let named, !known.isEmpty, !known.contains(named) {
            throw .invalid("environment", "The provider has no environment '\(named.rawValue)'.")
        }
        return named.map { [$0] } ?? Environment.allCases.filter(known.contains)
    }

    static func noProvider(_ platform: Platform) -> Failure {
        .invalid("platform", "This server has no provider for '\(platform.rawValue)'.")
    }
}

extension CredentialDraft {
    /// An address in place of the provider's own, checked and without a slash at its end.
    ///
    /// - Throws: `Failure` naming `url`.
    package static func checked(url text: String?) throws(Failure) -> String? {
        guard let text else { return nil }
        let parts = URLComponents(string: text)
        guard let parts, parts.scheme?.lowercased() == "https", let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else { throw .invalid("url", "It is not an address of the form https://host:port.") }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
