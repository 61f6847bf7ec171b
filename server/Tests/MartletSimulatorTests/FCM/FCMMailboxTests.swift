import Testing

@testable import MartletSimulator

@Suite("What waits for an Android phone")
struct FCMMailboxTests {
    private static let now: Int64 = 1_800_000_000_000

    private func message(_ name: String, key: String? = nil, ttl: String? = nil) throws -> FCMMessage {
        let android = [key.map { #""collapse_key":"\#($0)""# }, ttl.map { #""ttl":"\#($0)""# }].compactMap { $0 }
        let text = #"{"data":{"n":"\#(name)"},"android":{\#(android.joined(separator: ","))}}"#
        return FCMMessage(name: name, time: Self.now, content: try #require(JSONTree(Array(text.utf8))))
    }

    private func names(_ items: [FCMMailbox.Item]) -> [String] { items.map(\.message.name) }

    @Test("a collapse key replaces what waits with it, and a fifth key the oldest")
    func collapses() throws {
        var mailbox = FCMMailbox()
        for (name, key) in [("1", "a"), ("2", "b"), ("3", "a"), ("4", "c"), ("5", "d"), ("6", "e")] {
            mailbox.put(try message(name, key: key), now: Self.now, isRead: false)
        }
        #expect(names(mailbox.take(after: 0, limit: 9, now: Self.now)) == ["3", "4", "5", "6"])
    }

    @Test("the hundred and first message without a key drops the others without one")
    func overflows() throws {
        var mailbox = FCMMailbox()
        mailbox.put(try message("key", key: "a"), now: Self.now, isRead: false)
        for number in 0...100 { mailbox.put(try message("\(number)"), now: Self.now, isRead: false) }
        #expect(names(mailbox.take(after: 0, limit: 9, now: Self.now)) == ["key", "100"])
        #expect(mailbox.overflows == 1)
    }

    @Test("a message is kept for its ttl, and one of 0 only for a phone that is on")
    func expires() throws {
        var mailbox = FCMMailbox()
        mailbox.put(try message("now", ttl: "0s"), now: Self.now, isRead: false)
        mailbox.put(try message("minute", ttl: "60s"), now: Self.now, isRead: false)
        mailbox.put(try message("weeks"), now: Self.now, isRead: false)
        #expect(names(mailbox.take(after: 0, limit: 9, now: Self.now + 59_999)) == ["minute", "weeks"])
        #expect(names(mailbox.take(after: 0, limit: 9, now: Self.now + 60_000)) == ["weeks"])
        mailbox.put(try message("on", ttl: "0s"), now: Self.now + 60_000, isRead: false)
        #expect(names(mailbox.take(after: 0, limit: 9, now: Self.now + 60_000)) == ["weeks", "on"])
    }
}

@Suite("JSON read in the order of its text")
struct JSONTreeTests {
    @Test("values, escapes and the order of members are read")
    func reads() {
        let tree = JSONTree(Array(#" {"b":[1,-2.5e3,true,null],"a\n":"é\u00e9\"","o":{}} "#.utf8))
        #expect(
            tree
                == .object([
                    .init(name: "b", value: .array([.number("1"), .number("-2.5e3"), .bool(true), .null])),
                    .init(name: "a\n", value: .string("éé\"")), .init(name: "o", value: .object([])),
                ])
        )
    }

    @Test("what is no JSON object is none", arguments: ["", "[]", "{", #"{"a":}"#, #"{"a":1}x"#, #"{"a":"\x"}"#])
    func refuses(text: String) {
        #expect(JSONTree(Array(text.utf8)) == nil)
    }

    @Test("half of a surrogate pair is replaced")
    func surrogate() {
        #expect(JSONTree(Array(#"{"a":"\ud800"}"#.utf8))?.members?.first?.value == .string("\u{FFFD}"))
    }
}

@Suite("A quota that refills")
struct TokenBucketTests {
    @Test("it gives what it holds, then one for each share of its time")
    func refills() {
        var bucket = TokenBucket(capacity: 2, period: 60_000)
        #expect([bucket.take(at: 0), bucket.take(at: 0), bucket.take(at: 0)] == [nil, nil, 30_000])
        #expect(bucket.take(at: 29_999) != nil)
        #expect(bucket.take(at: 30_000) == nil)
        #expect(bucket.take(at: 30_000) == 30_000)
    }
}
