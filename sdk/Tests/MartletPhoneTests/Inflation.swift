import Foundation

/// Unpacks what the SDK packs, without another program: gzip (RFC 1952) around one block with the fixed codes (RFC 1951,
/// section 3.2.6). Whether that is what other programs read is tested elsewhere.
enum Inflation {
    /// `nil` for anything else.
    static func unpack(_ packed: Data) -> Data? {
        // The header without options has 10 bytes, the checksum and the length behind the block have 8.
        guard packed.count > 18, packed.prefix(4) == Data([0x1F, 0x8B, 8, 0]) else { return nil }
        var input = BitReader(Array(packed.dropFirst(10).dropLast(8)))
        guard input.read(3) == 0b011 else { return nil }
        var output: [UInt8] = []
        while true {
            let symbol = input.readSymbol()
            switch symbol {
            case ..<256: output.append(UInt8(symbol))
            case 256: return input.isOver ? nil : Data(output)
            default:
                let length = input.readLength(symbol)
                let distance = input.readDistance()
                guard !input.isOver, distance <= output.count else { return nil }
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
            if input.isOver { return nil }
        }
    }
}

private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether more was read than there is.
    var isOver: Bool { position > bytes.count * 8 }

    mutating func read(_ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | readBit() << $1 }
    }

    private mutating func readBit() -> Int {
        defer { position += 1 }
        return position < bytes.count * 8 ? Int(bytes[position >> 3] >> UInt8(position & 7) & 1) : 0
    }

    /// A Huffman code comes with its highest bit first.
    private mutating func readCode(_ count: Int, after code: Int = 0) -> Int {
        (0..<count).reduce(code) { code, _ in code << 1 | readBit() }
    }

    mutating func readSymbol() -> Int {
        let seven = readCode(7)
        if seven < 0b0011000 { return 256 + seven }
        let eight = readCode(1, after: seven)
        if eight < 0b11000000 { return eight - 0b00110000 }
        if eight < 0b11001000 { return 280 + eight - 0b11000000 }
        return 144 + readCode(1, after: eight) - 0b110010000
    }

    mutating func readLength(_ symbol: Int) -> Int {
        guard symbol < 285 else { return 258 }
        let code = symbol - 257
        guard code >= 8 else { return 3 + code }
        let extra = code / 4 - 1
        return 3 + (4 + code % 4) << extra + read(extra)
    }

    mutating func readDistance() -> Int {
        let code = readCode(5)
        guard code >= 4 else { return 1 + code }
        let extra = code / 2 - 1
        return 1 + (2 + code % 2) << extra + read(extra)
    }
}
