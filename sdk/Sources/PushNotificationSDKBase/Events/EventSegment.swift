import Foundation

/// Some events that are stored under one key. An append rewrites one segment and no more.
struct EventSegment: Equatable {
    /// The most events of one segment: few enough to be rewritten for each append, many enough to have few keys.
    static let capacity = 24

    /// Segments are in the order of their numbers.
    let number: Int
    private(set) var events: [PushEvent] = []
    /// The bytes under the key: a line an event, its checksum in eight digits before it.
    private(set) var bytes = Data()
    /// How long each event's line is.
    private var lengths: [Int] = []

    init(number: Int) {
        self.number = number
    }

    /// Reads a segment; what is torn, changed or not an event is left out and counted.
    init(number: Int, bytes: Data, damaged: inout Int) {
        self.init(number: number)
        for line in Array(bytes).split(separator: UInt8(ascii: "\n")) {
            guard let event = Self.event(of: line) else {
                damaged += 1
                continue
            }
            if !events.contains(where: { $0.id == event.id }) { append(event) }
        }
    }

    var isFull: Bool { events.count >= Self.capacity }

    mutating func append(_ event: PushEvent) {
        let line = event.line
        let before = bytes.count
        bytes.append(contentsOf: Self.digits(of: CRC32.checksum(of: line)))
        bytes.append(UInt8(ascii: " "))
        bytes.append(line)
        bytes.append(UInt8(ascii: "\n"))
        events.append(event)
        lengths.append(bytes.count - before)
    }

    /// Takes events away. The lines that stay are copied as they are.
    mutating func remove(_ isGone: (PushEvent) -> Bool) {
        var rest = EventSegment(number: number)
        var start = bytes.startIndex
        for (event, length) in zip(events, lengths) {
            if !isGone(event) {
                rest.events.append(event)
                rest.lengths.append(length)
                rest.bytes.append(bytes[start..<start + length])
            }
            start += length
        }
        self = rest
    }

    private static func event(of line: ArraySlice<UInt8>) -> PushEvent? {
        guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " ") else { return nil }
        let text = line.dropFirst(9)
        guard Array(line.prefix(8)) == digits(of: CRC32.checksum(of: text)) else { return nil }
        return PushEvent(bytes: text)
    }

    private static func digits(of checksum: UInt32) -> [UInt8] {
        stride(from: 28, through: 0, by: -4).map { shift in
            let digit = UInt8(truncatingIfNeeded: checksum >> UInt32(shift)) & 15
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }
}
