import Hummingbird
import MartletCore
import MartletStore
import MartletWire

/// What a site needs to push to browsers: two scripts, and the key that browsers subscribe with.
extension MartletAPI {
    var webPushRoutes: [Route] {
        [
            Route(
                .get,
                "/api/v1/webpush/key",
                .registration,
                "Shows the VAPID key that browsers subscribe with.",
                query: [.app],
                respond: showWebPushKey
            ),
            Route(.get, "/webpush/martlet.js", .open, "The script of a site's pages.") { _ in
                JavaScript(bytes: PackageResources.martlet_js)
            },
            Route(.get, "/webpush/worker.js", .open, "The script that a site's service worker imports.") { _ in
                JavaScript(bytes: PackageResources.worker_js)
            },
        ]
    }

    func showWebPushKey(_ call: Call) async throws -> Reply<WebPushKeyResponse> {
        let app = try await app(call.query("app"), for: call.caller)
        guard let summary = try await store.credentials(app.row).first(where: { $0.platform == .webpush })?.summary,
            let id = summary.keyID
        else {
            throw Failure(
                .notFound,
                "The app has no VAPID key.",
                hint: "Make one: martlet apps credentials set \(app.name) --webpush-subject mailto:push@example.com."
            )
        }
        return Reply(WebPushKeyResponse(keyID: id, publicKey: summary.topic))
    }
}
