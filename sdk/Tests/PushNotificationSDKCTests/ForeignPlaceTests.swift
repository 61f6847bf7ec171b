import Testing

@testable import PushNotificationSDKC

@Suite("Where C wants a text to be written")
struct ForeignPlaceTests {
    /// What stands in a place of 8 bytes after a text was written, and what was returned.
    private func write(_ text: String?, size: Int32) -> (bytes: [CChar], length: Int32) {
        var bytes = [CChar](repeating: 7, count: 8)
        let length = bytes.withUnsafeMutableBufferPointer { ForeignPlace($0.baseAddress, size: size).write(text) }
        return (bytes, length)
    }

    @Test("a text that fits is there with a zero byte, and nothing behind it is touched")
    func fits() {
        let (bytes, length) = write("abc", size: 4)
        #expect(bytes == [97, 98, 99, 0, 7, 7, 7, 7] && length == 3)
    }

    @Test("a text that does not fit leaves an empty one, and its length is returned", arguments: [1, 2, 3] as [Int32])
    func doesNotFit(size: Int32) {
        let (bytes, length) = write("abc", size: size)
        #expect(bytes == [0, 7, 7, 7, 7, 7, 7, 7] && length == 3)
    }

    @Test("no text is an empty one")
    func noText() {
        let (bytes, length) = write(nil, size: 8)
        #expect(bytes.first == 0 && bytes[1] == 7 && length == 0)
    }

    @Test("without room nothing is written", arguments: [0, -1, .min] as [Int32])
    func noRoom(size: Int32) {
        let (bytes, length) = write("abc", size: size)
        #expect(bytes == [CChar](repeating: 7, count: 8) && length == 3)
    }

    @Test("without a place only the length is returned")
    func noPlace() {
        #expect(ForeignPlace(nil, size: 8).write("日本") == 6)
    }
}
