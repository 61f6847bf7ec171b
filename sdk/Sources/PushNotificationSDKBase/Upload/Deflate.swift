/// DEFLATE (RFC 1951) in one block with the fixed codes of section 3.2.6.
enum Deflate {
    /// How far back a reference reaches, and how long it is at the most: section 2.
    private static let window = 32_768
    private static let longest = 258
    private static let shortest = 3
    /// How many earlier places are tried. JSON of equal shape finds a long one among the first.
    private static let tries = 16
    private static let hashBits = 15

    static func pack(_ input: [UInt8]) -> [UInt8] {
        var out = BitWriter()
        out.reserve(input.count / 4 + 64)
        // The last block, with fixed codes.
        out.write(0b011, bits: 3)
        var search = Search(input)
        var position = 0
        while position < input.count {
            let match = search.longestMatch(at: position)
            if match.length >= shortest {
                out.write(length: match.length)
                out.write(distance: match.distance)
            } else {
                out.write(symbol: Int(input[position]))
            }
            let end = position + max(1, match.length)
            while position < end {
                search.remember(position)
                position += 1
            }
        }
        out.write(symbol: 256)
        return out.finish()
    }

    /// Where three bytes were seen before.
    private struct Search {
        private let input: [UInt8]
        private var newest = [Int32](repeating: -1, count: 1 << hashBits)
        private var older: [Int32]

        init(_ input: [UInt8]) {
            self.input = input
            older = [Int32](repeating: -1, count: input.count)
        }

        /// The longest earlier run of what stands here; a length of 0 when there is none worth a reference.
        func longestMatch(at position: Int) -> (length: Int, distance: Int) {
            var best = (length: 0, distance: 0)
            guard position + shortest <= input.count else { return best }
            let most = min(longest, input.count - position)
            var candidate = Int(newest[hash(at: position)])
            for _ in 0..<tries where candidate >= 0 && position - candidate <= window {
                var length = 0
                while length < most, input[candidate + length] == input[position + length] { length += 1 }
                if length > best.length { best = (length, position - candidate) }
                if best.length == most { break }
                candidate = Int(older[candidate])
            }
            return best.length >= shortest ? best : (0, 0)
        }

        mutating func remember(_ position: Int) {
            guard position + shortest <= input.count else { return }
            let slot = hash(at: position)
            older[position] = newest[slot]
            newest[slot] = Int32(position)
        }

        private func hash(at position: Int) -> Int {
            let three = UInt32(input[position]) << 16 | UInt32(input[position + 1]) << 8 | UInt32(input[position + 2])
            return Int((three &* 0x9E37_79B1) >> UInt32(32 - hashBits))
        }
    }
}

/// Bits from the lowest of each byte upwards, as RFC 1951, section 3.1.1, packs them.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var waiting: UInt64 = 0
    private var count = 0

    mutating func reserve(_ capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func write(_ value: Int, bits: Int) {
        waiting |= UInt64(value) << UInt64(count)
        count += bits
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: waiting))
            waiting >>= 8
            count -= 8
        }
    }

    /// A literal (0 to 255), the end (256) or a length code (257 to 285): the table of section 3.2.6.
    mutating func write(symbol: Int) {
        switch symbol {
        case ..<144: write(code: 0x30 + symbol, bits: 8)
        case ..<256: write(code: 0x190 + symbol - 144, bits: 9)
        case ..<280: write(code: symbol - 256, bits: 7)
        default: write(code: 0xC0 + symbol - 280, bits: 8)
        }
    }

    mutating func write(length: Int) {
        let index = Self.lengths.lastIndex { $0.base <= length } ?? 0
        write(symbol: 257 + index)
        write(length - Self.lengths[index].base, bits: Self.lengths[index].extra)
    }

    mutating func write(distance: Int) {
        let index = Self.distances.lastIndex { $0.base <= distance } ?? 0
        write(code: index, bits: 5)
        write(distance - Self.distances[index].base, bits: Self.distances[index].extra)
    }

    mutating func finish() -> [UInt8] {
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: waiting)) }
        return bytes
    }

    /// A Huffman code goes from its highest bit downwards.
    private mutating func write(code: Int, bits: Int) {
        var code = code
        var turned = 0
        for _ in 0..<bits {
            turned = turned << 1 | code & 1
            code >>= 1
        }
        write(turned, bits: bits)
    }

    /// Lengths from 3 on: 8 codes without extra bits, then 4 with each number of extra bits, and 258 with its own.
    private static let lengths: [(base: Int, extra: Int)] = {
        var table: [(base: Int, extra: Int)] = (3...10).map { ($0, 0) }
        var base = 11
        for extra in 1...5 {
            for _ in 0..<4 {
                table.append((base, extra))
                base += 1 << extra
            }
        }
        table.append((258, 0))
        return table
    }()

    /// Distances from 1 on: 4 codes without extra bits, then 2 with each number of extra bits.
    private static let distances: [(base: Int, extra: Int)] = {
        var table: [(base: Int, extra: Int)] = (1...4).map { ($0, 0) }
        var base = 5
        for extra in 1...13 {
            for _ in 0..<2 {
                table.append((base, extra))
                base += 1 << extra
            }
        }
        return table
    }()
}
