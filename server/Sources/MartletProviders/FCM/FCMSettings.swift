public import MartletCore
public import NIOCore

/// How ``FCMProvider`` uses its connections, and where it goes.
public struct FCMSettings: DefaultSettings {
    /// Another address than Google's, as `https://host:port`, for credentials that name none: a simulator's.
    public var url: String?
    /// PEM certificates to trust at that address and at token endpoints that are not Google's.
    public var trust: String?
    /// Hosts of token endpoints beside Google's.
    public var tokenHosts: Set<String> = []
    /// The most connections for one project. A front end announces about 100 streams, which at 0.1 s an answer are 1,000
    /// pushes a second: 16 carry twice what Google lets a project send.
    public var connections = 16
    /// The most requests at a time on one connection, whatever FCM allows.
    public var streams = 1_000
    /// How many pushes may wait for a stream or a connection of one project.
    public var waitingPushes = DispatcherSettings().mostUnderWay
    /// The most pushes a second of one project: below Google's 600,000 a minute ("FCM throttling and quotas").
    public var rate = 8_000
    /// How long DNS and TCP may take, and how long a push waits for a connection before it is to be tried again.
    public var connectTimeout: TimeAmount = .seconds(10)
    /// How long one request may take from when it is written, and a request for an access token.
    public var requestTimeout: TimeAmount = .seconds(30)
    /// How long all requests of one push may take, with the time that they wait for a stream or a connection.
    public var sendTimeout: TimeAmount = .seconds(120)
    /// How long what is in flight may take after a push was cancelled: half of the ten seconds in which a server that is
    /// told to stop is gone.
    public var cancellationGrace: Duration = .seconds(5)
    /// Which private addresses a credential's `url` may lead to that the operator has not named.
    public var privateHosts = PrivateHostPolicy.publicOnly
    /// How many credentials keep their connections open; beyond it those unused for longest are closed.
    public var routes = 64

    /// The defaults explained at each property.
    public init() {}
}
