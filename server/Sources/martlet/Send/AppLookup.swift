import MartletWire

/// Finds the app that an Xcode simulator's push names by its bundle id.
struct AppLookup {
    let client: APIClient

    /// The name or id that the server knows the app by: the app of that name, or else the one with a credential for
    /// that bundle id.
    func app(named bundleID: String) async throws -> String {
        do {
            let found: Item<AppResponse> = try await client.get("apps/\(bundleID)")
            return found.data.id.description
        } catch let failure as CommandFailure where failure.detail.code == .notFound {
            return try await app(withCredentialFor: bundleID)
        } catch let failure as CommandFailure where failure.detail.code == .forbidden {
            // A key that may not read apps sends for the one that it belongs to, by name.
            return bundleID
        }
    }

    private func app(withCredentialFor bundleID: String) async throws -> String {
        var cursor: String?
        repeat {
            let page: List<AppResponse> = try await client.get(APIPath("apps").query([("cursor", cursor)]))
            for app in page.data {
                let credentials: List<CredentialResponse> = try await client.get("apps/\(app.id)/credentials")
                if credentials.data.contains(where: { $0.bundleID == bundleID }) { return app.id.description }
            }
            cursor = page.next
        } while cursor != nil
        throw CommandFailure(
            "No app has the name or the bundle id \(bundleID).",
            hint: "Name the app with --app, or create it: martlet apps create \(bundleID)",
            status: .failed
        )
    }
}
