public import MartletWire

/// What was given up or quarantined, and is tried no more until somebody asks for it.
public protocol FailedWorkStore: Sendable {
    /// Failed work of a kind, newest first.
    func failedWork(
        _ kind: FailedWork.Kind,
        _ selection: FailedWorkSelection,
        _ page: PageRequest
    ) async throws -> Page<FailedWork>

    /// Has failed work tried again, with all its attempts before it. A delivery comes into a new batch, with an expiry that
    /// is at least a day away; a message to a webhook URL goes to the subscription as it is now, and has lost its place in
    /// the order of its group. A second retry of a dead letter changes nothing and says so; quarantined work is found once.
    ///
    /// - Throws: `Failure` with ``ErrorCode/notFound`` when there is none of that id, or what it belongs to is gone; with
    ///   ``ErrorCode/conflict`` when the notification was cancelled, or a letter tells of an end that was taken back.
    func retry(_ kind: FailedWork.Kind, _ id: PublicID) async throws -> Retried<FailedWork>
}

extension FailedWorkStore {
    /// One piece of failed work of a type.
    public func failedWork<Item: FailedWorkItem>(_: Item.Type, _ id: PublicID) async throws -> Item? {
        try await failedWork(Item.kind, .one(id), PageRequest(count: 1)).items.first?.item()
    }

    /// Failed work of a type.
    public func failedWork<Item: FailedWorkItem>(
        _: Item.Type,
        of app: RowID<App>? = nil,
        _ page: PageRequest = PageRequest()
    ) async throws -> Page<Item> {
        try await failedWork(Item.kind, .open(of: app), page).compactMap { $0.item() }
    }

    /// Has failed work of a type tried again.
    public func retry<Item: FailedWorkItem>(_: Item.Type, _ id: PublicID) async throws -> Retried<Item> {
        let retried = try await retry(Item.kind, id)
        guard let item: Item = retried.work.item() else {
            preconditionFailure("The store retried work of another kind.")
        }
        return Retried(item, isRepeated: retried.isRepeated)
    }
}

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
    func item<Item: FailedWorkItem>() -> Item? {
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
