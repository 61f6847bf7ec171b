import MartletCore
import Testing

@Suite struct MemberListTests {
    @Test("members come back as they were, by ascending endpoint")
    func roundTrip() {
        let members = [
            Member(endpoint: RowID(900), user: RowID(4)), Member(endpoint: RowID(3), user: nil),
            Member(endpoint: RowID(Int64.max), user: RowID(Int64.max)),
        ]
        let expected = members.sorted { $0.endpoint < $1.endpoint }
        #expect(MemberList.decode(MemberList.encode(members)) == expected)
        #expect(MemberList.decode([]) == [])
    }

    @Test("members are counted without being unpacked", arguments: [0, 1, 1_000])
    func counts(count: Int) {
        let members = (0..<count).map { number in
            Member(endpoint: RowID(Int64(number) * 99_991 + 1), user: number.isMultiple(of: 3) ? nil : RowID(Int64.max))
        }
        #expect(MemberList.encode(members).withUnsafeBufferPointer(MemberList.count) == count)
    }

    @Test("a thousand neighbours take about four bytes each")
    func isCompact() {
        let members = (1...1000).map { Member(endpoint: RowID(500_000 + Int64($0)), user: RowID(350_000 + Int64($0))) }
        #expect(MemberList.encode(members).count <= 4_100)
    }

    @Test(
        "bytes that were not made here are refused",
        arguments: [
            [0x80], [0x01], [0x01, 0x80],
            Array(repeating: UInt8(0xFF), count: 24),
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x00],
        ] as [[UInt8]]
    )
    func refusesGarbage(bytes: [UInt8]) {
        #expect(MemberList.decode(bytes) == nil)
    }
}
