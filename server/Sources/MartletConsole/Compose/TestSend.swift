import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// A push to one's own device, before anybody else gets it.
extension ConsoleService {
    /// For how long the provider's answer is waited for, and how often it is looked for.
    private static let (testTime, testInterval) = (Duration.seconds(2), Duration.milliseconds(100))

    /// Sends a form's content to the device that it names; returns when its end is known, or after a while.
    func sendTest(_ form: ComposeForm, _ call: ConsoleCall) async throws -> PublicID {
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
        let end = clock.now() + Self.testTime
        while let sent = try await store.notification(submitted.id), sent.state != .done, sent.state != .cancelled,
            clock.now() < end
        {
            try await clock.sleep(for: Self.testInterval)
        }
        return submitted.id
    }

    private static let audienceFields: Set<String?> = ["users", "devices"]

    /// What the provider has answered so far to the test that the page is about; `nil` where it is about none.
    func testResult(_ call: ConsoleCall) async throws -> PageValues? {
        guard let id = call.query["tested"].flatMap({ PublicID($0) }), let sent = try await store.notification(id),
            sent.isTest
        else { return nil }
        let page = PageRequest(count: 20)
        let unmade = try await store.suppressions(sent.row, page).items.filter { $0.endpoint == nil }
        return result(try await store.deliveries(sent.row, page).items + unmade, id, call.texts)
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
