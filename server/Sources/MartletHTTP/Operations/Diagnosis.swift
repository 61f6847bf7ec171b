import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// `GET /api/v1/doctor`: looks at every app's credentials and says what to change.
extension MartletAPI {
    /// How many apps one call looks at, a bound of ours: each credential costs a connection.
    private static let diagnosedApps = 50

    func diagnose(_ call: Call) async throws -> List<Finding> {
        let named = try await optionalApp(call.query("app"), for: call.caller)
        let apps =
            if let named { [named] } else { try await store.apps(PageRequest(count: Self.diagnosedApps)).items }
        var findings = try await store.statistics(.settings).findings
        if apps.isEmpty {
            findings.append(Finding(.warning, "apps", "There is no app.", advice: "Create one: martlet apps create."))
        }
        let doctor = Doctor(
            store: store,
            credentials: credentials,
            breakers: breakers,
            problems: problems,
            clock: clock,
            limit: settings.diagnosisTimeout
        )
        if named == nil { findings += try await doctor.sharedFindings() }
        for app in apps {
            if app.identity.mode == .asserted { findings.append(Finding(assertedIdentityOf: app)) }
            findings += try await doctor.findings(of: app)
        }
        return List(findings)
    }
}

extension Finding {
    /// What the mode means that an app has from the start.
    fileprivate init(assertedIdentityOf app: App) {
        self.init(
            .ok,
            "\(app.name) identity",
            """
            Its identity is 'asserted': whoever has its client key can register devices and report events as any user. \
            'signed' asks for a user token.
            """
        )
    }
}

/// `GET /api/v1/problems`: what keeps pushes from their devices, or soon will.
extension MartletAPI {
    func listProblems(_ call: Call) async throws -> List<ProblemItem> {
        let app = try await optionalApp(call.query("app"), for: call.caller)
        return List(try await problems.problems(of: app).map(ProblemItem.init))
    }
}

extension ProblemItem {
    init(_ problem: Problem) {
        self.init(
            kind: problem.kind.rawValue,
            level: problem.level,
            app: problem.app?.name,
            platform: problem.queue?.platform,
            environment: problem.queue?.environment,
            reason: problem.reason,
            message: problem.message,
            advice: problem.advice,
            since: problem.since.map(UTCTime.init),
            waiting: problem.waiting
        )
        reasonCode = problem.reason.map(ReasonCode.text(of:))
    }
}
