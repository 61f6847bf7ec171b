import MartletCore
import MartletTesting
import MartletWire
import Testing

/// One kind of trouble.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// What goes wrong.
    let name: String
    /// Through whom it sends.
    var platform = Platform.apns
    /// At Web Push, the push services that browsers are at, a thousand at each in turn.
    var services = ["google"]
    /// Whether the rows are in PostgreSQL.
    var isOnPostgres = false
    /// Which part of all deliveries the provider refuses for good.
    var refused: ClosedRange<Double> = 0...0
    /// Whether the data is on a disk that can be filled.
    var needsSmallDisk = false
    /// Whether both processes are in a network that can be cut.
    var needsOwnNetwork = false
    /// Whether both processes have a clock that can be moved.
    var needsOwnClock = false
    /// Whether every push that arrives is an attempt on record: no process ends without recording what it sent, and no
    /// connection says of what arrived that it did not.
    var isRecorded = false
    /// Whether answers are lost on their way, so that what the provider accepted has to be sent again.
    var mayRepeat = false
    /// How many of these there may be: what is under way when answers are lost.
    var repeatLimit = Int.max
    /// After how long a push that is not answered is given up, in seconds.
    var answerSeconds = 3
    /// Further arguments of the simulator's.
    var simulator: [String] = []
    /// Prepares the trouble, sends, and ends what has to end for the deliveries to go on.
    let trouble: @Sendable (FaultScene) async throws -> Void

    var testDescription: String { name }

    /// All cases: what connections do, what the provider answers, what happens to the machine.
    static let all = connections + windows + answers + machine + oneByOne + clocks + fcm + webPush

    /// Runs it to its audit.
    func run(_ form: FaultScene.Form) async throws -> FaultResult {
        let start = ContinuousClock.now
        let disk = needsSmallDisk ? try await SmallDisk(megabytes: form == .short ? 32 : 512) : nil
        let network = needsOwnNetwork ? try await NetworkNamespace() : nil
        let clock = needsOwnClock ? try await MovableClock() : nil
        let scene = try await FaultScene(form, for: self, in: disk?.path, network: network, clock: clock)
        do {
            try await FaultCase.$disk.withValue(disk) { try await trouble(scene) }
        } catch { await scene.note("\(error)") }
        var (audit, peak) = try await scene.finish()
        let part = Double(audit.rejected) / Double(audit.deliveries)
        if !refused.contains(part) { audit.problems.append("\(audit.rejected) were rejected") }
        if audit.repeats > repeatLimit { audit.problems.append("\(audit.repeats) repeats, \(repeatLimit) at most") }
        if audit.dead > 0 { audit.problems.append("\(audit.dead) are dead") }
        return FaultResult(name: name, audit: audit, peakMegabytes: peak, duration: ContinuousClock.now - start)
    }

    /// The disk that the case's data is on.
    @TaskLocal static var disk: SmallDisk?
}

/// What came of a case.
struct FaultResult: Sendable {
    var name: String
    var audit: Audit
    var peakMegabytes: Double
    var duration: Duration
}
