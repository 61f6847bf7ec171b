import PushNotificationSDKCore
import Testing

@testable import PushNotificationSDKC

@Suite("A string as C hands it in")
struct ForeignTextTests {
    @Test("UTF-8 is read up to the zero byte")
    func readsUTF8() throws {
        #expect(try read([0xE3, 0x83, 0x9C, 0x21, 0, 0x41]) == "ボ!")
        #expect(try read([0]) == "")
    }

    @Test(
        "what is not UTF-8 is refused, and not shown",
        arguments: [
            [0xFF, 0], [0x41, 0xC3, 0x28, 0], [0xED, 0xA0, 0x80, 0], [0xC0, 0x80, 0], [0xF4, 0x90, 0x80, 0x80, 0],
            [0x41, 0xE3, 0x83, 0],
        ] as [[UInt8]]
    )
    func refusesOtherBytes(bytes: [UInt8]) {
        let error = #expect(throws: PushNotificationError.self) { try read(bytes) }
        #expect(error == .invalidConfiguration("apiKey is not UTF-8 text without a zero in it"))
    }

    @Test("NULL is no text where one may be left out, and missing where it may not")
    func readsNothing() throws {
        #expect(try ForeignText(nil, named: "playerAccountId").optional() == nil)
        #expect(throws: PushNotificationError.invalidConfiguration("apiKey is missing")) {
            try ForeignText(nil, named: "apiKey").required()
        }
    }

    private func read(_ bytes: [UInt8]) throws -> String {
        try bytes.withUnsafeBufferPointer { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { try ForeignText($0.baseAddress, named: "apiKey").required() }
        }
    }
}
