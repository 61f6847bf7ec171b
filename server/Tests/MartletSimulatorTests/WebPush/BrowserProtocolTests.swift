import Foundation
import Testing

@testable import MartletSimulator

@Suite("What Firefox says and is sent")
struct FirefoxTests {
    static let messages: [(String, FirefoxMessage)] = [
        (#"{"messageType":"hello","broadcasts":{},"use_webpush":true}"#, .hello(uaid: nil)),
        (#"{"messageType":"hello","uaid":"","use_webpush":true}"#, .hello(uaid: nil)),
        (#"{"messageType":"hello","uaid":"a1","use_webpush":true}"#, .hello(uaid: "a1")),
        (#"{"messageType":"register","channelID":"c","key":"BA"}"#, .register(channelID: "c", key: "BA")),
        (#"{"messageType":"unregister","channelID":"c","code":200}"#, .unregister(channelID: "c")),
        (
            #"{"messageType":"ack","updates":[{"channelID":"c","version":"v","code":100}]}"#,
            .ack([.init(channelID: "c", version: "v", code: 100)])
        ),
        (#"{"messageType":"nack","version":"v","code":301}"#, .nack(.init(channelID: nil, version: "v", code: 301))),
        (#"{"messageType":"broadcast_subscribe","broadcasts":{}}"#, .ignored), ("{}", .ping), ("x", .unknown),
        (#"{"messageType":"nack"}"#, .unknown), (#"{"messageType":"other"}"#, .unknown),
    ]

    @Test("messages are read", arguments: messages)
    func reads(row: (text: String, message: FirefoxMessage)) {
        #expect(FirefoxMessage(row.text) == row.message)
    }

    private func message(_ body: [UInt8], topic: String? = nil) -> WebPushMessage {
        WebPushMessage(
            id: AnswerID.make(),
            time: 0,
            timeToLive: 60,
            urgency: nil,
            topic: topic,
            body: body,
            opened: nil
        )
    }

    @Test("replies are the protocol's JSON")
    func writes() {
        #expect(FirefoxReply().json == "{}")
        #expect(
            FirefoxReply.hello(uaid: "a").json
                == #"{"broadcasts":{},"messageType":"hello","status":200,"uaid":"a","use_webpush":true}"#
        )
        let message = message([1, 2])
        #expect(
            FirefoxReply.notification(message, channelID: "c").json
                == #"{"channelID":"c","data":"AQI","headers":{"encoding":"aes128gcm"},"messageType":"notification","#
                + #""version":"\#(message.id)"}"#
        )
        #expect(FirefoxReply.notification(self.message([]), channelID: "c").data == nil)
    }

    @Test("a browser registers, is sent what waits once for each connection, and acknowledges it")
    func session() throws {
        let service = WebPushService(WebPushSimulatorConfiguration(), clock: SimulatorClock { 1_000 })
        var session = FirefoxSession(service: service)
        let early = session.replies(to: .register(channelID: "c", key: nil))
        #expect(early == nil)
        let greeting = session.replies(to: .hello(uaid: "unknown"))
        let hello = try #require(greeting?.first)
        let uaid = try #require(hello.uaid)
        #expect(uaid != "unknown")
        let registration = session.replies(to: .register(channelID: "c", key: nil))
        let registered = try #require(registration?.first)
        let endpoint = try #require(registered.pushEndpoint)
        #expect(endpoint.hasPrefix("https://updates.push.services.mozilla.com/wpush/v2/"))
        let id = String(endpoint.split(separator: "/").last ?? "")
        let sent = message([9])
        service.lines.deliver(sent, to: id, now: 1_000)
        let waiting = [session.waiting(now: 1_000), session.waiting(now: 1_000)]
        #expect(waiting.map { $0.map(\.version) } == [[sent.id], []])

        var second = FirefoxSession(service: service)
        let known = second.replies(to: .hello(uaid: uaid))
        #expect(known?.first?.uaid == uaid)
        let same = second.replies(to: .register(channelID: "c", key: nil))
        #expect(same?.first?.pushEndpoint == endpoint)
        let repeated = second.waiting(now: 1_000)
        #expect(repeated.map(\.version) == [sent.id])
        let update = FirefoxMessage.Update(channelID: "c", version: sent.id, code: 101)
        let answer = second.replies(to: .ack([update]))
        #expect(answer == [])
        #expect(service.browsers.acknowledgements(after: 0, limit: 9).map(\.code) == [101])

        var third = FirefoxSession(service: service)
        _ = third.replies(to: .hello(uaid: uaid))
        let rest = third.waiting(now: 1_000)
        #expect(rest.isEmpty)
        let ended = third.replies(to: .unregister(channelID: "c"))
        #expect(ended?.first?.status == 200)
        #expect(service.withRegistry { $0.subscriptions[id]?.state } == .gone)
    }
}

@Suite("Chromium's stand-in for Google's server")
struct ChromiumTests {
    @Test("frames are taken out of any pieces of a stream")
    func framing() throws {
        let long = MCSFrame(.dataMessage, [UInt8](repeating: 7, count: 300))
        let frames = [MCSFrame(.loginRequest, [1, 2]), MCSFrame(.heartbeatPing), long]
        let bytes = [MCSFrame.version] + frames.flatMap(\.encoded)
        #expect(long.encoded.prefix(3) == [8, 0xAC, 2])
        for size in [1, 2, 3, 7, bytes.count] {
            var reader = MCSReader()
            var found: [MCSFrame] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try reader.read(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(found == frames)
        }
    }

    @Test("what is no frame ends the connection")
    func malformed() {
        var version = MCSReader()
        #expect(throws: MCSReader.Malformed.self) { _ = try version.read([1, 2, 3]) }
        var length = MCSReader()
        #expect(throws: MCSReader.Malformed.self) { try length.read([41, 2, 0xFF, 0xFF, 0xFF, 0x7F]) }
        var endless = MCSReader()
        #expect(throws: MCSReader.Malformed.self) { try endless.read([41, 2] + [UInt8](repeating: 0xFF, count: 10)) }
    }

    @Test("fields of protocol buffers are written and read")
    func fields() throws {
        let fields: [(Int, ProtoField)] = [(1, .varint(300)), (7, .fixed64(.max - 1)), (21, .bytes([1, 2]))]
        let bytes = fields.flatMap { $0.1.encoded(as: $0.0) }
        let read = try #require(ProtoField.read(bytes))
        #expect(read.map(\.number) == [1, 7, 21])
        #expect(read.map(\.value) == fields.map(\.1))
        #expect(ProtoField.read(bytes.dropLast()) == nil)
    }

    @Test("a browser keeps its id from check-in to check-in")
    func checkIn() throws {
        let first = try #require(ProtoField.read(ChromiumSession.checkIn([], now: 5)))
        #expect(first.map(\.number) == [1, 3, 7, 8])
        guard case .fixed64(let id) = first[2].value, case .fixed64(let secret) = first[3].value else {
            Issue.record("no id")
            return
        }
        let again = ProtoField.varint(id).encoded(as: 2) + ProtoField.fixed64(secret).encoded(as: 13)
        let second = try #require(ProtoField.read(ChromiumSession.checkIn(again, now: 6)))
        #expect(second.map(\.value).suffix(2) == [.fixed64(id), .fixed64(secret)])
    }

    @Test("a browser registers, logs in, and is sent what waits, once")
    func session() throws {
        let service = WebPushService(WebPushSimulatorConfiguration(), clock: SimulatorClock { 1_000 })
        let key = WebPushFixture().publicKey
        let form = [
            "device": "42", "app": "org.chromium.linux", "X-subtype": "wp:http://localhost/#1",
            "sender": Base64URL.encode(key),
        ]
        let answer = ChromiumSession.register(form, at: service)
        #expect(answer.hasPrefix("token="))
        #expect(ChromiumSession.register(form, at: service) == answer)
        let id = String(answer.dropFirst(6))
        let subscription = try #require(service.withRegistry { $0.subscriptions[id] })
        #expect(subscription.endpoint == "https://jmt17.google.com/fcm/send/\(id)")
        #expect(subscription.applicationServerKey == key)
        let message = WebPushMessage(
            id: "m1",
            time: 7,
            timeToLive: 60,
            urgency: nil,
            topic: nil,
            body: [1, 2, 3],
            opened: nil
        )
        service.lines.deliver(message, to: id, now: 1_000)
        var session = ChromiumSession(service: service)
        let login = MCSFrame(.loginRequest, ProtoField.text("42").encoded(as: 3))
        let loggedIn = session.answers(to: login, now: 1)
        #expect(loggedIn?.map(\.tag) == [3])
        let pushes = session.waiting(now: 1_000)
        #expect(session.waiting(now: 1_000).isEmpty)
        let frame = try #require(pushes.first)
        let push = try #require(ProtoField.read(frame.body))
        #expect(push.map(\.number) == [2, 3, 5, 7, 7, 9, 17, 18, 21])
        #expect(push[2].value == .text("org.chromium.linux"))
        #expect(push.last?.value == .bytes([1, 2, 3]))
        let (alive, closed) = (
            session.answers(to: MCSFrame(.heartbeatPing), now: 1), session.answers(to: MCSFrame(.close), now: 1)
        )
        #expect(alive == [MCSFrame(.heartbeatAck)])
        #expect(closed == nil)
        let deletion = form.merging(["delete": "true"]) { $1 }
        #expect(ChromiumSession.register(deletion, at: service).hasPrefix("token="))
        #expect(service.withRegistry { $0.subscriptions[id]?.state } == .gone)
        #expect(ChromiumSession.register([:], at: service).hasPrefix("Error="))
    }
}

@Suite("What waits for a browser")
struct WebPushMailboxTests {
    private func message(_ id: String, ttl: Int = 60, topic: String? = nil) -> WebPushMessage {
        WebPushMessage(id: id, time: 0, timeToLive: ttl, urgency: nil, topic: topic, body: [], opened: nil)
    }

    @Test("a topic replaces what waits with it, and times pass")
    func waits() {
        var mailbox = WebPushMailbox()
        mailbox.put(message("off", ttl: 0), now: 0, isRead: false)
        mailbox.put(message("1", topic: "a"), now: 0, isRead: false)
        mailbox.put(message("2", ttl: 10), now: 0, isRead: false)
        mailbox.put(message("3", topic: "a"), now: 0, isRead: false)
        let early = mailbox.take(after: 0, limit: 9, now: 9_999)
        let later = mailbox.take(after: 0, limit: 9, now: 10_000)
        #expect([early, later].map { $0.map(\.message.id) } == [["2", "3"], ["3"]])
        mailbox.put(message("on", ttl: 0), now: 10_000, isRead: false)
        mailbox.removeAll { $0.id == "3" }
        let last = mailbox.take(after: 0, limit: 9, now: 10_000)
        #expect(last.map(\.message.id) == ["on"])
    }

    @Test("the oldest is dropped when too many wait")
    func bound() {
        var mailbox = WebPushMailbox()
        for number in 0...WebPushMailbox.limit { mailbox.put(message("\(number)"), now: 0, isRead: false) }
        #expect(mailbox.items.count == WebPushMailbox.limit)
        #expect(mailbox.items.first?.message.id == "1")
    }
}
