import NIOCore

@testable import MartletTransport

/// Feeds a connection with what a server might send (RFC 9113): either raw bytes, or frames whose lengths are right and
/// between which our own side acts too.
enum FramesTarget {
    static func run(_ input: FuzzInput) -> Bool {
        var input = input
        guard let mode = input.byte(), let size = input.byte() else { return false }
        let connection = FuzzedConnection(FuzzedConnection.Options(rawValue: mode))
        connection.send(Int(size & 15) + 1)
        if mode & 1 == 0 {
            var script = PeerScript(input)
            connection.receive(PeerScript.frame(type: 4, flags: 0, stream: 0, payload: []))
            while connection.isOpen, script.step(connection) {}
        } else {
            while connection.isOpen, !input.rest.isEmpty { connection.receive(input.take(Int(size >> 4) * 4 + 1)) }
        }
        connection.finish()
        return true
    }
}

/// A server's frames and what happens between them, made of the fuzzer's bytes.
struct PeerScript {
    private var input: FuzzInput
    /// Frames that arrive together with the next one.
    private var held: [UInt8] = []

    init(_ input: FuzzInput) { self.input = input }

    /// Does the next step; false when there is none.
    mutating func step(_ connection: FuzzedConnection) -> Bool {
        guard let step = input.byte() else { return false }
        switch step {
        case 0xF0: connection.send(Int(input.byte() ?? 0) % 16 + 1)
        case 0xF1: connection.cancel(Int(input.byte() ?? 0))
        case 0xF2: connection.withdraw(Int(input.byte() ?? 0))
        case 0xF3: connection.drain()
        case 0xF4: connection.passTime()
        case 0xF5: connection.setWritable(false)
        case 0xF6: connection.setWritable(true)
        case 0xF7: connection.fail()
        default: frame(step, connection)
        }
        return true
    }

    /// A frame: the step's low bits are its type; its flags, stream, length and payload follow.
    private mutating func frame(_ step: UInt8, _ connection: FuzzedConnection) {
        guard let flags = input.byte(), let stream = input.byte(), let length = input.byte() else { return }
        held += PeerScript.frame(type: step & 15, flags: flags, stream: stream, payload: input.take(Int(length)))
        if step & 0x10 != 0 { return }
        let first = step & 0x20 == 0 ? held.count : held.count / 2
        connection.receive(Array(held[..<first]))
        if first < held.count { connection.receive(Array(held[first...])) }
        held = []
    }

    /// A frame's bytes (RFC 9113, section 4.1).
    static func frame(type: UInt8, flags: UInt8, stream: UInt8, payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), type, flags, 0, 0, 0, stream] + payload
    }
}
