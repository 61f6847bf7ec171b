/// The bounds of one dispatcher.
public struct DispatcherSettings: Sendable {
    /// Deliveries under way in all, as ``BatchCapacity`` counts them. Ours: 32 full batches.
    public var deliveries = 32 * MemberList.limit
    /// Deliveries under way of one app; the rest is left to other apps.
    public var deliveriesPerApp = 16 * MemberList.limit
    /// Deliveries under way in one queue; the rest is left to other queues.
    public var deliveriesPerQueue = 8 * MemberList.limit
    /// The part of these bounds that `transactional` notifications have beside them, for themselves. Ours: a half.
    package static let urgentShare = 2
    /// Deliveries of class `transactional` under way beside all others.
    package var urgentDeliveries: Int { deliveries / DispatcherSettings.urgentShare }
    /// Audiences being read at the same time. Ours: each holds a part of a thousand endpoints.
    public var fanOuts = 8
    /// Audiences of one app being read at the same time; the rest is left to other apps.
    public var fanOutsPerApp = 4
    /// How long to wait before looking for work again when nobody is notified: what another process wrote is found
    /// after this time at the latest.
    public var pollInterval: Duration = .seconds(1)
    /// When what is forgotten.
    public var retention = Retention()

    /// The defaults.
    public init() {}

    /// The most deliveries that can be under way: the last batch may have more than there is capacity for.
    public var mostUnderWay: Int { deliveries + urgentDeliveries + MemberList.limit }
}
