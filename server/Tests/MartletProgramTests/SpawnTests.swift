import Foundation
import MartletTesting
import Synchronization
import Testing

@Suite struct SpawnTests {
    @Test("a child has none of the files that are opened while it starts")
    func descriptors() async throws {
        let isOver = Atomic(false)
        async let opening: Void = blocking {
            while !isOver.load(ordering: .relaxed) {
                let files = (0..<100).map { _ in open("/dev/null", O_RDONLY) }
                for file in files { close(file) }
            }
        }
        do {
            defer { isOver.store(true, ordering: .relaxed) }
            for _ in 0..<20 {
                let child = try await ProgramProcess(["/proc/self/fd"], executable: "/bin/ls").result(within: 60)
                // The fourth is the folder that it lists.
                #expect(child.standardOutput == "0\n1\n2\n3\n")
            }
        }
        try await opening
    }
}
