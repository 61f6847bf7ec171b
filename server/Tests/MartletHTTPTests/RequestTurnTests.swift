import Testing

@testable import MartletHTTP

@Suite("Turns of requests on a connection")
struct RequestTurnTests {
    @Test("a second request is parked until the last part of the first answer is taken")
    func oneAnswerAtATime() {
        var turn = RequestTurn()
        #expect(turn.wait == .firstHead)
        #expect(turn.readHead() == .deliver)
        #expect(turn.wait == .body)
        #expect(turn.readEnd() == (.deliver, false))
        #expect(turn.wait == nil)
        #expect(turn.readHead() == .park)
        #expect(turn.write(isEnd: false) == true)
        #expect(turn.write(isEnd: true) == true)
        #expect(turn.wait == .answer)
        #expect(turn.took() == false)
        #expect(turn.wait == .answer)
        #expect(turn.took() == true)
        #expect(turn.wait == .nextHead)
        #expect(turn.readHead() == .deliver)
    }

    @Test("an answer given before the end of its request waits for the end, and then the turn is over")
    func unreadBody() {
        var turn = RequestTurn()
        _ = turn.readHead()
        #expect(turn.write(isEnd: true) == true)
        #expect(turn.took() == false)
        #expect(turn.wait == .discard)
        #expect(turn.readBody() == .deliver)
        #expect(turn.readEnd() == (.deliver, true))
        #expect(turn.wait == .nextHead)
    }

    @Test("a request that has its answer gets no second one")
    func oneAnswer() {
        var turn = RequestTurn()
        _ = turn.readHead()
        #expect(turn.write(isEnd: true) == true)
        #expect(turn.write(isEnd: true) == false)
        _ = turn.took()
        #expect(turn.write(isEnd: false) == false)
        _ = turn.readEnd()
        // Between requests it is the refusal of what is none.
        #expect(turn.write(isEnd: true) == true)
    }

    @Test("what comes on a connection that is being closed is dropped, and nothing is written")
    func closing() {
        var turn = RequestTurn()
        turn.close()
        #expect(turn.readHead() == .drop)
        #expect(turn.readBody() == .drop)
        #expect(turn.readEnd() == (.drop, false))
        #expect(turn.write(isEnd: true) == false)
    }
}

@Suite("Quotas")
struct QuotaTests {
    @Test("an hour's worth is there at once, comes back evenly, and says when")
    func comesBack() {
        let quota = Quota(perHour: 60)
        var full = 0.0
        #expect(quota.take(60, full: &full, now: 1000) == nil)
        #expect(quota.take(1, full: &full, now: 1000) == 60)
        #expect(quota.take(1, full: &full, now: 1060) == nil)
        #expect(quota.take(1, full: &full, now: 1060) == 60)
        #expect(quota.take(60, full: &full, now: 1060 + 3600) == nil)
    }

    @Test("what is there in a second is there at once, and comes back within it")
    func perSecond() {
        let quota = Quota(perSecond: 10)
        var full = 0.0
        for _ in 0..<10 { #expect(quota.take(1, full: &full, now: 5) == nil) }
        #expect(quota.take(1, full: &full, now: 5) != nil)
        #expect(quota.take(1, full: &full, now: 5.1) == nil)
        #expect(quota.take(1, full: &full, now: 5.1) != nil)
        for _ in 0..<10 { #expect(quota.take(1, full: &full, now: 7) == nil) }
    }

    @Test("more than the whole quota counts as all of it, and 0 is no bound")
    func extremes() {
        var full = 0.0
        #expect(Quota(perHour: 10).take(1000, full: &full, now: 0) == nil)
        #expect(Quota(perHour: 10).take(1, full: &full, now: 0) == 360)
        var unbounded = 0.0
        for _ in 0..<3 { #expect(Quota(perHour: 0).take(.max, full: &unbounded, now: 0) == nil) }
        #expect(Quota(perHour: .max).times(2).perHour != 0)
    }

    @Test("what one has used up leaves others theirs")
    func separate() {
        let table = QuotaTable(Quota(perHour: 1))
        #expect(table.wait(for: 1, of: "a", now: 0) == nil)
        #expect(table.take(1, of: "a", now: 0) == nil)
        #expect(table.take(1, of: "a", now: 0) == 3600)
        #expect(table.wait(for: 1, of: "a", now: 0) == 3600)
        #expect(table.wait(for: 1, of: "b", now: 0) == nil)
    }

    @Test("as many as are kept take nothing from newcomers")
    func full() {
        let table = QuotaTable(Quota(perHour: 1))
        for number in 0...100_000 { table.take(1, of: "\(number)", now: 0) }
        #expect(table.wait(for: 1, of: "newcomer", now: 0) == nil)
        #expect(table.wait(for: 1, of: "7", now: 0) == 3600)
    }
}

@Suite("The client's address")
struct TrustedProxiesTests {
    @Test(
        "only a trusted proxy's word counts, and only what proxies have appended",
        arguments: [
            ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.5", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.5", ["1.2.3.4, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.5", ["1.2.3.4", "198.51.100.1, 10.0.0.6"], "198.51.100.1"),
            ("10.0.0.5", ["nonsense"], "10.0.0.5"),
            ("10.0.0.5", ["198.51.100.1:5000"], "198.51.100.1"),
            ("10.0.0.5", ["[2001:db8:1:2:3::4]:80"], "2001:db8:1:2::/64"),
            ("::ffff:10.0.0.5", ["::ffff:198.51.100.1"], "198.51.100.1"),
            ("::ffff:203.0.113.9", [], "203.0.113.9"),
            ("2001:db8:1:2:3::4", [], "2001:db8:1:2::/64"),
            ("10.0.0.5", [], "10.0.0.5"),
            ("10.0.0.5", ["10.0.0.6"], "10.0.0.5"),
        ]
    )
    func addresses(peer: String, forwarded: [String], client: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/24"])
        #expect(proxies.client(of: peer, forwarded: forwarded) == client)
    }

    @Test("an entry that is no address is refused")
    func refused() {
        #expect(throws: (any Error).self) { try TrustedProxies(["proxy.internal"]) }
    }
}
