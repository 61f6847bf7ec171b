public import MartletWire

/// Which failed work is asked for.
public enum FailedWorkSelection: Sendable, Hashable {
    /// One piece; a dead letter that was retried is still found, until it is purged or dies again.
    case one(PublicID)
    /// What was not retried; an app's, or everybody's. What webhook URLs did not take is no app's.
    case open(of: RowID<App>?)
}

/// Work that failed, of any kind.
public enum FailedWork: Sendable, Hashable {
    /// A delivery whose attempts were used up.
    case delivery(DeadLetter)
    /// A message that a webhook URL did not take.
    case webhook(WebhookDeadLetter)
    /// A batch or a fan-out that is quarantined.
    case quarantined(QuarantinedWork)

    /// Which work it is.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Dead letters of deliveries.
        case delivery
        /// Dead letters of webhook URLs.
        case webhook
        /// Batches and fan-outs that are quarantined.
        case quarantined

        /// How a message calls it.
        package var noun: String { self == .quarantined ? "quarantined work" : "dead letter" }
    }

    /// The work, where it is of that type.
    package func item<Item: FailedWorkItem>() -> Item? {
        switch self {
        case .delivery(let letter): letter as? Item
        case .webhook(let letter): letter as? Item
        case .quarantined(let work): work as? Item
        }
    }
}

/// The work of one ``FailedWork/Kind``.
public protocol FailedWorkItem: Sendable, Hashable {
    static var kind: FailedWork.Kind { get }
    /// Whose it is; `nil` is no app's.
    var owner: RowID<App>? { get }
}

extension DeadLetter: FailedWorkItem {
    /// Deliveries.
    public static let kind: FailedWork.Kind = .delivery
    /// The app.
    public var owner: RowID<App>? { app }
}

extension WebhookDeadLetter: FailedWorkItem {
    /// Webhook URLs.
    public static let kind: FailedWork.Kind = .webhook
    /// The topics are the server's own.
    public var owner: RowID<App>? { nil }
}

extension QuarantinedWork: FailedWorkItem {
    /// What is quarantined.
    public static let kind: FailedWork.Kind = .quarantined
    /// The app.
    public var owner: RowID<App>? { app }
}

/// Failed work that is tried again.
public struct Retried<Work: Sendable & Hashable>: Sendable, Hashable {
    /// It, as it was.
    public var work: Work
    /// Whether an earlier request had it tried again already; this one did nothing.
    public var isRepeated: Bool

    package init(_ work: Work, isRepeated: Bool = false) {
        self.work = work
        self.isRepeated = isRepeated
    }
}
