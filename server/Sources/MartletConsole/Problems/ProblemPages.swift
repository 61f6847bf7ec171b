import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What needs a person: queues that wait for another credential, and what was given up or set apart, with another try.
extension ConsoleService {
    var problemRoutes: [ConsoleRoute] {
        [
            .get("/problems", .read) { call in .page(try await problemPage(call)) },
            .post("/problems/{kind}/{id}/retry", .retry, retryOne),
            .post("/problems/{kind}/retry", .retry, retryMany),
        ]
    }

    /// How many apps the page leads to the doctor of. Ours: the others are found by their own pages.
    private static let doctorLimit = 30

    /// The page, after a refusal too: it is of the same app then, or of all where that one is gone.
    func problemPage(_ call: ConsoleCall, refused: Failure? = nil) async throws -> Page {
        let asked = call.form["app"] ?? call.query["app"]
        let choice =
            if refused == nil { try await appChoice(asked) } else { try await appChoice(nil).choosing(asked) }
        var values: PageValues = [
            "app_options": choice.values, "app_query": choice.chosen == nil ? "" : asked ?? "",
        ]
        values.refuse(refused, form: "retry", call.texts)
        let pauses = try await store.pauses(choice.chosen?.row)
        values["pauses"] = try await pauseValues(pauses, choice, call)
        values["has_pauses"] = !pauses.isEmpty
        let looked = choice.chosen.map { [$0] } ?? Array(choice.apps.prefix(Self.doctorLimit))
        values["looks"] = looked.map { app in
            ["look_name": app.name, "look_address": "/console/apps/\(app.id)/findings"] as PageValues
        }
        values["has_looks"] = !looked.isEmpty && call.may(.configure)
        let others = try await problems.problems(of: choice.chosen).filter { !$0.kind.hasOwnSection }
        values["problems"] = others.map { $0.values(call.texts) }
        values["has_problems"] = !others.isEmpty
        var isQuiet = pauses.isEmpty && others.isEmpty
        var here = call
        // A form's own address has no page to go on from.
        if refused != nil { here.uri = "/console/problems?" + Link.query(["app": asked]) }
        for kind in FailedWorkKind.allCases where choice.chosen == nil || kind != .webhooks {
            let page = try await failedWork(kind, choice, call)
            isQuiet = isQuiet && page.items.isEmpty
            values["\(kind.rawValue)"] = page.items.map { row($0, choice, call) }
            values["has_\(kind.rawValue)"] = !page.items.isEmpty
            let next = page.next.map { Cursor.text(of: $0, list: kind.list(of: choice)) }
            values["more_\(kind.rawValue)"] = next.map { here.address(changing: kind.rawValue, to: $0) }.asList
        }
        values["is_quiet"] = isQuiet
        return Page(
            template: "problems",
            part: .problems,
            title: call.texts["nav.problems"],
            values: values,
            refused: refused
        )
    }

    /// How many of each kind are shown at once.
    private static let pageSize = 50

    /// One page of a kind, each of which goes on for itself; the first one where nothing is left of the one that is asked for.
    private func failedWork(_ kind: FailedWorkKind, _ choice: AppChoice, _ call: ConsoleCall) async throws
        -> MartletCore.Page<FailedWork>
    {
        let after = try call.query[kind.rawValue].map { text throws(Failure) in
            try Cursor.key(of: text, list: kind.list(of: choice))
        }
        let of = FailedWorkSelection.open(of: choice.chosen?.row)
        let page = try await store.failedWork(kind.work, of, PageRequest(after: after, count: Self.pageSize))
        guard page.items.isEmpty, after != nil else { return page }
        return try await store.failedWork(kind.work, of, PageRequest(count: Self.pageSize))
    }

    private func pauseValues(_ pauses: [Pause], _ choice: AppChoice, _ call: ConsoleCall) async throws -> [PageValues] {
        let backlogs = pauses.isEmpty ? [] : try await problems.statistics().backlogs
        var values: [PageValues] = []
        for pause in pauses {
            guard let app = choice.apps.first(where: { $0.row == pause.queue.app }) else { continue }
            let all = call.may(.configure) ? try await store.credentials(app.row) : []
            let stored = all.filter { $0.platform == pause.queue.platform }
            let query = try FormValues(urlEncoded: Link.knownCredential(of: pause.queue, among: stored))
            let work = backlogs.first { $0.queue == pause.queue }
            let waiting = work?.deliveries ?? 0
            let own: PageValues = [
                "pause_app": app.name, "pause_name": call.texts.name(of: pause.queue), "pause_queue": pause.queue.word,
                "pause_cause": call.texts.cause(of: pause), "pause_reason": call.texts.reason(pause.reason),
                "pause_advice": call.texts.said(pause.advice), "pause_since": PageValues.time(pause.since),
                "pause_address": "/console/apps/\(app.id)",
                "field_suffix": "-\(app.id)-\(pause.queue.platform.rawValue)-\(pause.queue.environment.rawValue)",
                // The count is some seconds old and the pause is not: none says nothing.
                "pause_waits": waiting > 0, "pause_waiting": call.texts.counted("overview.waiting", waiting),
                "pause_oldest": [work?.oldest, work?.oldestDeferred].compactMap { $0 }.min().map(PageValues.time)
                    .asList,
            ]
            // Where it is replaced stands beside what is wrong.
            let known = Self.known(query, among: stored)
            values.append(Self.credentialFields(known, call).merging(own) { $1 })
        }
        return values
    }

    private func row(_ work: FailedWork, _ choice: AppChoice, _ call: ConsoleCall) -> PageValues {
        switch work {
        case .delivery(let letter):
            var values: PageValues = [
                "work_id": letter.id.description, "work_app": choice.name(letter.app) ?? "",
                "work_user": letter.user ?? call.texts["common.none"],
                "work_reason": call.texts.said(letter.reason ?? call.texts["common.none"]),
                "work_tries": call.texts.counted("problems.attempts", letter.attempts),
                "work_at": PageValues.time(letter.diedAt),
                "work_notification": "/console/notifications/\(letter.notification)",
            ]
            if let user = letter.user, let app = choice.apps.first(where: { $0.row == letter.app }) {
                values["work_person"] = "/console/people/\(app.id)/\(Link.escaped(user))"
            }
            return values
        case .quarantined(let work):
            return [
                "work_id": work.id.description, "work_app": choice.name(work.app) ?? "",
                "work_reason": call.texts["problems.reason_\(work.reason.rawValue)"],
                "work_size": call.texts.counted("problems.deliveries", work.deliveries),
                "work_tries": call.texts.counted("problems.attempts", work.tries),
                "work_at": PageValues.time(work.since),
                "work_notification": "/console/notifications/\(work.notification)",
            ]
        case .webhook(let letter):
            return [
                "work_id": letter.id.description, "work_topic": letter.topicName,
                "work_url": WebhookURL.masked(letter.address),
                "work_reason": call.texts.said(letter.reason),
                "work_tries": call.texts.counted("problems.attempts", letter.attempts),
                "work_at": PageValues.time(letter.diedAt),
            ]
        }
    }

    // MARK: Another try

    private func retryOne(_ call: ConsoleCall) async throws -> ConsoleReply {
        let kind = try FailedWorkKind(call)
        let isRepeated: Bool
        do {
            isRepeated = try await retry(kind, call.id(of: kind.work.noun))
        } catch let failure as Failure where failure.code != .internalError {
            return .page(try await problemPage(call, refused: failure.advising(call.texts["problems.gone_hint"])))
        }
        if !isRepeated {
            let action = AuditAction(rawValue: "\(kind.subject).retry")
            try await noteChange(action, of: AuditSubject(kind.subject, call.parameter("id")), by: call)
        }
        return .redirect("/console/problems?" + Link.query(["app": call.form["app"], "done": "retried"]))
    }

    /// Says whether it was tried again already; then nothing is done.
    func retry(_ kind: FailedWorkKind, _ id: PublicID) async throws -> Bool {
        let retries = Retries(store: store, wakeUps: wakeUps)
        return switch kind {
        case .letters: try await retries.retry(DeadLetter.self, id, of: nil).isRepeated
        case .quarantined: try await retries.retry(QuarantinedWork.self, id, of: nil).isRepeated
        case .webhooks: try await retries.retry(WebhookDeadLetter.self, id, of: nil).isRepeated
        }
    }
}

/// Failed work as the page of problems has it.
enum FailedWorkKind: String, CaseIterable, Sendable {
    case letters, quarantined, webhooks

    init(_ call: ConsoleCall) throws(Failure) {
        guard let kind = FailedWorkKind(rawValue: call.parameter("kind")) else { throw .notFound("page") }
        self = kind
    }

    /// What its pages are called, of one app or of all.
    func list(of choice: AppChoice) -> String { "console problems/\(rawValue) \(choice.chosen?.id.description ?? "")" }

    /// What the audit log calls it.
    var subject: String {
        switch self {
        case .letters: "dead_letter"
        case .quarantined: "quarantine"
        case .webhooks: "webhook_dead_letter"
        }
    }

    var work: FailedWork.Kind {
        switch self {
        case .letters: .delivery
        case .quarantined: .quarantined
        case .webhooks: .webhook
        }
    }
}
