import Foundation
import MartletTesting
import Testing

/// Trouble while deliveries run: whatever happens, every delivery ends in one state, none is lost and none is doubled.
@Suite(.serialized) struct FaultTests {
    @Test(
        "nothing is lost and nothing doubled, and memory stays bounded",
        .disabled(if: Soak.minutes != nil, "the long form runs instead"),
        arguments: Soak.cases
    )
    func survives(_ trouble: FaultCase) async throws {
        let result: FaultResult
        do { result = try await trouble.run(.short) } catch let refusal as NotAllowed {
            return print("NOTE: '\(trouble.name)' was left out: \(refusal)")
        }
        let audit = result.audit
        print("MEASURED: \(result.line)")
        #expect(audit.lost == 0)
        #expect(audit.doubled == 0)
        #expect(audit.accepted + audit.rejected + audit.dead == audit.deliveries, "one state each")
        #expect(audit.problems.isEmpty, "\(audit.problems.prefix(5))")
    }

    @Test("the long form: all cases with 100,000 deliveries, again and again", .enabled(if: Soak.minutes != nil))
    func soaks() async throws {
        let end = ContinuousClock.now + .seconds(60 * (Soak.minutes ?? 0))
        var table = SoakTable()
        var isFirst = true
        repeat {
            // Every case once at least.
            for trouble in Soak.cases.shuffled() where isFirst || ContinuousClock.now < end {
                table.begin(trouble.name)
                try Soak.keep(table)
                do {
                    table.add(try await trouble.run(.long))
                } catch let refusal as NotAllowed {
                    table.leaveOut(trouble.name, "\(refusal)")
                } catch {
                    table.fail(trouble.name, error)
                }
                Soak.tell(table.lastLine)
            }
            isFirst = false
        } while ContinuousClock.now < end
        try Soak.report(table)
        #expect(table.isClean(mayLeaveOut: Soak.mayLeaveOut), "\(table.text)")
    }
}
