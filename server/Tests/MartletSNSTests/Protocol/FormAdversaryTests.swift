import MartletTesting
import Testing

@testable import MartletCore
@testable import MartletSNS

@Suite("A form of somebody who means ill")
struct FormAdversaryTests {
    @Test("with a message beyond SNS's limit, every byte escaped, is read")
    func longMessage() throws {
        let body = "Action=Publish&Message=" + String(repeating: "%41", count: 262_145)
        #expect(try form(body).string("Message")?.utf8.count == 262_145)
    }

    @Test("of a mebibyte is read, and of a byte more is refused")
    func limit() throws {
        let head = "Action=Publish&Message="
        let body = head + String(repeating: "m", count: FormParser.mostBytes - head.utf8.count)
        #expect(try form(body).action() == .publish)
        let refusal = try refusal { _ = try form(body, query: "a") }
        #expect(refusal?.code == .requestEntityTooLarge && refusal?.code.status == 413)
    }

    @Test("with nothing but separators is empty")
    func separators() throws {
        #expect(try form(String(repeating: "&", count: FormParser.mostBytes)).node.members.isEmpty)
        #expect(try form("=&=1&=&=x").node.members.isEmpty)
    }

    @Test("has 2,000 parameters and no more")
    func count() throws {
        func body(_ count: Int) -> String { (0..<count).map { "P.member.\($0)=x" }.joined(separator: "&") }
        #expect(try form(body(2_000)).strings("P").count == 2_000)
        #expect(try refusal { _ = try form(body(2_001)) }?.code == .malformedInput)
    }

    @Test("with deep names is refused", arguments: [9, 100, 500_000])
    func depth(parts: Int) throws {
        let name = Array(repeating: "a", count: parts).joined(separator: ".")
        #expect(try refusal { _ = try form("\(name)=1") }?.code == .malformedInput)
    }

    @Test("with names that are not ASCII has none of ours, though Unicode takes some for the same")
    func kelvin() throws {
        // U+212A, the sign of the kelvin, is canonically equivalent to K.
        #expect(try form("TagKeys.member.1=a&Tag%E2%84%AAeys.member.1=b").strings("TagKeys") == ["a"])
    }

    @Test("does not fill an answer with its own words")
    func echo() throws {
        let name = String(repeating: "n", count: 400_000)
        let refusals = try [
            refusal { _ = try form("\(name)=1&\(name)=1") },
            refusal { _ = try form("Action=\(name)&Version=\(name)").action() },
            refusal { _ = try form("M.entry.1.key=\(name)").map("M") },
            // One character, whatever its length.
            refusal { _ = try form("M.entry.1.key=e\(String(repeating: "\u{301}", count: 200_000))").map("M") },
        ]
        for refusal in refusals { #expect(refusal.map { $0.message.utf8.count < 2_000 } == true) }
    }

    @Test("of random bytes is read or refused, and what was read can be listed")
    func random() throws {
        var random = SeededRandom(seed: 7)
        let words = [
            "Action", "Tags", "Attributes", ".member.", ".entry.", ".", "1", "2", "0", "key", "value", "=", "&", "%",
            "+", "41", "%C3", "%A9", "%00", "\n",
        ]
        var read = 0
        for _ in 0..<20_000 {
            var body = (0..<Int.random(in: 0..<24, using: &random)).flatMap { _ in Array(random.pick(words).utf8) }
            if Int.random(in: 0..<4, using: &random) == 0 { body += random.bytes(4, of: [0x3D, 0x26, 0x25]) }
            do throws(SNSError) {
                let form = try FormParameters(query: "", body: body)
                read += 1
                _ = try? form.action()
                _ = try? form.strings("Tags")
                _ = try? form.structures("Tags")
                _ = try? form.map("Attributes")
            } catch { #expect(error.code == .malformedInput) }
        }
        #expect(read > 1_000)
    }

    @Test(
        "cannot put a line break or another control character into a header field",
        arguments: [
            "a\r\nx: y", "a\n", "\r", "a\u{0}", "\u{7F}", "é", " a", "a ", "a\tb",
        ]
    )
    func headerInjection(text: String) throws {
        #expect(!HeaderText.isSafe(text))
        #expect(
            try refusal { try HeaderText.check(text, parameter: "AWS.SNS.MOBILE.APNS.TOPIC") }?.message
                == """
                Invalid parameter: AWS.SNS.MOBILE.APNS.TOPIC Reason: must contain only printable ASCII characters
                """
        )
    }

    @Test("may put anything visible into a header field")
    func headers() throws {
        try HeaderText.check("com.example.app voip~!", parameter: "x")
        try HeaderText.check("", parameter: "x")
    }
}
