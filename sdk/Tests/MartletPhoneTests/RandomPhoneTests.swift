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
        "in 10,000 sequences no event is lost or counted twice, handlers are called once, and the queue keeps its bound"
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
        // Some phones have no network for so long that the queue is full. More than 24 events come of no other sequence.
        let isSmall = seed % 12 == 0
        let isFull = seed % 600 == 5
        let life = try PhoneLife(seed: seed, bound: isSmall ? 26 + Int(seed / 12 % 8) : nil)
        let offline = isSmall || isFull ? 1 + Int(seed / 12 % 7) : nil
        let problems = await life.problems(sequences: Self.sequences, offline: offline)
        let isAsItMustBe = problems.isEmpty
        try #require(isAsItMustBe, "seed \(seed): \(problems.joined(separator: "; "))")
    }
}
