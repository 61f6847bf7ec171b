import MartletCore
import MartletWire

/// `GET /api/v1/doctor`: looks at every app's credentials and says what to change.
extension MartletAPI {
    /// How many apps one call looks at, a bound of ours: each credential costs a connection.
    private static let diagnosedApps = 50

    func diagnose(_ call: Call) async throws -> List<FindingItem> {
        var apps: [App] = []
        if let app = try await optionalApp(call.query("app"), for: call.caller) {
            apps = [app]
        } else {
            apps = try await store.apps(PageRequest(count: Self.diagnosedApps)).items
        }
        var findings: [Finding] = []
        if apps.isEmpty {
            findings.append(Finding(.warning, "apps", "There is no app.", advice: "Create one: martlet apps create."))
        }
        for app in apps { findings += try await diagnose(app) }
        return List(findings.map(FindingItem.init))
    }

    private func diagnose(_ app: App) async throws -> [Finding] {
        let credentials = try await store.credentials(app.row)
        var findings = try await store.pauses(app.row).map { pause in
            Finding(
                .problem,
                "\(app.name) \(pause.queue.word)",
                "Paused: \(pause.reason).",
                advice: pause.advice
            )
        }
        findings += standingBreakers(of: app).map { Finding($0.breaker, queue: $0.queue, app: app) }
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
        if credentials.isEmpty {
            findings.append(
                Finding(
                    .warning,
                    "\(app.name) credentials",
                    "The app has no credential: it can reach nobody.",
                    advice: "Store one: PUT /api/v1/apps/\(app.name)/credentials."
                )
            )
        }
        findings += credentials.flatMap { credential in
            credential.topics.filter { $0.value == .refused }.keys.sorted()
                .map { Finding(refused: $0, credential.queue, app) }
        }
        for credential in credentials {
            findings += await check(credential, of: app).map { finding in
                var finding = finding
                finding.subject = "\(app.name) \(finding.subject)"
                return finding
            }
        }
        return findings
    }

    private func check(_ credential: Credential, of app: App) async -> [Finding] {
        let subject = "\(credential.platform.rawValue)/\(credential.environment.rawValue)"
        guard let provider = providers[credential.platform] else {
            return [Finding(.problem, subject, "This server has no provider for it.")]
        }
        let opened: OpenedCredential
        do {
            opened = try credentials.open(credential, of: app)
        } catch {
            return [Finding(.problem, subject, error.detail.message, advice: error.detail.hint)]
        }
        return await withTaskGroup(of: [Finding]?.self) { group in
            group.addTask { await provider.diagnose(opened) }
            group.addTask {
                try? await clock.sleep(for: settings.diagnosisTimeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? [Finding(.problem, subject, "There was no answer in time.", advice: "Check the network.")]
        }
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

extension FindingItem {
    init(_ finding: Finding) {
        let level: Level =
            switch finding.level {
            case .ok: .ok
            case .warning: .warning
            case .problem: .problem
            }
        self.init(level: level, subject: finding.subject, message: finding.message, advice: finding.advice)
    }
}
