import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// Who uses the console: invited, changed and signed out by administrators of the whole server. The store writes each
/// change into the audit log itself.
extension MartletAPI {
    func listOperators(_ call: Call) async throws -> List<OperatorResponse> {
        try checkIsUnbound(call, "operators see")
        return call.list(try await store.operators(.all, call.page()), OperatorResponse.init)
    }

    func inviteOperator(_ request: InvitationRequest, _ call: Call) async throws -> Reply<InvitationResponse> {
        let actor = try operatorActor(call)
        let service = OperatorService(store: store, clock: clock)
        let made = try await service.invite(request.name, as: request.role, by: actor)
        return Reply(
            InvitationResponse(
                name: made.invitation.name,
                role: made.invitation.role,
                isPasswordReset: made.invitation.isPasswordReset,
                url: settings.publicURL.map { $0 + InvitationResponse.path(of: made.token) },
                token: made.token,
                expiresAt: UTCTime(made.invitation.expiresAt)
            )
        )
    }

    func updateOperator(_ request: OperatorUpdate, _ call: Call) async throws -> Reply<OperatorResponse> {
        let actor = try operatorActor(call)
        let id = try call.id("id", of: "operator")
        var change = OperatorChange()
        change.role = request.role
        change.isDisabled = request.isDisabled
        return Reply(OperatorResponse(try await store.updateOperator(id, change, by: actor)))
    }

    func listSessions(_ call: Call) async throws -> List<OperatorSessionItem> {
        try checkIsUnbound(call, "operators see")
        return call.list(try await store.sessions(.all, call.page()), OperatorSessionItem.init)
    }

    func endSession(_ call: Call) async throws -> Nothing {
        let actor = try operatorActor(call)
        let id = try call.id("id", of: "session")
        guard try await store.endSessions(.one(id, of: nil), by: actor) > 0 else { throw Failure.notFound("session") }
        return Nothing()
    }

    /// Who changes something about operators.
    private func operatorActor(_ call: Call) throws(Failure) -> AuditActor {
        try checkIsUnbound(call, "operators see")
        // The route admits keys alone.
        guard let key = call.caller.key else { throw Failure(.unauthorized, "This needs an admin key.") }
        return AuditActor(key)
    }

    /// Refuses a key that is bound to one app.
    ///
    /// - Parameter what: what belongs to all apps, and the verb that says so.
    func checkIsUnbound(_ call: Call, _ what: String) throws(Failure) {
        guard call.caller.key?.app == nil else {
            throw Failure(
                .forbidden,
                "This key is bound to one app, and \(what) all.",
                hint: "Use an admin key that is not bound to an app."
            )
        }
    }
}

extension OperatorResponse {
    init(_ known: Operator) {
        self.init(
            id: known.id,
            name: known.name,
            role: known.role,
            isDisabled: known.disabledAt != nil,
            createdAt: UTCTime(known.createdAt),
            disabledAt: known.disabledAt.map(UTCTime.init)
        )
    }
}

extension OperatorSessionItem {
    init(_ session: OperatorSession) {
        self.init(
            id: session.id,
            operatorID: session.owner.id,
            operatorName: session.owner.name,
            address: session.address,
            userAgent: session.userAgent,
            createdAt: UTCTime(session.createdAt),
            usedAt: UTCTime(session.usedAt)
        )
    }
}
