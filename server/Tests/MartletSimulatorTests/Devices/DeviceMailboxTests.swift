import MartletTransport
import NIOCore
import Testing

@testable import MartletSimulator

@Suite("What waits for a phone")
struct DeviceMailboxTests {
    private static let now: Int64 = 1_700_000_000_000

    private func push(_ body: String, collapse: String? = nil, expiration: String? = nil) -> PackedPush {
        var headers = [HTTP2Header("apns-topic", Account.topic)]
        if let collapse { headers.append(HTTP2Header("apns-collapse-id", collapse)) }
        if let expiration { headers.append(HTTP2Header("apns-expiration", expiration)) }
        return PackedPush(
            HTTP2ServerRequest(
                method: "POST",
                path: "/3/device/\(Account.device)",
                headers: headers,
                body: ByteBuffer(string: body)
            ),
            keyID: nil,
            answerID: "id",
            time: Self.now,
            connection: 1,
            stream: 1,
            environment: .production,
            outcome: .answered,
            status: 200,
            reason: nil
        )
    }

    private func bodies(_ items: [DeviceMailbox.Item]) -> [JSONValue?] {
        items.map { $0.message.unpacked().payload }
    }

    @Test("pushes come in order, again until the phone says that it has them")
    func order() {
        var mailbox = DeviceMailbox()
        for body in ["1", "2", "3"] { mailbox.put(push(body), now: Self.now, isRead: false) }
        #expect(bodies(mailbox.take(after: 0, limit: 2, now: Self.now)) == [.integer(1), .integer(2)])
        #expect(bodies(mailbox.take(after: 0, limit: 2, now: Self.now)) == [.integer(1), .integer(2)])
        #expect(mailbox.take(after: 2, limit: 2, now: Self.now).map(\.seq) == [3])
        #expect(mailbox.take(after: 3, limit: 2, now: Self.now).isEmpty)
        #expect(mailbox.items.isEmpty)
    }

    @Test("a collapse id replaces what waits with it and leaves the rest")
    func collapse() {
        var mailbox = DeviceMailbox()
        mailbox.put(push("1", collapse: "a"), now: Self.now, isRead: false)
        mailbox.put(push("2", collapse: "b"), now: Self.now, isRead: false)
        mailbox.put(push("3"), now: Self.now, isRead: false)
        mailbox.put(push("4", collapse: "a"), now: Self.now, isRead: false)
        #expect(
            bodies(mailbox.take(after: 0, limit: 9, now: Self.now)) == [.integer(2), .integer(3), .integer(4)]
        )
    }

    @Test("more than 1,000 drop the oldest, and that is counted")
    func bound() {
        var mailbox = DeviceMailbox()
        for number in 1...DeviceMailbox.limit + 3 { mailbox.put(push("\(number)"), now: Self.now, isRead: false) }
        #expect(mailbox.items.count == DeviceMailbox.limit)
        #expect(mailbox.overflows == 3)
        #expect(mailbox.take(after: 0, limit: 1, now: Self.now).map(\.seq) == [4])
    }

    @Test("a push is forgotten when its time has passed")
    func expires() {
        var mailbox = DeviceMailbox()
        mailbox.put(push("1", expiration: "\(Self.now / 1_000 + 60)"), now: Self.now, isRead: false)
        mailbox.put(push("2"), now: Self.now, isRead: false)
        #expect(mailbox.take(after: 0, limit: 9, now: Self.now + 59_999).count == 2)
        #expect(bodies(mailbox.take(after: 0, limit: 9, now: Self.now + 60_000)) == [.integer(2)])
    }

    @Test("an expiration of 0 is one try: only a phone that is switched on gets it")
    func once() {
        var mailbox = DeviceMailbox()
        mailbox.put(push("1", expiration: "0"), now: Self.now, isRead: false)
        #expect(mailbox.items.isEmpty)
        mailbox.put(push("2", expiration: "0"), now: Self.now, isRead: true)
        #expect(bodies(mailbox.take(after: 0, limit: 9, now: Self.now)) == [.integer(2)])
        let soon = Self.now + DeviceMailbox.presence
        mailbox.put(push("3", expiration: "0"), now: soon, isRead: false)
        #expect(bodies(mailbox.take(after: 1, limit: 9, now: soon)) == [.integer(3)])
        let later = soon + DeviceMailbox.presence + 1
        mailbox.put(push("4", expiration: "0"), now: later, isRead: false)
        #expect(mailbox.take(after: 2, limit: 9, now: later).isEmpty)
    }
}
