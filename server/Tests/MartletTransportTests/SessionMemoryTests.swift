import CNghttp2
import Foundation
import Testing

@testable import MartletTransport

/// The memory that a session hands its library.
struct SessionMemoryTests {
    @Test("A block given back is the next one of its size, and one of another size is not")
    func blocksAreKept() throws {
        let memory = SessionMemory()
        let calls = memory.functions
        let first = try #require(calls.malloc(100, calls.mem_user_data))
        calls.free(first, calls.mem_user_data)
        #expect(memory.kept == 128)
        let larger = try #require(calls.malloc(129, calls.mem_user_data))
        #expect(larger != first)
        #expect(memory.kept == 128)
        #expect(calls.malloc(65, calls.mem_user_data) == first)
        #expect(memory.kept == 0)
        calls.free(first, calls.mem_user_data)
        calls.free(larger, calls.mem_user_data)
        #expect(memory.kept == 128 + 192)
    }

    @Test("Every block is aligned and as long as was asked for", arguments: [0, 1, 15, 64, 65, 959, 960, 961, 70_000])
    func blocksAreWhole(size: Int) throws {
        let memory = SessionMemory()
        let calls = memory.functions
        let blocks = try (0..<8).map { _ in try #require(calls.malloc(size, calls.mem_user_data)) }
        for (number, block) in blocks.enumerated() {
            #expect(Int(bitPattern: block) % 16 == 0)
            memset(block, Int32(number), size)
        }
        for (number, block) in blocks.enumerated() {
            #expect(UnsafeRawBufferPointer(start: block, count: size).allSatisfy { $0 == UInt8(number) })
            calls.free(block, calls.mem_user_data)
        }
    }

    @Test("A block that is made longer or shorter keeps what it holds")
    func resizedBlocksKeepTheirBytes() throws {
        let memory = SessionMemory()
        let calls = memory.functions
        var block = try #require(calls.realloc(nil, 10, calls.mem_user_data))
        for index in 0..<10 { block.storeBytes(of: UInt8(index), toByteOffset: index, as: UInt8.self) }
        for size in [64, 65, 900, 5_000, 100_000, 10] {
            block = try #require(calls.realloc(block, size, calls.mem_user_data))
            #expect(UnsafeRawBufferPointer(start: block, count: 10).elementsEqual(0..<10))
        }
        calls.free(block, calls.mem_user_data)
    }

    @Test("A block asked for as zeros is zeros, also when it was used before; more than there is is refused")
    func zeroedBlocks() throws {
        let memory = SessionMemory()
        let calls = memory.functions
        let used = try #require(calls.malloc(200, calls.mem_user_data))
        memset(used, 0xFF, 200)
        calls.free(used, calls.mem_user_data)
        let zeroed = try #require(calls.calloc(25, 8, calls.mem_user_data))
        #expect(zeroed == used)
        #expect(UnsafeRawBufferPointer(start: zeroed, count: 200).allSatisfy { $0 == 0 })
        #expect(calls.calloc(Int.max / 2, 4, calls.mem_user_data) == nil)
        calls.free(zeroed, calls.mem_user_data)
    }

    @Test("No more is kept than the bound, however much is given back")
    func keptMemoryIsBounded() throws {
        let memory = SessionMemory()
        let calls = memory.functions
        let count = 2 * SessionMemory.mostKept / 640
        let blocks = try (0..<count).map { _ in try #require(calls.malloc(640, calls.mem_user_data)) }
        for block in blocks { calls.free(block, calls.mem_user_data) }
        #expect(memory.kept <= SessionMemory.mostKept)
        #expect(memory.kept > SessionMemory.mostKept - 640)
    }
}
