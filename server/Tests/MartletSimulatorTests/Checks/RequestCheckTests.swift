import MartletTransport
import NIOCore
import Testing

@testable import MartletSimulator

@Suite("Checks of the request")
struct RequestCheckTests {
    @Test("each fault is refused with its status and reason", arguments: path + headers + payload)
    func refuses(row: CheckCase) throws {
        #expect(try row.result() == row.answer)
    }

    static let path: [CheckCase] = [
        CheckCase("a good push", "200") { _ in },
        CheckCase("GET", "405 MethodNotAllowed") { $0.request.method = "GET" },
        CheckCase("PUT to a bad path is first a bad method", "405 MethodNotAllowed") {
            $0.request.method = "PUT"
            $0.request.path = "/"
        },
        CheckCase("another path", "404 BadPath") { $0.request.path = "/4/device/\(Account.device)" },
        CheckCase("a longer name", "404 BadPath") { $0.request.path = "/3/devices/\(Account.device)" },
        CheckCase("a part too many", "404 BadPath") { $0.request.path += "/x" },
        CheckCase("no token", "400 MissingDeviceToken") { $0.request.path = "/3/device/" },
        CheckCase("no token and no slash", "400 MissingDeviceToken") { $0.request.path = "/3/device" },
        CheckCase("a token of odd length", "400 BadDeviceToken") { $0.request.path += "a" },
        CheckCase("a token that is not hexadecimal", "400 BadDeviceToken") {
            $0.request.path = "/3/device/" + String(repeating: "g", count: 64)
        },
        CheckCase("31 bytes", "400 BadDeviceToken") {
            $0.request.path = "/3/device/" + String(repeating: "ab", count: 31)
        },
        CheckCase("100 bytes", "200") { $0.request.path = "/3/device/" + String(repeating: "ab", count: 100) },
        CheckCase("101 bytes", "400 BadDeviceToken") {
            $0.request.path = "/3/device/" + String(repeating: "ab", count: 101)
        },
        CheckCase("upper case", "200") { $0.request.path = $0.request.path.replacing("a", with: "A") },
        CheckCase("a header twice", "400 DuplicateHeaders") { $0.request.repeatedHeader = "apns-topic" },
        CheckCase("a header twice without a credential", "400 DuplicateHeaders") {
            $0.request.repeatedHeader = "apns-topic"
            $0.request.authorization = nil
        },
    ]

    static let headers: [CheckCase] = [
        CheckCase("no priority", "200") { $0.request.priority = nil },
        CheckCase("priority 10", "200") { $0.request.priority = "10" },
        CheckCase("priority 1", "200") { $0.request.priority = "1" },
        CheckCase("priority 7", "400 BadPriority") { $0.request.priority = "7" },
        CheckCase("priority high", "400 BadPriority") { $0.request.priority = "high" },
        CheckCase("priority empty", "400 BadPriority") { $0.request.priority = "" },
        CheckCase("expiration 0", "200") { $0.request.expiration = "0" },
        CheckCase("expiration in seconds", "200") { $0.request.expiration = "1700003600" },
        CheckCase("expiration in milliseconds", "400 BadExpirationDate") { $0.request.expiration = "1700003600000" },
        CheckCase("expiration negative", "400 BadExpirationDate") { $0.request.expiration = "-1" },
        CheckCase("expiration a date", "400 BadExpirationDate") { $0.request.expiration = "tomorrow" },
        CheckCase("collapse id of 64 bytes", "200") { $0.request.collapseID = String(repeating: "x", count: 64) },
        CheckCase("collapse id of 65 bytes", "400 BadCollapseId") {
            $0.request.collapseID = String(repeating: "x", count: 65)
        },
        CheckCase("collapse id of 33 characters in 66 bytes", "400 BadCollapseId") {
            $0.request.collapseID = String(repeating: "é", count: 33)
        },
        CheckCase("id a UUID", "200") { $0.request.id = "eabeae54-14a8-11e5-b60b-1697f925ec7b" },
        CheckCase("id a UUID in upper case", "200") { $0.request.id = "EABEAE54-14A8-11E5-B60B-1697F925EC7B" },
        CheckCase("id without hyphens", "400 BadMessageId") { $0.request.id = "eabeae5414a811e5b60b1697f925ec7b" },
        CheckCase("id with a stray letter", "400 BadMessageId") {
            $0.request.id = "eabeae54-14a8-11e5-b60b-1697f925ec7g"
        },
        CheckCase("id 1", "400 BadMessageId") { $0.request.id = "1" },
    ]

    static let payload: [CheckCase] = [
        CheckCase("nothing", "400 PayloadEmpty") { $0.request.payload = PayloadSummary(size: 0, isObject: false) },
        CheckCase("no JSON", "400 PayloadEmpty") { $0.request.payload = PayloadSummary(size: 9, isObject: false) },
        CheckCase("4,096 bytes", "200") { $0.request.payload.size = 4_096 },
        CheckCase("4,097 bytes", "413 PayloadTooLarge") { $0.request.payload.size = 4_097 },
        CheckCase("4,097 bytes of no JSON", "413 PayloadTooLarge") {
            $0.request.payload = PayloadSummary(size: 4_097, isObject: false)
        },
        CheckCase("5,120 bytes by voip", "200") {
            $0.request.payload.size = 5_120
            $0.request.topic? += ".voip"
            $0.request.pushType = "voip"
        },
        CheckCase("5,121 bytes by voip", "413 PayloadTooLarge") {
            $0.request.payload.size = 5_121
            $0.request.topic? += ".voip"
            $0.request.pushType = "voip"
        },
    ]

    @Test("headers are read once, a repeated one is noted, cookies may be split")
    func readsHeaders() {
        let request = APNsRequest(
            HTTP2ServerRequest(
                method: "POST",
                path: "/3/device/x",
                headers: [
                    HTTP2Header("apns-topic", "a.b"), HTTP2Header("cookie", "a"), HTTP2Header("cookie", "b"),
                    HTTP2Header("accept", "*/*"), HTTP2Header("apns-priority", "5"),
                ],
                body: ByteBuffer(string: #"{"aps":{}}"#)
            )
        )
        #expect(request.topic == "a.b")
        #expect(request.priority == "5")
        #expect(request.repeatedHeader == nil)
        #expect(request.payload == PayloadSummary(size: 10, isObject: true))
    }

    @Test("a repeated header is noted", arguments: ["apns-id", "apns-topic", "authorization", "accept", "x-own"])
    func notesRepetition(name: String) {
        let request = APNsRequest(
            HTTP2ServerRequest(
                method: "POST",
                path: "/",
                headers: [HTTP2Header(name, "a"), HTTP2Header(name, "b")],
                body: ByteBuffer()
            )
        )
        #expect(request.repeatedHeader == name)
    }

    @Test("a truncated body is never a JSON object")
    func truncatedIsNoObject() {
        let request = APNsRequest(
            HTTP2ServerRequest(
                method: "POST",
                path: "/",
                headers: [],
                body: ByteBuffer(string: "{}"),
                isBodyTruncated: true
            )
        )
        #expect(!request.payload.isObject)
    }
}
