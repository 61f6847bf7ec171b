import HTTPTypes
import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// A notification that is sent again to those who missed it.
extension MartletAPI {
    func resend(_ request: ResendRequest, _ call: Call) async throws -> Reply<ResendResponse> {
        let reasons = try ResendReasons(request.reasons)
        let notification = try await notification(of: call)
        guard let app = try await store.app(.row(notification.app)) else { throw Failure.notFound("notification") }
        if notification.category?.archivedAt != nil {
            throw Failure(.conflict, "The notification's category is archived.")
        }
        if request.isDryRun == true {
            let count = try await submitter.countResend(notification, for: reasons)
            return Reply(ResendResponse(id: nil, status: nil, count: count), status: .ok)
        }
        let resent = try await submitter.resend(
            notification,
            of: app,
            for: reasons,
            idempotency: try call.idempotency(for: notification.id)
        )
        if !resent.isRepeated {
            await record(
                .sendNotification,
                of: .notification(resent.id),
                by: call.caller,
                app: app.row,
                after: ["again": .string(notification.id.description), "devices": .integer(Int64(resent.count))]
            )
        }
        let answer = ResendResponse(id: resent.id, status: .sending, count: resent.count)
        return Reply(answer, isReplayed: resent.isRepeated)
    }
}

extension Call {
    /// What makes a repeated request about one thing the same: the pattern of the path does not say which.
    fileprivate func idempotency(for id: PublicID) throws(Failure) -> IdempotencyRecord? {
        guard let record = idempotency, let key = caller.key else { return nil }
        let request: JSONValue = ["id": .string(id.description), "request": document]
        return try IdempotencyRecord(
            record.value,
            field: HeaderName.idempotencyKey,
            of: request,
            key: key,
            route: record.route
        )
    }
}
