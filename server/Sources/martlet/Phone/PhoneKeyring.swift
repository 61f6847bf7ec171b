import MartletWire

/// The client key inside the app: the one that was given, or one that is made for as long as the phones are there.
struct PhoneKeyring: Sendable {
    let key: String
    private let made: PublicID?
    private let client: APIClient

    /// - Parameter given: a client key; `nil` has one made with the client's key, which must be an admin's.
    /// - Throws: `CommandFailure` when the server makes none.
    init(_ given: String?, app: String, client: APIClient) async throws {
        self.client = client
        if let given {
            key = given
            made = nil
            return
        }
        do {
            let request = KeyRequest(scope: .client, app: app, name: "martlet phone")
            let answer: Item<KeyResponse> = try await client.call(.post, "keys", request)
            key = answer.data.key ?? ""
            made = answer.data.id
        } catch var failure as CommandFailure where failure.status != .unavailable {
            if [.unauthorized, .forbidden].contains(failure.detail.code) {
                failure.detail.hint = "Give the app's client key as --api-key, or an admin key as --key or --data DIR."
            }
            throw failure
        }
    }

    /// Revokes the key if it was made here.
    func giveBack() async {
        guard let made else { return }
        // A server that is gone needs no telling.
        try? await client.perform(.delete, "keys/\(made)")
    }
}
