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
        let doctor = Doctor(
            store: store,
            credentials: credentials,
            breakers: breakers,
            clock: clock,
            limit: settings.diagnosisTimeout
        )
        for app in apps { findings += try await doctor.findings(of: app) }
        return List(findings.map(FindingItem.init))
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
