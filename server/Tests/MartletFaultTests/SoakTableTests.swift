import MartletCore
import MartletWire
import Testing

/// What the last line of the long form says.
@Suite struct SoakTableTests {
    private var table = SoakTable()
    private let name = FaultCase.all[0].name

    @Test("it has two numbers when nothing failed and nothing is missing")
    mutating func clean() {
        table.begin(name)
        table.add(result())
        #expect(lastLine == "lost 0, doubled 0")
        #expect(table.isClean(mayLeaveOut: false))
    }

    @Test("it counts runs that failed, whatever they failed of")
    mutating func failed() {
        table.add(result())
        table.add(result { $0.problems = ["one", "another"] })
        #expect(lastLine == "lost 0, doubled 0, failed 1")
        table.add(result { $0.lost = 3 })
        #expect(lastLine == "lost 3, doubled 0, failed 2")
        table.fail(name, "no audit")
        #expect(lastLine == "lost 3, doubled 0, failed 3")
        #expect(!table.isClean(mayLeaveOut: true))
    }

    @Test("it counts cases that were left out, which is clean only where that was allowed")
    mutating func leftOut() {
        table.add(result())
        table.leaveOut("half-open TCP", "no network")
        table.leaveOut("half-open TCP", "no network")
        #expect(lastLine == "lost 0, doubled 0, failed 0, left out 1")
        #expect(!table.isClean(mayLeaveOut: false))
        #expect(table.isClean(mayLeaveOut: true))
    }

    @Test("it says in which case the run broke off")
    mutating func brokeOff() {
        table.add(result())
        table.begin("slow reader")
        #expect(lastLine == "lost 0, doubled 0, failed 0, broke off in 'slow reader'")
        #expect(!table.isClean(mayLeaveOut: true))
    }

    @Test("it says that nothing was audited")
    func nothing() {
        #expect(lastLine == "lost 0, doubled 0, failed 0, nothing was audited")
        #expect(!table.isClean(mayLeaveOut: true))
    }

    private var lastLine: String { table.text.split(separator: "\n").last.map(String.init) ?? "" }

    private func result(_ change: (inout Audit) -> Void = { _ in }) -> FaultResult {
        var audit = Audit(
            [],
            counts: DeliveryCounts(),
            ledger: PushLedger(count: 0),
            conditions: .init()
        )
        change(&audit)
        return FaultResult(name: name, audit: audit, peakMegabytes: 0, duration: .zero)
    }
}
