import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Work that crashed its worker again and again, or that cannot be read: looked at, and tried again by hand.
extension MartletAPI {
    func listQuarantined(_ call: Call) async throws -> List<QuarantineItem> {
        let page = try call.page()
        let app = try await optionalApp(call.query("app"), for: call.caller)
        return call.list(try await store.failedWork(QuarantinedWork.self, of: app?.row, page), QuarantineItem.init)
    }

    func retryQuarantined(_ call: Call) async throws -> Reply<QuarantineItem> {
        let id = try call.id("id", of: "quarantined work")
        let work = try await retries.retry(QuarantinedWork.self, id, of: call.caller.key?.app).work
        let answer = QuarantineItem(work)
        let subject = AuditSubject("quarantine", id.description)
        await record("quarantine.retry", of: subject, by: call.caller, app: work.owner, before: .shown(answer))
        return Reply(answer)
    }
}

extension QuarantineItem {
    init(_ work: QuarantinedWork) {
        self.init(
            id: work.id,
            notificationID: work.notification,
            kind: work.queue == nil ? .fanOut : .batch,
            platform: work.queue?.platform,
            environment: work.queue?.environment,
            deliveries: work.deliveries,
            reason: work.reason,
            tries: work.tries,
            since: UTCTime(work.since)
        )
    }
}
