package import MartletCore
package import MartletStore
package import MartletWire

/// Looks at an app's queues and credentials, and says what to change.
package struct Doctor: Sendable {
    private let store: Store
    private let credentials: CredentialService
    private let breakers: QueueBreakers
    private let problems: ProblemList
    private let clock: any WallClock
    /// For how long a check of one credential may take.
    private let limit: Duration

    package init(
        store: Store,
        credentials: CredentialService,
        breakers: QueueBreakers,
        problems: ProblemList,
        clock: any WallClock,
        limit: Duration = CredentialService.diagnosisLimit
    ) {
        (self.store, self.credentials, self.breakers) = (store, credentials, breakers)
        (self.problems, self.clock, self.limit) = (problems, clock, limit)
    }

    /// Everything that is found of one app: its problems, and what providers say of its credentials.
    package func findings(of app: App) async throws -> [Finding] {
        // The provider's own check says when a credential ends.
        var findings = try await problems.problems(of: app).filter { $0.kind != .credentialEnds }.map(Finding.init)
        findings += breakers.standing(of: app.row, at: clock.now())
            .compactMap { Finding(recovering: $0.breaker, queue: $0.queue, app: app) }
        for credential in try await store.credentials(app.row) {
            findings += await credentials.diagnose(credential, of: app, within: limit, clock: clock).map { finding in
                var finding = finding
                finding.subject = "\(app.name) \(finding.subject)"
                return finding
            }
        }
        return findings
    }

    /// The problems that are of all apps together.
    package func sharedFindings() async throws -> [Finding] {
        try await problems.problems().filter { $0.app == nil }.map(Finding.init)
    }
}

extension Finding {
    /// What a breaker says whose provider answers again; `nil` for others.
    fileprivate init?(recovering breaker: Breaker, queue: DeliveryQueue, app: App) {
        guard case .recovering = breaker.state else { return nil }
        let since = breaker.since.map { UTCTime($0).description } ?? "now"
        let subject = "\(app.name) \(queue.word)"
        self.init(.warning, subject, "The provider answers again; the backlog since \(since) is being sent.")
    }
}
