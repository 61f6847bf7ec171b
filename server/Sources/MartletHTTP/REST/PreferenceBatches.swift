import HTTPTypes
import MartletCore
import MartletStore
import MartletWire

/// What many people want, in one request. Each is read, changed or refused on its own, as if it had a request of its
/// own.
extension MartletAPI {
    func updateManyPreferences(
        _ request: PreferencesBatchRequest,
        _ call: Call
    ) async throws -> Reply<PreferencesBatchResponse> {
        let count = request.users.count
        guard (1...PreferencesBatchRequest.limit).contains(count) else {
            throw Failure.invalid(
                "users",
                "One request has 1 to \(PreferencesBatchRequest.limit) users; this one has \(count).",
                hint: count == 0 ? nil : "Send them in several requests."
            )
        }
        let app = try await app(request.app, for: call.caller)
        var drafts: [Result<PreferencesDraft, Failure>] = []
        for user in request.users { drafts.append(try await draft(user, app)) }
        var outcomes = try await store.changePreferences(
            drafts.compactMap { try? $0.get() },
            of: app.row,
            actor: call.caller.actor
        )[...]
        let receipts = drafts.enumerated().map { position, draft in
            let outcome = draft.flatMap { _ in outcomes.popFirst() ?? .failure(Failure(.internalError, "")) }
            switch outcome {
            case .success(let preferences): return PreferencesReceipt(revision: preferences.revision)
            case .failure(let failure): return PreferencesReceipt(refused: failure.inside("users[\(position)]").detail)
            }
        }
        let changed = receipts.count { $0.error == nil }
        if changed > 0 {
            await record(
                "preferences.update_many",
                of: AuditSubject("user", "batch"),
                by: call.caller,
                app: app.row,
                after: ["users": .integer(Int64(changed)), "refused": .integer(Int64(count - changed))]
            )
        }
        return Reply(PreferencesBatchResponse(receipts: receipts))
    }

    /// Reads what is to change for one person.
    ///
    /// - Throws: what is not the fault of this part.
    private func draft(_ value: JSONValue, _ app: App) async throws -> Result<PreferencesDraft, Failure> {
        do {
            try UserPreferencesUpdate.schema.check(value)
            let update = try DocumentDecoder.decode(UserPreferencesUpdate.self, from: value)
            try User.validate(id: update.userID, field: UserPreferencesUpdate.CodingKeys.userID.rawValue)
            return .success(
                PreferencesDraft(
                    user: update.userID,
                    master: update.master,
                    categories: try await patches(update.categories, of: app)
                )
            )
        } catch let failure as Failure where failure.code.status.code < 500 {
            return .failure(failure)
        }
    }
}
