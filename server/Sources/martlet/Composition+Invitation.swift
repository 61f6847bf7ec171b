import MartletCore
import MartletPipeline
import MartletSNS
import MartletStore
import MartletWire

extension Composition {
    /// Invites an operator, or has one set a new password, in the database itself, beside a running server or without one.
    ///
    /// - Throws: `Failure` as ``OperatorService/invite(_:as:by:)`` does.
    static func invite(_ name: String, as role: OperatorRole?, _ settings: ServeSettings) async throws
        -> InvitationResponse
    {
        let made = try await inStore(settings.database, data: settings.data) { store in
            try await OperatorService(store: store, clock: store.clock).invite(name, as: role, by: .system)
        }
        return InvitationResponse(
            name: made.invitation.name,
            role: made.invitation.role,
            isPasswordReset: made.invitation.isPasswordReset,
            url: settings.publicAddress + InvitationResponse.path(of: made.token),
            token: made.token,
            expiresAt: UTCTime(made.invitation.expiresAt)
        )
    }
}
