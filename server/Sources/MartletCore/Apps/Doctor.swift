import MartletWire

/// Looks at an app's queues and credentials, and says what to change.
package struct Doctor: Sendable {
    private let store: any Store
    private let credentials: CredentialService
    private let breakers: QueueBreakers
    private let clock: any WallClock
    /// For how long a check of one credential may take.
    private let limit: Duration

    package init(
        store: any Store,
        credentials: CredentialService,
        breakers: QueueBreakers,
        clock: any WallClock,
        limit: Duration = CredentialService.diagnosisLimit
    ) {
        (self.store, self.credentials, self.breakers) = (store, credentials, breakers)
        (self.clock, self.limit) = (clock, limit)
    }

    /// Everything that is found of one app.
    package func findings(of app: App) async throws -> [Finding] {
        let stored = try await store.credentials(app.row)
        var findings = try await queueFindings(of: app)
        if stored.isEmpty {
            findings.append(
                Finding(
                    .warning,
                    "\(app.name) credentials",
                    "The app has no credential: it can reach nobody.",
                    advice: "Store one: martlet apps credentials set \(app.name)"
                )
            )
        }
        findings += stored.flatMap { credential in
            credential.topics.filter { $0.value == .refused }.keys.sorted()
                .map { Finding(refused: $0, credential.queue, app) }
        }
        for credential in stored {
            findings += await credentials.diagnose(credential, of: app, within: limit, clock: clock).map { finding in
                var finding = finding
                finding.subject = "\(app.name) \(finding.subject)"
                return finding
            }
        }
        return findings
    }

    /// What keeps an app's deliveries waiting, and what was quarantined; no provider is asked.
    package func queueFindings(of app: App) async throws -> [Finding] {
        var findings = try await store.pauses(app.row).map { pause in
            Finding(
                .problem,
                "\(app.name) \(pause.queue.word)",
                "Paused: \(pause.reason).",
                advice: pause.advice
            )
        }
        findings += breakers.standing(of: app.row, at: clock.now())
            .map { Finding($0.breaker, queue: $0.queue, app: app) }
        if try await !store.failedWork(QuarantinedWork.self, of: app.row, PageRequest(count: 1)).items.isEmpty {
            findings.append(
                Finding(
                    .warning,
                    "\(app.name) quarantined work",
                    "Work crashed the server repeatedly, or cannot be read, and is no longer tried.",
                    advice: "Look at the log, then: martlet quarantine list; martlet quarantine retry ID."
                )
            )
        }
        return findings
    }
}

extension Finding {
    /// What follows while a provider has said nothing else of a topic than that devices belong to another app.
    fileprivate init(refused topic: String, _ queue: DeliveryQueue, _ app: App) {
        self.init(
            .problem,
            "\(app.name) \(queue.word)",
            "The provider has accepted no push to the topic \(topic) yet, and says that devices belong to another app.",
            advice: """
                Check the bundle id, and store the credential with the right one. Pushes to these devices are rejected and \
                none of them is disabled; the first push that is accepted ends this.
                """
        )
    }

    /// What a breaker that is not closed says.
    fileprivate init(_ breaker: Breaker, queue: DeliveryQueue, app: App) {
        let since = breaker.since.map { UTCTime($0).description } ?? "now"
        let reason = breaker.reason ?? "no reason"
        let subject = "\(app.name) \(queue.word)"
        if case .recovering = breaker.state {
            self.init(.warning, subject, "The provider answers again; the backlog since \(since) is being sent.")
        } else {
            self.init(
                .problem,
                subject,
                "The provider has not answered since \(since) (\(reason)); deliveries wait and are retried by themselves.",
                advice: reason.hasPrefix("HTTP 4")
                    ? "That is not the provider's own answer: check the credential's url, and any proxy in between."
                    : "Check the network and the provider's status page; once it answers, sending resumes by itself."
            )
        }
    }
}
