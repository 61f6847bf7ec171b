import MartletCore
import MartletStore
import MartletWire

/// Another try of all failed work of a kind: part by part, each of which says how far it came and asks for the next.
extension ConsoleService {
    func retryMany(_ call: ConsoleCall) async throws -> ConsoleReply {
        let kind = try FailedWorkKind(call)
        let app: App?
        do {
            app = try await appChoice(call.form["app"]).chosen
        } catch let failure as Failure where failure.code == .notFound {
            return .page(try await problemPage(call, refused: failure.advising(call.texts["problems.app_gone_hint"])))
        }
        var run = try RetryRun(call.form, list: kind.list)
        let isFirst = run.after == nil
        let isAll = try await run.go { page in
            try await store.failedWork(kind.work, .open(of: app?.row), page)
        } retry: { id in
            _ = try await retry(kind, id)
        }
        try await noteChange(
            AuditAction(rawValue: "\(kind.subject).retry_many"),
            of: AuditSubject(kind.subject, ""),
            by: call,
            app: app?.row,
            after: ["count": .integer(Int64(run.partCount))]
        )
        if isFirst, isAll {
            let done = run.partCount == 0 ? "retried_none" : "retried"
            return .redirect("/console/problems?" + Link.query(["app": call.form["app"], "done": done]))
        }
        if !isAll, run.total == nil { run.total = run.retried + (try await openCount(kind, of: app?.row)) }
        return .page(runPage(run, isAll: isAll, kind, call))
    }

    /// How many pieces of failed work there are now.
    private func openCount(_ kind: FailedWorkKind, of app: RowID<App>?) async throws -> Int {
        let now = try await store.statistics(.problems)
        let own = app.map { now.apps[$0] ?? .init() }
        return switch kind {
        case .letters: own?.deadLetters ?? now.deadLetters
        case .quarantined: own?.quarantined ?? now.quarantined
        case .webhooks: now.webhooks.deadLetters
        }
    }

    private func runPage(_ run: RetryRun, isAll: Bool, _ kind: FailedWorkKind, _ call: ConsoleCall) -> Page {
        let texts = call.texts
        let total = isAll ? run.seen : max(run.total ?? 0, run.seen)
        let values: PageValues = [
            "kind": kind.rawValue, "kind_name": texts["problems.\(kind.rawValue)"],
            "app_query": call.form["app"] ?? "", "back": "/console/problems?" + Link.query(["app": call.form["app"]]),
            "run_over": isAll, "run_retried": texts.counted("problems.run.retried", run.retried),
            "run_left": texts.counted("problems.run.left", run.left),
            "run_refused": (run.refused > 0 ? texts.counted("problems.run.refused", run.refused) : nil).asList,
            "run_seen": String(run.seen), "run_total": String(total),
            // A part that tried nothing again is not gone on from by itself.
            "goes_on": run.partCount > 0,
            "after": run.after.map { Cursor.text(of: $0, list: kind.list) } ?? "",
            "retried": String(run.retried), "refused": String(run.refused), "total": String(total),
        ]
        return Page(template: "problems_run", part: .problems, title: texts["problems.retry_all"], values: values)
    }
}

extension FailedWorkKind {
    /// What a place in its list is marked with.
    fileprivate var list: String { "retry \(rawValue)" }
}
