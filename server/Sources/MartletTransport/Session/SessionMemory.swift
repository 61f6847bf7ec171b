internal import CNghttp2
import Foundation

/// The memory of one `nghttp2_session`: blocks given back are kept for the next request of the same connection.
///
/// The library allocates half a dozen blocks for each stream and gives them back when it ends. With hundreds of streams
/// open at once the C library's own cache for a thread (seven blocks of a size) is too small for that, and an eighth of
/// what a push cost was spent there. Used on one event loop only; lives longer than the session.
struct SessionMemory: ~Copyable {
    /// Sizes are rounded up to a multiple of it, in bytes.
    static let step = 64
    /// Blocks larger than 15 steps are not kept: those of a stream are below 700 bytes.
    static let classes = 16
    /// How much is kept, in bytes: what 1,000 streams use, the most that APNs grants a connection.
    static let mostKept = 1 << 20
    /// What precedes a block: its class and its size. Blocks stay aligned as `malloc` aligns them.
    private static let headerSize = 16

    private struct Header {
        /// The steps of a block that may be kept; 0 for a larger one.
        var index: Int
        var size: Int
    }

    private struct Lists {
        var kept = 0
        /// The first free block of each class; each holds the address of the next one.
        var first: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    }

    private let lists: UnsafeMutablePointer<Lists>

    init() {
        let first = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Self.classes)
        first.initialize(repeating: nil, count: Self.classes)
        self.lists = .allocate(capacity: 1)
        self.lists.initialize(to: Lists(first: first))
    }

    deinit {
        for index in 0..<Self.classes {
            while let block = Self.takeKept(index, from: self.lists) { free(block - Self.headerSize) }
        }
        self.lists.pointee.first.deallocate()
        self.lists.deallocate()
    }

    /// How many bytes are kept for later.
    var kept: Int { self.lists.pointee.kept }

    /// What the library calls; valid as long as this value.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: self.lists,
            malloc: { size, lists in SessionMemory.allocate(size, SessionMemory.lists(lists)) },
            free: { block, lists in SessionMemory.giveBack(block, SessionMemory.lists(lists)) },
            calloc: { count, size, lists in
                let (total, isTooLarge) = count.multipliedReportingOverflow(by: size)
                guard !isTooLarge, let block = SessionMemory.allocate(total, SessionMemory.lists(lists)) else {
                    return nil
                }
                return memset(block, 0, total)
            },
            realloc: { block, size, lists in SessionMemory.resize(block, size, SessionMemory.lists(lists)) }
        )
    }

    private static func lists(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Lists> {
        pointer.unsafelyUnwrapped.assumingMemoryBound(to: Lists.self)
    }

    private static func header(_ block: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
        (block - self.headerSize).assumingMemoryBound(to: Header.self)
    }

    private static func takeKept(_ index: Int, from lists: UnsafeMutablePointer<Lists>) -> UnsafeMutableRawPointer? {
        guard let block = lists.pointee.first[index] else { return nil }
        lists.pointee.first[index] = block.load(as: UnsafeMutableRawPointer?.self)
        lists.pointee.kept -= index * self.step
        return block
    }

    private static func allocate(_ size: Int, _ lists: UnsafeMutablePointer<Lists>) -> UnsafeMutableRawPointer? {
        let steps = max(1, (size + self.step - 1) / self.step)
        let index = steps < self.classes ? steps : 0
        if index > 0, let block = self.takeKept(index, from: lists) {
            self.header(block).pointee.size = size
            return block
        }
        guard let start = malloc(self.headerSize + (index > 0 ? index * self.step : size)) else { return nil }
        start.initializeMemory(as: Header.self, to: Header(index: index, size: size))
        return start + self.headerSize
    }

    private static func giveBack(_ block: UnsafeMutableRawPointer?, _ lists: UnsafeMutablePointer<Lists>) {
        guard let block else { return }
        let index = self.header(block).pointee.index
        let size = index * self.step
        guard index > 0, lists.pointee.kept + size <= self.mostKept else { return free(block - self.headerSize) }
        block.storeBytes(of: lists.pointee.first[index], as: UnsafeMutableRawPointer?.self)
        lists.pointee.first[index] = block
        lists.pointee.kept += size
    }

    private static func resize(
        _ block: UnsafeMutableRawPointer?,
        _ size: Int,
        _ lists: UnsafeMutablePointer<Lists>
    ) -> UnsafeMutableRawPointer? {
        guard let block else { return self.allocate(size, lists) }
        let old = self.header(block).pointee
        if old.index > 0, size <= old.index * self.step {
            self.header(block).pointee.size = size
            return block
        }
        guard let larger = self.allocate(size, lists) else { return nil }
        memcpy(larger, block, min(old.size, size))
        self.giveBack(block, lists)
        return larger
    }
}
