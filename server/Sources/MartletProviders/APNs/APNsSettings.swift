public import MartletCore
public import NIOCore

/// How ``APNsProvider`` uses its connections.
public struct APNsSettings: DefaultSettings {
    /// The most connections for one credential and environment. Apple wants few and long-lived ones; one carries
    /// tens of thousands of pushes a second.
    public var connections = 4
    /// The most requests at a time on one connection, whatever APNs allows.
    public var streams = 1_000
    /// How many pushes may wait for a stream or a connection of one credential. All that the dispatcher can have under
    /// way: apps with the same key wait together, and a push that finds no capacity loses an attempt for what is not its
    /// provider's word. Beside its path and id (about 128 bytes) a push that waits costs nothing: the payload is its
    /// batch's.
    public var waitingPushes = DispatcherSettings().mostUnderWay
    /// How long DNS and TCP may take, and how long a push waits for a connection before it is to be tried again. 10 s:
    /// longer than three SYN retransmissions (1, 2 and 4 s).
    public var connectTimeout: TimeAmount = .seconds(10)
    /// How long one request may take from when it is written.
    public var requestTimeout: TimeAmount = .seconds(30)
    /// How long all requests of one push may take, with the time that they wait for a stream or a connection.
    public var sendTimeout: TimeAmount = .seconds(120)
    /// How long what is in flight may take after a push was cancelled: half of the ten seconds in which a server that is
    /// told to stop is gone, so that the other half is left for recording.
    public var cancellationGrace: Duration = .seconds(5)
    /// Which private addresses a credential's `url` may lead to that the operator has not named.
    public var privateHosts = PrivateHostPolicy.publicOnly
    /// How many credentials keep their connections open; beyond it those unused for longest are closed.
    public var routes = 64

    /// The defaults explained at each property.
    public init() {}
}
