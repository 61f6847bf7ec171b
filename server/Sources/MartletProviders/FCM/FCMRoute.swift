import MartletCore
package import MartletTransport
import MartletWire
import NIOSSL

/// One authenticated way to FCM: connections, and the access tokens that go over them.
package final class FCMRoute: ProviderRoute {
    let address: ServerAddress
    let connection: HTTP2ClientConfiguration
    package let pool: HTTP2ClientPool
    let account: ServiceAccount
    let tokens: AccessTokenSource
    let pacing: FCMPacing

    let permits = TokenPermit<AccessToken>()

    /// A route without connections; the first push opens one.
    ///
    /// - Throws: `Failure` when the stored account or the trusted certificates cannot be used.
    init(
        _ opened: OpenedCredential,
        address: ServerAddress,
        settings: FCMSettings,
        pacing: (String) -> FCMPacing,
        _ context: ProviderContext
    ) throws(Failure) {
        let credential = opened.credential
        let hosts = FCMCredentialCheck.tokenHosts(
            url: credential.url,
            isURLOfOperator: credential.isURLOfOperator,
            settings
        )
        let account = try ServiceAccount(json: String(decoding: opened.secret, as: UTF8.self), allowing: hosts)
        let trust = credential.url == nil ? settings.trust : credential.trust
        self.address = address
        self.account = account
        self.pacing = pacing("\(address.authority) \(account.projectID)")
        var connection = HTTP2ClientConfiguration(
            to: address,
            tls: try .client(trusting: trust),
            settings,
            keptFields: FCMAnswer.fields,
            isJudged: credential.isURLOfOthers
        )
        (connection.maxConcurrentStreams, connection.maxQueuedRequests) = (settings.streams, settings.waitingPushes)
        self.connection = connection
        pool = HTTP2ClientPool(
            HTTP2ClientPoolConfiguration(
                connection: connection,
                maxConnections: settings.connections,
                maxQueuedRequests: settings.waitingPushes
            ),
            group: context.group,
            logger: context.logger
        )
        let endpoint = account.endpoint
        let endpointConnection = HTTP2ClientConfiguration(
            to: endpoint.address,
            tls: try .client(trusting: endpoint.isGoogle ? nil : trust ?? settings.trust),
            settings,
            keptFields: TokenAnswer.fields,
            isJudged: false
        )
        tokens = AccessTokenSource(account: account, connection: endpointConnection, context)
    }
}
