import MartletCore
import MartletWire

/// How much a client may ask for: an app's installation or a user, which are not the operator's own servers.
public struct QuotaSettings: Sendable {
    /// Events of an installation in an hour. The SDK's queue of a phone that was offline for weeks is a tenth of that.
    public var events = Quota(perHour: 10_000)
    /// Bytes of an installation's events in an hour, as JSON: 400 for each of the events above. The bodies of other
    /// requests count towards their address's.
    public var eventBytes = Quota(perHour: 4 * 1024 * 1024)
    /// Registrations of an installation in an hour. The SDK makes one at each start of the app.
    public var registrations = Quota(perHour: 60)
    /// Test notifications that an installation sends to itself in an hour: somebody tries out an app.
    public var tests = Quota(perHour: 20)
    /// Test notifications of all of an app's installations in an hour: with the key that is inside an app anybody can
    /// register installations that do not exist, from many addresses. Ours: ten people who use up all of theirs.
    public var testsOfApp = Quota(perHour: 200)
    /// How many installations' worth one address has, since phones share addresses behind a carrier's or an office's; 0
    /// is no bound.
    public var installationsPerAddress = 32
    /// Requests of a user for what is in their inbox, by their own token. A screen that is opened makes two,
    /// and after an announcement all of a user's devices ask in one moment.
    public var inboxRequests = Quota(perSecond: 10, seconds: 4)
    /// Changes of a user's preferences and devices, by their own token. A screen of switches makes one for each touch.
    public var preferenceChanges = Quota(perSecond: 1, seconds: 60)
    /// Devices of a user; 0 is no bound.
    public var devicesPerUser = 100

    /// The defaults.
    public init() {}

    /// Test notifications of an address in an hour: half of an app's at most, so that some are left for everybody else.
    var testsPerAddress: Quota {
        guard installationsPerAddress > 0 else { return Quota(perHour: 0) }
        let bounds = [tests.times(installationsPerAddress).perHour, (testsOfApp.perHour + 1) / 2]
        return Quota(perHour: bounds.filter { $0 > 0 }.min() ?? 0)
    }
}

/// Counts what clients ask for, by address and by installation. Holders of `send` and `admin` keys are not counted.
final class ClientQuotas: Sendable {
    /// The same kind of thing, counted in two ways.
    private struct Pair {
        let what: String
        let byAddress: QuotaTable
        let byInstallation: QuotaTable

        init(_ what: String, _ quota: Quota, perAddress: Quota) {
            self.what = what
            byAddress = QuotaTable(perAddress)
            byInstallation = QuotaTable(quota)
        }
    }

    private let events: Pair
    private let eventBytes: Pair
    private let registrations: Pair
    private let tests: Pair
    private let testsOfApp: QuotaTable
    private let inboxRequests: QuotaTable
    private let preferenceChanges: QuotaTable
    private let start = ContinuousClock.now

    init(_ settings: QuotaSettings) {
        func pair(_ what: String, _ quota: Quota) -> Pair {
            Pair(what, quota, perAddress: quota.times(settings.installationsPerAddress))
        }
        events = pair("events", settings.events)
        eventBytes = pair("bytes", settings.eventBytes)
        registrations = pair("registrations", settings.registrations)
        tests = Pair("test notifications", settings.tests, perAddress: settings.testsPerAddress)
        testsOfApp = QuotaTable(settings.testsOfApp)
        inboxRequests = QuotaTable(settings.inboxRequests)
        preferenceChanges = QuotaTable(settings.preferenceChanges)
    }

    /// Counts bytes of an upload, or of another request's body, whatever comes of it then.
    ///
    /// - Parameter installation: whose they are, where it proved that.
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takeBytes(_ count: Int, installation: PublicID?, address: String) throws(Failure) {
        try take(count, of: eventBytes, installation, address)
    }

    /// Counts the events of an upload; those of one that is refused are not counted.
    ///
    /// - Parameter installation: whose they are, where it proved that.
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takeEvents(_ count: Int, installation: PublicID?, address: String) throws(Failure) {
        try take(count, of: events, installation, address)
    }

    private func take(_ amount: Int, of pair: Pair, _ installation: PublicID?, _ address: String) throws(Failure) {
        try check(amount, of: pair, installation, address)
        take(amount, of: pair.byAddress, address)
        take(amount, of: pair.byInstallation, installation?.description)
    }

    /// Counts a registration for its address, and looks whether the installation may make one.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func beginRegistration(of installation: PublicID?, address: String) throws(Failure) {
        try check(1, of: registrations, installation, address)
        take(1, of: registrations.byAddress, address)
    }

    /// Counts a registration for the installation that has made it: only then it has proved who it is, so that nobody
    /// else uses up what it has.
    func endRegistration(of installation: PublicID) {
        take(1, of: registrations.byInstallation, installation.description)
    }

    /// Counts a test notification of an installation that has proved who it is, for it, its address and its app.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takeTest(of installation: PublicID, _ app: App, address: String) throws(Failure) {
        try check(1, of: tests, installation, address)
        if let seconds = testsOfApp.take(1, of: app.id.description, now: now) {
            throw .quotaUsedUp(
                "This app has used up its quota of test notifications.",
                retryAfter: seconds,
                hint: "Send it again after the seconds in Retry-After, or with a send key, which has no quota."
            )
        }
        try take(1, of: tests, installation, address)
    }

    /// Counts a user's request for what is in their inbox.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takeInboxRequest(of user: String, _ app: App) throws(Failure) {
        guard let seconds = inboxRequests.take(1, of: "\(app.id)/\(user)", now: now) else { return }
        throw .quotaUsedUp("This user has used up their quota of requests.", retryAfter: seconds)
    }

    /// Counts what a user changes of their preferences and devices.
    ///
    /// - Throws: `Failure` with ``ErrorCode/tooManyRequests``.
    func takePreferenceChanges(_ count: Int, of user: String, _ app: App) throws(Failure) {
        guard let seconds = preferenceChanges.take(count, of: "\(app.id)/\(user)", now: now) else { return }
        throw .quotaUsedUp("This user has used up their quota of changes.", retryAfter: seconds)
    }

    private var now: Double { (ContinuousClock.now - start) / .seconds(1) }

    private func check(_ amount: Int, of pair: Pair, _ installation: PublicID?, _ address: String) throws(Failure) {
        if !address.isEmpty, let seconds = pair.byAddress.wait(for: amount, of: address, now: now) {
            throw .quotaUsedUp("This address has used up its quota of \(pair.what).", retryAfter: seconds)
        }
        guard let installation else { return }
        if let seconds = pair.byInstallation.wait(for: amount, of: installation.description, now: now) {
            throw .quotaUsedUp("This installation has used up its quota of \(pair.what).", retryAfter: seconds)
        }
    }

    private func take(_ amount: Int, of table: QuotaTable, _ name: String?) {
        if let name, !name.isEmpty { table.take(amount, of: name, now: now) }
    }
}

extension Failure {
    /// The refusal of a client that asks for too much.
    static func quotaUsedUp(
        _ message: String,
        retryAfter seconds: Double,
        hint: String = "Send it again after the seconds in Retry-After."
    ) -> Failure {
        var failure = Failure(.tooManyRequests, message, hint: hint)
        failure.retryAfter = .seconds(Int64(seconds.rounded(.up)))
        return failure
    }
}
