import MartletCore
import MartletWire

/// How much a client may ask for: an app's installation or a user, which are not the operator's own servers.
public struct QuotaSettings: Sendable {
    /// Events of an installation in an hour. The SDK's queue of a phone that was offline for weeks is a tenth of that.
    public var events = Quota(perHour: 10_000)
    /// Bytes of an installation's events in an hour, as JSON: 400 for each of the events above.
    public var eventBytes = Quota(perHour: 4 * 1024 * 1024)
    /// Registrations of an installation in an hour. The SDK makes one at each start of the app.
    public var registrations = Quota(perHour: 60)
    /// How many installations' worth one address has, since phones share addresses behind a carrier's or an office's; 0
    /// is no bound.
    public var installationsPerAddress = 32
    /// Devices of a user; 0 is no bound.
    public var devicesPerUser = 100

    /// The defaults.
    public init() {}
}

/// Counts what clients ask for. Holders of `send` and `admin` keys are not counted.
final class ClientQuotas: Sendable {
    private let events: [QuotaTable]
    private let eventBytes: [QuotaTable]
    private let registrations: [QuotaTable]
    private let start = ContinuousClock.now

    init(_ settings: QuotaSettings) {
        func pair(_ quota: Quota) -> [QuotaTable] {
            [QuotaTable(quota), QuotaTable(quota.times(settings.installationsPerAddress))]
        }
        events = pair(settings.events)
        eventBytes = pair(settings.eventBytes)
        registrations = pair(settings.registrations)
    }

    /// Counts an upload.
    ///
    /// - Parameter installation: whose it is, where it proved that.
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takeEvents(_ count: Int, bytes: Int, installation: PublicID?, address: String) throws(Failure) {
        try take(count, from: events, "events", installation, address)
        try take(bytes, from: eventBytes, "bytes of events", installation, address)
    }

    /// Counts a registration.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takeRegistration(installation: PublicID?, address: String) throws(Failure) {
        try take(1, from: registrations, "registrations", installation, address)
    }

    private func take(
        _ amount: Int,
        from tables: [QuotaTable],
        _ what: String,
        _ installation: PublicID?,
        _ address: String
    ) throws(Failure) {
        let now = (ContinuousClock.now - start) / .seconds(1)
        let names = [("installation", installation?.description), ("address", address.isEmpty ? nil : address)]
        for (table, (kind, name)) in zip(tables, names) {
            guard let name, let seconds = table.take(amount, of: name, now: now) else { continue }
            throw .quotaUsedUp("This \(kind) has used up its quota of \(what).", retryAfter: seconds)
        }
    }
}

extension Failure {
    /// The refusal of a client that asks for too much.
    static func quotaUsedUp(_ message: String, retryAfter seconds: Double) -> Failure {
        var failure = Failure(.tooManyRequests, message, hint: "Send it again after the seconds in Retry-After.")
        failure.retryAfter = .seconds(Int64(seconds.rounded(.up)))
        return failure
    }
}
