import MartletCore
import MartletWire

/// A push to one's own device, before anybody else gets it.
extension ConsoleService {
    /// For how long the provider's answer is waited for, and how often it is looked for.
    private static let (testTime, testInterval) = (Duration.seconds(2), Duration.milliseconds(100))

    /// Sends a form's content to the device that it names; says what the provider answered.
    func sendTest(_ form: ComposeForm, _ call: ConsoleCall) async throws -> PageValues {
        let app = try await requiredApp(form, call.texts)
        let request = try form.testRequest(call.texts)
        var submission: Submission
        let submitted: Submitted
        do {
            submission = try await self.submission(request, app: app)
            (submission.dedup, submission.collapse) = (.test(), .off)
            submitted = try await submitter.submit(submission, idempotency: nil)
        } catch let failure as Failure {
            // The audience is the field of the test.
            guard
                failure.detail.field?.hasPrefix("audience") ?? false
                    || Self.audienceFields.contains(failure.detail.field)
            else { throw failure }
            var failure = failure
            failure.detail.field = ComposeForm.Field.testTo.rawValue
            throw failure
        }
        try await noteChange(
            .testNotification,
            of: .notification(submitted.id),
            by: call,
            app: app.row,
            after: ["audience": .string(submission.audience.word)]
        )
        return result(try await reports(of: submitted.id), submitted.id, call.texts)
    }

    private static let audienceFields: Set<String?> = ["users", "devices"]

    /// What became of it as soon as all is known, or after a while as far as it is.
    private func reports(of id: PublicID) async throws -> [DeliveryReport] {
        let end = clock.now() + Self.testTime
        while true {
            guard let notification = try await store.notification(id) else { return [] }
            let isOver = notification.state == .done || notification.state == .cancelled
            if isOver || clock.now() >= end {
                let page = PageRequest(count: 20)
                let sent = try await store.deliveries(notification.row, page).items
                return sent + (try await store.suppressions(notification.row, page)).items.filter { $0.endpoint == nil }
            }
            try await clock.sleep(for: Self.testInterval)
        }
    }

    private func result(_ reports: [DeliveryReport], _ id: PublicID, _ texts: Texts) -> PageValues {
        let isGood = reports.contains { $0.state == .accepted }
        let waits = reports.isEmpty || reports.contains { $0.state == .pending }
        let word = isGood ? "good" : waits ? "waiting" : "bad"
        return [
            "tone": isGood ? "good" : waits ? "warn" : "bad", "summary": texts["compose.test.\(word)"],
            "address": "/console/notifications/\(id)",
            "lines": reports.map { report in
                let platform = report.platform.map { texts["compose.platform.\($0.rawValue)"] } ?? ""
                return ["on": platform, "said": texts.sentence(report.state, report.reason, isWordBeside: false)]
                    as PageValues
            },
        ]
    }
}
