import HTTPTypes
import MartletCore
import MartletPipeline
import MartletWire

/// Many notifications in one request: each is accepted or refused on its own.
extension MartletAPI {
    /// A notification's idempotency key is good for this route: alone and among others it is the same request.
    private static let route = "POST /api/v1/notifications"

    func sendBatch(_ call: Call) async throws -> Reply<NotificationBatchResponse> {
        let values = try NotificationEntry.values(in: call.document)
        var names = NamedInRequest()
        var entries: [Entry] = []
        for value in values { entries.append(try await entry(value, call, &names)) }
        var receipts: [NotificationReceipt] = []
        var refusals: [Failure] = []
        for (index, result) in try await submit(entries).enumerated() {
            switch result {
            case .success(let submitted):
                receipts.append(
                    NotificationReceipt(
                        id: submitted.id,
                        status: entries[index].status,
                        isReplayed: submitted.isRepeated
                    )
                )
            case .failure(var failure):
                if failure.code == .idempotencyMismatch {
                    failure.detail.field = NotificationEntry.CodingKeys.idempotencyKey.rawValue
                }
                refusals.append(failure)
                receipts.append(NotificationReceipt(error: failure.inside("notifications[\(index)]").detail))
            }
        }
        await recordBatch(receipts, by: call.caller)
        // A server that takes none of them now says so as it does of a single one.
        if refusals.count == entries.count, refusals.allSatisfy({ $0.code == .overloaded }) { throw refusals[0] }
        return Reply(NotificationBatchResponse(receipts: receipts))
    }

    /// Writes one line for all of a request; what goes to more than one person has its own besides.
    private func recordBatch(_ receipts: [NotificationReceipt], by caller: Caller) async {
        let made = receipts.filter { $0.isReplayed != true }.compactMap(\.id)
        guard let first = made.first else { return }
        await record(
            "notification.send_batch",
            of: .notification(first),
            by: caller,
            app: caller.key?.app,
            after: [
                "first": .string(first.description), "notifications": .integer(Int64(made.count)),
                "refused": .integer(Int64(receipts.filter { $0.error != nil }.count)),
            ]
        )
    }

    /// Reads and checks one notification.
    ///
    /// - Throws: what is not the notification's fault.
    private func entry(_ value: JSONValue, _ call: Call, _ names: inout NamedInRequest) async throws -> Entry {
        var entry = Entry()
        do {
            try NotificationEntry.schema.check(value)
            let document = try DocumentDecoder.decode(NotificationEntry.self, from: value)
            let request = document.notification
            entry.status = request.acceptedStatus
            entry.idempotency = try idempotency(document.idempotencyKey, of: value, call)
            let app = try await names.apps.value(request.app) { try await self.app(request.app, for: call.caller) }
            let topic = try await names.topics.value(TopicName(app: app.row, name: request.audience.topic)) {
                try await audienceTopic(request.audience.topic, app: app, caller: call.caller)
            }
            let category = try await category(of: request, app: app)
            var submission = try Submission(request, app: app, topic: topic, category: category, now: clock.now())
            if submission.audience.isOfMany { submission.sentBy = call.caller.auditActor }
            entry.submission = .success(submission)
        } catch let failure as Failure where failure.code.status.code < 500 {
            entry.submission = .failure(failure)
        }
        return entry
    }

    /// The record of a notification's own key: of what it asks for without the key.
    private func idempotency(_ value: String?, of entry: JSONValue, _ call: Call) throws(Failure) -> IdempotencyRecord?
    {
        guard let value, let key = call.caller.key, case .object(var members) = entry else { return nil }
        let field = NotificationEntry.CodingKeys.idempotencyKey.rawValue
        members[field] = nil
        return try IdempotencyRecord(value, field: field, of: .object(members), key: key, route: Self.route)
    }

    /// Submits those that can be, and looks whether the others are repetitions: those get the same answer also when what
    /// they ask for has become invalid since.
    private func submit(_ entries: [Entry]) async throws -> [Result<Submitted, Failure>] {
        let requests = entries.compactMap { entry in
            (try? entry.submission.get()).map { SubmissionRequest($0, idempotency: entry.idempotency) }
        }
        var submitted = try await submitter.submit(requests)[...]
        var results: [Result<Submitted, Failure>] = []
        for entry in entries {
            let failure: Failure
            switch entry.submission {
            case .failure(let refusal): failure = refusal
            case .success(let submission):
                switch submitted.removeFirst() {
                case .success(let written):
                    results.append(.success(written))
                    continue
                case .failure(let refusal): failure = refusal.naming(largestFieldOf: submission.content)
                }
            }
            results.append(try await earlier(entry.idempotency, orElse: failure))
        }
        return results
    }
}

/// One of many notifications on its way to a receipt.
private struct Entry {
    var status = NotificationStatus.sending
    var idempotency: IdempotencyRecord?
    var submission: Result<Submission, Failure> = .failure(Failure(.malformedRequest, "It was not read."))
}

/// A topic as an audience names it; `nil` where it names none.
private struct TopicName: Hashable {
    var app: RowID<App>
    var name: String?
}

/// The apps and topics that the notifications of one request name: each is looked up once.
private struct NamedInRequest {
    var apps = FoundByName<String?, App>()
    var topics = FoundByName<TopicName, Topic?>()
}

extension NotificationEntry {
    /// The notifications of a request, each unread.
    ///
    /// - Throws: `Failure` when the body is not `{"notifications":[…]}` with 1 to ``NotificationBatchRequest/limit`` of them.
    fileprivate static func values(in document: JSONValue) throws(Failure) -> [JSONValue] {
        let field = NotificationBatchRequest.CodingKeys.notifications.rawValue
        try NotificationBatchRequest.schema.check(document)
        guard case .array(let values)? = document.objectValue?[field] else { return [] }
        guard (1...NotificationBatchRequest.limit).contains(values.count) else {
            throw .invalid(
                field,
                "One request has 1 to \(NotificationBatchRequest.limit) notifications; this one has \(values.count).",
                hint: "Send them in several requests."
            )
        }
        return values
    }
}
