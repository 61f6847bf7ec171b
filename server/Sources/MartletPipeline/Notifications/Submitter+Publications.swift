public import MartletCore
import MartletStore
public import MartletWire

extension Submitter {
    /// The id of a notification or a message that is accepted now.
    public func makeID() -> PublicID {
        ids.next(at: clock.now())
    }

    /// Accepts messages to topics, all or none.
    ///
    /// - Throws: `Failure` as ``submit(_:)`` does; nothing is written then.
    public func publish(_ requests: [PublicationRequest]) async throws -> [Published] {
        do {
            return try await write(requests)
        } catch is NotificationIDTaken {
            return try await write(requests, isIDTaken: true)
        }
    }

    /// - Parameter isIDTaken: whether notifications get ids of their own, and none that of its message.
    private func write(_ requests: [PublicationRequest], isIDTaken: Bool = false) async throws -> [Published] {
        var publications: [Publication] = []
        for request in requests {
            var drafts: [NotificationDraft] = []
            var gates: [Gate] = []
            for (index, submission) in request.submissions.enumerated() {
                let credentials = try await store.credentials(submission.app.row)
                let id = index == 0 && !isIDTaken ? request.id : makeID()
                let draft = try draft(of: submission, id: id, credentials: credentials)
                drafts.append(draft)
                let device = DeviceGate(app: draft.app, credentials: credentials, providers: providers)
                gates.append(Gate(draft, device: device))
            }
            publications.append(Publication(request, drafts: drafts, gates: gates))
        }
        try await backlog.admit(requests.reduce(into: []) { $0.formUnion($1.owners) })
        let published = try await store.publish(publications)
        if published.contains(where: \.hasWebhooks) { wakeUps.notify(.webhooks) }
        for (published, request) in zip(published, requests) {
            for (submitted, submission) in zip(published.submitted, request.submissions) {
                tell(of: submitted, app: submission.app)
            }
        }
        return published
    }
}
