import Foundation
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("Packing as gzip") struct GzipTests {
    /// What the system's own program makes of packed bytes.
    private func unpacked(_ packed: Data) throws -> Data {
        let folder = Sample.folder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("in.gz")
        try packed.write(to: file)
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/bin/gzip")
        program.arguments = ["-dc", file.path]
        let pipe = Pipe()
        program.standardOutput = pipe
        try program.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        return bytes
    }

    @Test("the system's gzip reads back what was packed, whatever it is") func roundTrips() throws {
        var random = SeededRandom(7)
        var inputs: [Data] = [Data(), Data([0]), Data("abc".utf8), Data(repeating: 65, count: 100_000)]
        inputs.append(Data((0...255).map { UInt8($0) }))
        for length in [1, 2, 3, 4, 257, 258, 259, 32_768, 32_769, 70_000] {
            inputs.append(Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }))
            inputs.append(Data((0..<length).map { _ in UInt8.random(in: 97...99, using: &random) }))
        }
        // A run that is repeated at every distance that has a code of its own, and beyond the window.
        for distance in [1, 2, 4, 5, 8, 193, 4097, 24_577, 32_768, 32_769, 40_000] {
            let run = Data((0..<distance).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 7)) })
            inputs.append(run + run.prefix(300))
        }
        // Several packed texts behind one another are read as one: RFC 1952, section 2.2.
        let packed = inputs.map(Gzip.pack).reduce(Data(), +)
        #expect(try unpacked(packed) == inputs.reduce(Data(), +))
    }

    @Test("a batch of 500 events is packed to less than a tenth") func gain() throws {
        let requests = Sample.events(500).compactMap { EventRequest($0) }
        let body = try JSONEncoder().encode(EventsRequest(events: requests))
        let packed = Gzip.pack(body)
        #expect(packed.count * 10 < body.count)
        #expect(try unpacked(packed) == body)
    }

    @Test("the checksum is that of RFC 1952") func checksum() {
        // The check value of CRC-32 for "123456789".
        #expect(CRC32.checksum(of: Data("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.checksum(of: Data()) == 0)
    }
}
