import MartletCore
import MartletWire
import Testing

/// What the audit finds in results and pushes that are made up.
@Suite struct AuditTests {
    /// Two devices, each pushed once, accepted and recorded.
    private var pushes = [push(1, device: 1), push(2, device: 2)]
    private var reports = [report(1), report(2)]

    @Test("one accepted push and one result for each device is clean")
    func clean() {
        let audit = audit(accepted: 2)
        #expect(audit.isClean, "\(audit.problems)")
        #expect(audit.accepted == 2)
    }

    @Test("a delivery that is pending, without a result, or accepted without a push is lost")
    mutating func lost() {
        reports[0] = Self.report(1, .pending)
        #expect(audit(accepted: 1).lost == 1)
        reports.removeFirst()
        #expect(audit(accepted: 1).lost == 1)
        reports.insert(Self.report(1), at: 0)
        pushes[0].status = 503
        #expect(audit(accepted: 2).lost == 1)
    }

    @Test("a push that is accepted again after its result was recorded is doubled")
    mutating func doubled() {
        pushes.append(Self.push(3, device: 1, time: Self.resultTime + 1))
        #expect(audit(accepted: 2).doubled == 1)
    }

    @Test("a push that is accepted again before its result is a problem where no answer was lost")
    mutating func repeated() {
        pushes.append(Self.push(3, device: 1))
        #expect(audit(accepted: 2).problems == ["1 repeats, and no answer was lost"])
        #expect(audit(accepted: 2, .init(mayRepeat: true)).isClean)
    }

    @Test("a push without an id, with another device's id, or for an unknown token is a problem")
    mutating func holes() {
        pushes.append(Self.push(3, device: 3))
        #expect(audit(accepted: 2).problems == ["1 pushes were for nobody"])
        pushes[2].token = nil
        #expect(audit(accepted: 2).problems == ["1 pushes were for nobody"])
        pushes.removeLast()
        pushes[1].headers.id = "1"
        #expect(audit(accepted: 2).problems == ["1 devices had another one's id"])
        pushes[1].headers.id = nil
        #expect(audit(accepted: 2).problems == ["1 pushes had no id"])
    }

    @Test("a delivery that is rejected though its push was accepted, or the other way round, is a problem")
    mutating func contradicts() {
        pushes.append(Self.push(3, device: 1, status: 410))
        #expect(audit(accepted: 2).problems.first?.hasPrefix("accepted, though refused") == true)
        reports[0] = Self.report(1, .rejected)
        #expect(audit(accepted: 1, rejected: 1).problems.first?.hasPrefix("rejected, though it was") == true)
    }

    @Test("results that all have the machine's time are a problem where the clock was set")
    func clockStoodStill() {
        let problems = audit(accepted: 2, .init(clockMove: 1 << 60)).problems
        #expect(problems == ["no result has the time that the clock was set to"])
    }

    @Test("pushes of some connections can be left out when arrivals are counted")
    func countsArrivals() {
        #expect(ledger.arrivals(but: []) == 2)
        #expect(ledger.arrivals(but: [1]) == 1)
    }

    // MARK: Made up

    private static let resultTime: Int64 = 1_800_000_000_000

    private var ledger: PushLedger {
        var ledger = PushLedger(count: 2)
        ledger.enter(PushLedger.Page(received: pushes, next: pushes.count))
        return ledger
    }

    private func audit(accepted: Int, rejected: Int = 0, _ conditions: Audit.Conditions = .init()) -> Audit {
        let counts = DeliveryCounts(accepted: accepted, rejected: rejected)
        return Audit(reports, counts: counts, ledger: ledger, conditions: conditions)
    }

    private static func push(
        _ number: Int,
        device: Int,
        status: Int = 200,
        time: Int64 = resultTime - 1
    ) -> PushLedger.Page.Push {
        let digits = String(device, radix: 16)
        return PushLedger.Page.Push(
            seq: number,
            time: time,
            connection: number,
            token: String(repeating: "0", count: 64 - digits.count) + digits,
            headers: .init(id: "\(device)"),
            status: status
        )
    }

    private static func report(_ device: Int64, _ state: DeliveryState = .accepted) -> DeliveryReport {
        DeliveryReport(
            endpoint: nil,
            endpointRow: RowID(rawValue: device),
            platform: .apns,
            user: nil,
            state: state,
            reason: nil,
            heldBy: nil,
            attempts: 1,
            at: Timestamp(milliseconds: resultTime)
        )
    }
}
