import MartletPhone
import PushNotificationSDKTesting
import Testing

@Suite("Random lives of phones", .timeLimit(.minutes(30)))
@MainActor
struct RandomPhoneTests {
    private nonisolated static let phones: UInt64 = 1_250
    /// Of each phone, one after the other.
    private static let sequences = 8

    @Test(
        "in 10,000 sequences with kills and dead networks no event is lost or counted twice, and handlers called once"
    )
    func lives() async throws {
        // Several at a time: a phone waits for its threads more than it works.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<8 as Range<UInt64> {
                group.addTask {
                    for seed in stride(from: part, to: Self.phones, by: 8) { try await self.live(seed) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func live(_ seed: UInt64) async throws {
        let life = try PhoneLife(seed: seed)
        let problems = await life.problems(sequences: Self.sequences)
        let isAsItMustBe = problems.isEmpty
        try #require(isAsItMustBe, "seed \(seed): \(problems.joined(separator: "; "))")
    }
}
