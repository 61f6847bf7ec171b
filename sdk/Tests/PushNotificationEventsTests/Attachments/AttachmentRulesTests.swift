import Foundation
import PushNotificationSDKCore
import Testing

@Suite("What may be attached") struct AttachmentRulesTests {
    private func begun(_ mimeType: String? = "image/png", length: Int64? = nil) throws -> AttachmentRules {
        var rules = AttachmentRules()
        _ = try rules.answered(status: 200, mimeType: mimeType, length: length)
        return rules
    }

    @Test(
        "https addresses are fetched",
        arguments: ["https://cdn.example.com/a.png", "HTTPS://cdn.example.com:8443/a?b"]
    )
    func address(text: String) throws {
        #expect(try AttachmentRules.address(text) == URL(string: text))
    }

    @Test(
        "no other address is",
        arguments: [
            "", "http://cdn.example.com/a.png", "file:///etc/passwd", "data:image/png;base64,AA", "//cdn.example.com/a",
            "https://user@cdn.example.com/a", "https://u:p@cdn.example.com/a", "https://", "https:///a",
            "https://cdn.example.com/a b", "https://cdn.example.com/あ", "javascript:x",
            "https://cdn.example.com/" + String(repeating: "a", count: 2048),
        ]
    )
    func refusedAddress(text: String) {
        #expect(throws: AttachmentRefusal.address) { try AttachmentRules.address(text) }
    }

    @Test(
        "the type and its limit come from the MIME type",
        arguments: [
            ("image/jpeg", AttachmentKind.image, "jpg"), ("image/png; charset=binary", .image, "png"),
            ("IMAGE/GIF", .image, "gif"), ("audio/mpeg", .audio, "mp3"), ("audio/x-wav", .audio, "wav"),
            ("audio/aiff", .audio, "aiff"), ("audio/mp4", .audio, "m4a"), ("video/mp4", .movie, "mp4"),
            ("video/mpeg", .movie, "mpg"), ("video/x-msvideo", .movie, "avi"),
        ]
    )
    func types(mimeType: String, kind: AttachmentKind, fileExtension: String) throws {
        let type = try #require(AttachmentType(mimeType: mimeType))
        #expect(type.kind == kind)
        #expect(type.fileExtension == fileExtension)
    }

    @Test(
        "other types are refused",
        arguments: ["text/html", "image/webp", "image/svg+xml", "image", "application/json"]
    )
    func refusedTypes(mimeType: String) {
        var rules = AttachmentRules()
        // The server is believed, whatever the address ends with.
        rules.began(URL(fileURLWithPath: "/image.png"))
        #expect(throws: AttachmentRefusal.type(mimeType)) {
            try rules.answered(status: 200, mimeType: mimeType, length: nil)
        }
    }

    @Test(
        "where the server says nothing of the type, the address's ending tells it",
        arguments: [nil, "", ";", "application/octet-stream", "binary/octet-stream; charset=binary"],
        [
            ("a.png", "png"), ("a.JPEG", "jpg"), ("a.gif", "gif"), ("a.aif", "aiff"), ("a.wav", "wav"),
            ("a.mp3", "mp3"), ("a.m4a", "m4a"), ("a.mpeg", "mpg"), ("a.mp4", "mp4"), ("a.avi", "avi"),
        ]
    )
    func endings(mimeType: String?, file: (String, String)) throws {
        var rules = AttachmentRules()
        rules.began(try #require(URL(string: "https://cdn.example.com/\(file.0)?v=1")))
        let type = try rules.answered(status: 200, mimeType: mimeType, length: nil)
        #expect(type?.fileExtension == file.1)
    }

    static let signatures: [(String, [UInt8])] = [
        ("jpg", [0xFF, 0xD8, 0xFF, 0xE0]), ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ("gif", Array("GIF89a".utf8)), ("wav", Array("RIFF0000WAVE".utf8)), ("avi", Array("RIFF0000AVI ".utf8)),
        ("aiff", Array("FORM0000AIFC".utf8)), ("m4a", Array("0000ftypM4A ".utf8)),
        ("mp4", Array("0000ftypisom".utf8)), ("mpg", [0, 0, 1, 0xBA]), ("m2v", [0, 0, 1, 0xB3]),
        ("mp3", Array("ID3".utf8)), ("mp3", [0xFF, 0xFB]),
    ]

    @Test("where the address tells nothing either, the first bytes do", arguments: signatures)
    func heads(ending: String, bytes: [UInt8]) throws {
        var rules = AttachmentRules()
        rules.began(try #require(URL(string: "https://cdn.example.com/image")))
        #expect(try rules.answered(status: 200, mimeType: nil, length: nil) == nil)
        let head = Data(bytes) + Data(count: 12)
        #expect(try rules.began(with: head.prefix(11)) == nil)
        #expect(try rules.began(with: head)?.fileExtension == ending)
    }

    @Test(
        "first bytes that tell nothing, or of what no notification shows, are refused",
        arguments: ["<html><body>x", "0000ftypheic", "RIFF0000WEBP", "0000ftypavif", "            "]
    )
    func refusedHeads(text: String) throws {
        var rules = AttachmentRules()
        _ = try rules.answered(status: 200, mimeType: "application/octet-stream", length: nil)
        #expect(throws: AttachmentRefusal.type("application/octet-stream")) {
            try rules.began(with: Data(text.utf8))
        }
    }

    @Test("a file whose type its first bytes tell has its kind's limit") func sniffedLimit() throws {
        var rules = AttachmentRules()
        _ = try rules.answered(status: 200, mimeType: nil, length: 11 << 20)
        let head = Data([0xFF, 0xD8, 0xFF]) + Data(count: 12)
        #expect(throws: AttachmentRefusal.tooLarge(.image)) { try rules.began(with: head) }
    }

    @Test("only 200 is an answer", arguments: [0, 204, 206, 302, 404, 500]) func status(status: Int) {
        var rules = AttachmentRules()
        #expect(throws: AttachmentRefusal.status(status)) {
            try rules.answered(status: status, mimeType: "image/png", length: nil)
        }
    }

    @Test("Apple's limits: image 10 MB, audio 5 MB, movie 50 MB") func limits() {
        #expect(AttachmentKind.allCases.map { $0.limit >> 20 } == [10, 5, 50])
    }

    @Test("a file that says it is too large is refused before it is fetched", arguments: AttachmentKind.allCases)
    func announced(kind: AttachmentKind) throws {
        let mimeType = ["image": "image/png", "audio": "audio/mpeg", "movie": "video/mp4"][kind.rawValue]
        #expect(throws: Never.self) { try begun(mimeType, length: kind.limit) }
        #expect(throws: AttachmentRefusal.tooLarge(kind)) { try begun(mimeType, length: kind.limit + 1) }
    }

    @Test("a file that says nothing is refused when it becomes too large") func endless() throws {
        var rules = try begun("audio/mpeg", length: -1)
        for _ in 0..<5 { try rules.received(bytes: 1 << 20) }
        #expect(throws: AttachmentRefusal.tooLarge(.audio)) { try rules.received(bytes: 1) }
    }

    @Test("a file that lied about its length is refused too") func lied() throws {
        var rules = try begun(length: 10)
        try rules.received(bytes: 10 << 20)
        #expect(throws: AttachmentRefusal.tooLarge(.image)) { try rules.received(bytes: 1) }
    }

    @Test("an empty or a cut off file is none") func incomplete() throws {
        #expect(throws: AttachmentRefusal.incomplete) { try begun().finished() }
        var rules = try begun(length: 10)
        try rules.received(bytes: 9)
        #expect(throws: AttachmentRefusal.incomplete) { try rules.finished() }
        try rules.received(bytes: 1)
        #expect(throws: Never.self) { try rules.finished() }
        #expect(throws: AttachmentRefusal.incomplete) { try AttachmentRules().finished() }
    }

    @Test("a redirect to https is followed, to anything else it is not") func redirects() throws {
        var rules = AttachmentRules()
        try rules.redirected(to: URL(string: "https://other.example.com/a"))
        for text in ["http://cdn.example.com/a", "ftp://cdn.example.com/a", "https://u@cdn.example.com/a"] {
            var rules = rules
            #expect(throws: AttachmentRefusal.redirect) { try rules.redirected(to: URL(string: text)) }
        }
        #expect(throws: AttachmentRefusal.redirect) { try rules.redirected(to: nil) }
    }

    @Test("the sixth redirect is one too many") func redirectLoop() throws {
        var rules = AttachmentRules()
        for _ in 0..<5 { try rules.redirected(to: URL(string: "https://cdn.example.com/a")) }
        let address = URL(string: "https://cdn.example.com/a")
        #expect(throws: AttachmentRefusal.redirect) { try rules.redirected(to: address) }
    }

    @Test("image, movie and sound are tried in this order, under either name of the image") func addresses() {
        let all = Sample.notification("m", custom: ["audio_url": "a", "video_url": "v", "image_url": "i"])
        #expect(all.payload.attachmentAddresses == ["i", "v", "a"])
        #expect(Sample.notification("m", custom: ["fcm_options": ["image": "f"]]).payload.attachmentAddresses == ["f"])
        #expect(
            Sample.notification("m", custom: ["image_url": ["x"], "video_url": 7]).payload.attachmentAddresses.isEmpty
        )
    }

    @Test("a reason never holds what the server said at length") func reasons() {
        let reason = AttachmentRefusal.type(String(repeating: "x", count: 10_000)).reason
        #expect(reason.count < 200)
    }
}
