import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Apps: the list, and one with its queues and credentials.
extension ConsoleService {
    var appRoutes: [ConsoleRoute] {
        [
            .get("/apps", .read) { call in .page(try await appsPage(call)) },
            .get("/apps/{id}", .read) { call in .page(try await appPage(call, try await pathApp(call))) },
            .get("/apps/{id}/findings", .configure) { call in .page(try await findingsPage(call)) },
            .post("/apps/{id}/queues/{platform}/{environment}/resume", .retry, resumeQueue),
        ] + newAppRoutes + credentialRoutes + appChangeRoutes
    }

    /// The app of the path.
    func pathApp(_ call: ConsoleCall) async throws -> App {
        guard let app = try await store.app(.id(call.id(of: "app"))) else { throw Failure.notFound("app") }
        return app
    }

    /// The queue of the path.
    func pathQueue(of app: App, _ call: ConsoleCall) throws -> DeliveryQueue {
        guard let platform = Platform(rawValue: call.parameter("platform")),
            let environment = Environment(rawValue: call.parameter("environment"))
        else { throw Failure.notFound("platform and environment") }
        return DeliveryQueue(app: app.row, platform: platform, environment: environment)
    }

    private func appsPage(_ call: ConsoleCall) async throws -> Page {
        let apps = try await store.apps(call.listPage("apps", count: 25))
        let found = try await problems.problems()
        var rows: [PageValues] = []
        for app in apps.items {
            let platforms = Set(try await store.credentials(app.row).map(\.platform))
            let own = found.filter { $0.app == app }
            let state = AppState(own)
            let cause = own.first.map(call.texts.cause(of:)) ?? ""
            rows.append(
                [
                    "app_link": "/console/apps/\(app.id)", "app_name": app.name,
                    "app_identity": call.texts["apps.mode_\(app.identity.mode.rawValue)"],
                    "app_platforms": Platform.allCases.filter(platforms.contains).map {
                        call.texts["apps.platform_\($0.rawValue)"]
                    },
                    "app_silent": platforms.isEmpty, "app_style": state.style,
                    "app_state": call.texts["overview.state_\(state.word)", ["reason": cause]],
                    "app_since": PageValues.time(app.createdAt),
                ]
            )
        }
        return Page(
            template: "apps",
            part: .apps,
            title: call.texts["apps.title"],
            values: [
                "tab_apps": true, "apps": rows, "has_apps": !rows.isEmpty, "pager": call.pager("apps", next: apps.next),
            ]
        )
    }

    /// An app's page.
    ///
    /// - Parameter refused: which of its forms was refused, and why.
    func appPage(
        _ call: ConsoleCall,
        _ app: App,
        refused: (form: String, failure: Failure)? = nil
    ) async throws -> Page {
        let stored = try await store.credentials(app.row)
        let pauses = try await store.pauses(app.row)
        var values: PageValues = [
            "tab_apps": true, "app_id": app.id.description, "app_name": app.name,
            "rename_name": call.form["name"] ?? app.name, "app_since": PageValues.time(app.createdAt),
            "credentials": stored.sorted { $0.queue.word < $1.queue.word }.map { Self.values($0, call) },
            "has_credentials": !stored.isEmpty, "has_webpush": stored.contains { $0.platform == .webpush },
            "webpush_subject": stored.first { $0.platform == .webpush }?.summary.teamID ?? "",
            "pauses": pauses.map { pause in
                Self.values(pause, call).merging([
                    "pause_mend": Link.replacement(for: pause.queue, of: app, among: stored)
                ]) {
                    $1
                }
            },
            "unanswered": breakers.standing(of: app.row, at: clock.now()).map { queue, breaker in
                [
                    "queue_name": call.texts.name(of: queue), "queue_word": queue.word,
                    "queue_reason": call.texts.said(breaker.reason ?? call.texts["common.none"]),
                ] as PageValues
            },
            "delete_note": call.texts["apps.delete_note", ["name": app.name]],
        ]
        values.merge(identityValues(of: app, call)) { $1 }
        values.refuse(refused?.failure, form: refused?.form ?? "", call.texts)
        return Page(
            template: "app",
            part: .apps,
            title: app.name,
            values: values,
            refused: refused?.failure
        )
    }

    private func identityValues(of app: App, _ call: ConsoleCall) -> PageValues {
        let (identity, form) = (app.identity, call.form)
        let mode = form["mode"] ?? identity.mode.rawValue
        var values: PageValues = [
            "checks_tokens": identity.verification != nil || identity.mode == .signed,
            "identity_mode": call.texts["apps.mode_\(identity.mode.rawValue)"],
            "identity_note": call.texts["apps.mode_\(identity.mode.rawValue)_note"],
            "mode_asserted": mode == IdentityMode.asserted.rawValue,
            "mode_signed": mode == IdentityMode.signed.rawValue,
            "identity_issuer": form["issuer"] ?? identity.issuer ?? "",
            "identity_audience": form["audience"] ?? identity.audience ?? "",
            "identity_url": form["jwks_url"] ?? "",
        ]
        switch identity.verification {
        case .secret: values["identity_check"] = call.texts["apps.check_secret"]
        case .keySet: values["identity_check"] = call.texts["apps.check_keys"]
        case .keySetURL(let url):
            values["identity_check"] = url
            values["identity_url"] = form["jwks_url"] ?? url
        case nil: values["identity_check"] = call.texts["apps.check_none"]
        }
        return values
    }

    private static func values(_ pause: Pause, _ call: ConsoleCall) -> PageValues {
        [
            "pause_platform": pause.queue.platform.rawValue, "pause_environment": pause.queue.environment.rawValue,
            "pause_name": call.texts.name(of: pause.queue), "pause_word": pause.queue.word,
            "pause_cause": call.texts.cause(of: pause),
            "pause_reason": call.texts.reason(pause.reason), "pause_advice": call.texts.said(pause.advice),
            "pause_since": PageValues.time(pause.since),
        ]
    }

    /// What providers say of an app's credentials: asked for beside the app's page, because it takes their time.
    private func findingsPage(_ call: ConsoleCall) async throws -> Page {
        let app = try await pathApp(call)
        let doctor = Doctor(
            store: store,
            credentials: credentials,
            breakers: breakers,
            problems: problems,
            clock: clock
        )
        let findings = try await doctor.findings(of: app)
        return Page(
            template: "app_findings",
            part: .apps,
            title: call.texts["apps.findings_of", ["name": app.name]],
            values: [
                "tab_apps": true, "app_id": app.id.description, "app_name": app.name,
                "finding_groups": FindingGroups(findings, of: app.name, call.texts).values,
            ]
        )
    }

    /// It is pressed on the app's page and on that of problems, and comes back to where it was.
    private func resumeQueue(_ call: ConsoleCall) async throws -> ConsoleReply {
        let isOfProblems = call.form["from"] == ConsolePart.problems.rawValue
        do {
            let app = try await resumePathQueue(call)
            guard isOfProblems else { return .redirect("/console/apps/\(app.id)?done=queue_resumed") }
            return .redirect("/console/problems?" + Link.query(["app": call.form["app"], "done": "queue_resumed"]))
        } catch let failure as Failure where failure.code == .notFound {
            let refused = failure.advising(call.texts["apps.resume_hint"])
            if isOfProblems { return .page(try await problemPage(call, refused: refused)) }
            return .page(try await appPage(call, try await pathApp(call), refused: ("queue", refused)))
        }
    }

    private func resumePathQueue(_ call: ConsoleCall) async throws -> App {
        let app = try await pathApp(call)
        let queue = try pathQueue(of: app, call)
        guard try await store.resume(queue) else { throw Failure.notFound("pause") }
        wakeUps.notify()
        try await noteChange("queue.resume", of: AuditSubject("queue", queue.word), by: call, app: app.row)
        return app
    }
}
