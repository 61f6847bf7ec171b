import MartletCore
import MartletStore
import MartletTesting
import MartletWire
import Testing

@Suite(.stageLimit) struct RefusalTests {
    @Test("the reason of the last write that was refused is that of all, until one is written")
    func fullDisk() async throws {
        let stage = try await Stage()
        #expect(stage.store.refusal == nil)
        try await stage.fillDisk()
        await #expect(throws: Failure.self) {
            for number in 0..<2_000 { try await stage.register(Stage.token(number)) }
        }
        #expect(stage.store.refusal?.code == .overloaded)
        try await stage.freeDisk()
        try await stage.register("a1")
        #expect(stage.store.refusal == nil)
    }
}
