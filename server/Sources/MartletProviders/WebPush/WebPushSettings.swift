public import MartletCore
import MartletWire
public import NIOCore

/// Checks on a connection that the server's certificate is for a name, where TLS itself checked another.
package typealias WebPushNameCheck = @Sendable (HostName, any Channel) -> EventLoopFuture<Void>

/// How ``WebPushProvider`` uses its connections.
public struct WebPushSettings: PushSettings {
    /// Hosts beside the known services'.
    public var hosts = WebPushHosts.none
    /// Origins that are reached elsewhere: a simulator stands for them.
    public var origins: [String: WebPushOrigin] = [:]
    /// Which private addresses a host may lead to.
    public var privateHosts = PrivateHostPolicy.publicOnly
    /// How many connections there may be in all; beyond it those unused for longest are closed.
    public var connections = 128
    /// After how long without a push the connections to an origin are closed.
    public var idleLimit: Duration = .seconds(60)
    /// How long DNS and TCP may take. 10 s: longer than three SYN retransmissions (1, 2 and 4 s).
    public var connectTimeout: TimeAmount = .seconds(10)
    /// How long one request may take from when it is written.
    public var requestTimeout: TimeAmount = .seconds(30)
    /// How long all requests of one push may take, with the time that they wait for a stream or a connection.
    public var sendTimeout: TimeAmount = .seconds(120)
    /// How long what is in flight may take after a push was cancelled.
    public var cancellationGrace: Duration = .seconds(5)
    /// What demands a certificate for the host on HTTP/1.1 connections, which go by address.
    package var checkName: WebPushNameCheck

    /// The defaults explained at each property, with the check of certificates' names.
    package init(checkName: @escaping WebPushNameCheck) { self.checkName = checkName }
}

/// Where an origin is reached in place of its own address.
public struct WebPushOrigin: Sendable, Hashable {
    let address: ServerAddress
    /// PEM certificates to trust there instead of the system's.
    let trust: String?

    /// An address as `https://host:port`.
    ///
    /// - Throws: `Failure` for what is no such address, and for certificates that cannot be read.
    public init(url: String, trust: String?) throws(Failure) {
        address = try ServerAddress(url: url)
        if let trust { _ = try TrustedCertificates(pem: trust) }
        self.trust = trust
    }
}
