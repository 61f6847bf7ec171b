import Foundation
import MartletTesting

extension FaultCase {
    /// What happens while people are told one by one: a push is begun and recorded without being read from the store, until
    /// there is trouble.
    static let oneByOne =
        onBothEngines("one by one, 503 storm", isRecorded: true) { scene in
            let refusal = #"{"do": "respond", "reason": "ServiceUnavailable"}"#
            try await scene.simulator.script(#"{"scope": "accepted", "skip": \#(scene.share(4)), "then": \#(refusal)}"#)
            async let sent: Void = scene.sendOneByOne()
            try await scene.untilReceived(scene.share(4) + 1)
            try await scene.last(scene.form.trouble)
            try await scene.endRules()
            try await sent
        }
        // Four times what 32 requests have under way, twice over.
        + onBothEngines("one by one, TCP resets", repeatLimit: 256) { scene in
            try await scene.simulator.script(#"{"every": \#(scene.share(5)), "times": 4, "then": {"do": "abort"}}"#)
            try await scene.sendOneByOne()
        }
        // Three times what 32 requests have under way, twice over, and what was answered since the last commit.
        + onBothEngines("one by one, SIGKILL at any moment", repeatLimit: 500) { scene in
            async let sent: Void = scene.sendOneByOne()
            var random = scene.random("one by one, SIGKILL at any moment")
            for part in 0..<3 {
                let count =
                    (part * scene.form.deliveries + Int.random(in: 0..<scene.form.deliveries, using: &random)) / 3
                try await scene.untilReceived(count)
                try await scene.restart(SIGKILL)
            }
            try await sent
        }

    private static func onBothEngines(
        _ name: String,
        isRecorded: Bool = false,
        repeatLimit: Int = 0,
        _ trouble: @escaping @Sendable (FaultScene) async throws -> Void
    ) -> [FaultCase] {
        [false, true].map { isOnPostgres in
            FaultCase(
                name: name + (isOnPostgres ? ", PostgreSQL" : ""),
                isOnPostgres: isOnPostgres,
                isRecorded: isRecorded,
                mayRepeat: repeatLimit > 0,
                repeatLimit: repeatLimit,
                trouble: trouble
            )
        }
    }
}
