import Hummingbird
import MartletCore
import NIOCore

extension MartletAPI {
    /// What calls the webhook URLs that are subscribed to topics; one of them to be run beside the interface.
    public func webhookDispatcher() -> WebhookDispatcher {
        WebhookDispatcher(
            store: store,
            vault: vault,
            clock: clock,
            wakeUps: wakeUps,
            certificate: certificate,
            settings: settings.sns,
            address: address,
            metrics: webhookMetrics,
            logger: logger
        )
    }

    /// Seals what the addresses of subscriptions tell of users and passwords, of a database from before they were sealed;
    /// to be done before anything else.
    ///
    /// - Returns: how many there were.
    public func sealWebhookAddresses() async throws -> Int {
        let vault = vault
        return try await store.rewriteWebhookAddresses { try WebhookAddress.sealed($0, vault) }
    }

    /// The certificate that envelopes are verified with, for everybody, under the name that envelopes give it.
    func addSigningCertificate(to router: Router<APIContext>) {
        let certificate = certificate
        router.get("/SimpleNotificationService-{name}") { _, context in
            let signer = try await certificate.signer()
            guard let name = context.parameters.get("name"),
                signer.certificateName == "SimpleNotificationService-\(name)"
            else { throw HTTPError(.notFound) }
            return Response(
                status: .ok,
                headers: [.contentType: "application/x-pem-file"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: signer.certificatePEM))
            )
        }
    }
}
