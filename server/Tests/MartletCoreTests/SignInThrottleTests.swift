import Testing

@testable import MartletCore

@Suite struct SignInThrottleTests {
    static let start = Timestamp(milliseconds: 1_750_000_000_000)
    var throttle = SignInThrottle()

    @Test("ten attempts are admitted for an account, wherever they come from, and then none until the first is old")
    mutating func byAccount() {
        for number in 0..<10 {
            let now = Self.start + .seconds(number)
            #expect(throttle.begin(account: "ann", address: "\(number)", at: now) == nil)
        }
        #expect(throttle.begin(account: "ann", address: "new", at: Self.start + .seconds(10)) == .seconds(890))
        #expect(throttle.begin(account: "bob", address: "new", at: Self.start + .seconds(10)) == nil)
        let late = Self.start + SignInThrottle.window - .milliseconds(1)
        #expect(throttle.begin(account: "ann", address: "new", at: late) == .seconds(1))
        #expect(throttle.begin(account: "ann", address: "new", at: Self.start + SignInThrottle.window) == nil)
        #expect(throttle.begin(account: "ann", address: "new", at: Self.start + SignInThrottle.window) == .seconds(1))
    }

    @Test("ten attempts are admitted from an address, whatever the accounts")
    mutating func byAddress() {
        for number in 0..<10 {
            #expect(throttle.begin(account: "\(number)", address: "here", at: Self.start) == nil)
        }
        #expect(throttle.begin(account: "ann", address: "here", at: Self.start) == .seconds(900))
        #expect(throttle.begin(account: "ann", address: "there", at: Self.start) == nil)
    }

    @Test("where somebody has signed in before, they have ten attempts of their own, and no more")
    mutating func known() {
        for number in 0..<10 { _ = throttle.begin(account: "ann", address: "\(number)", at: Self.start) }
        for _ in 0..<10 { _ = throttle.begin(account: "bob", address: "home", at: Self.start) }
        for _ in 0..<10 {
            #expect(throttle.begin(account: "ann", address: "home", known: "browser", at: Self.start) == nil)
        }
        #expect(throttle.begin(account: "ann", address: "home", known: "browser", at: Self.start) == .seconds(900))
        #expect(throttle.begin(account: "ann", address: "home", known: "home", at: Self.start) == nil)
        throttle.takeBack(account: "ann", address: "home", known: "browser", at: Self.start)
        #expect(throttle.begin(account: "ann", address: "home", known: "browser", at: Self.start) == nil)
        #expect(throttle.begin(account: "ann", address: "new", at: Self.start) != nil)
    }

    @Test("what is refused is not counted: nobody waits for longer because they try on")
    mutating func refused() {
        for _ in 0..<10 { #expect(throttle.begin(account: "ann", address: "here", at: Self.start) == nil) }
        let later = Self.start + .seconds(899)
        for _ in 0..<100 {
            #expect(throttle.begin(account: "ann", address: "here", at: later) == .seconds(1))
        }
        #expect(throttle.begin(account: "ann", address: "here", at: Self.start + .seconds(900)) == nil)
    }

    @Test("an attempt that is taken back does not count, and nothing is remembered of it")
    mutating func takenBack() {
        for _ in 0..<100 {
            #expect(throttle.begin(account: "ann", address: "here", at: Self.start) == nil)
            throttle.takeBack(account: "ann", address: "here", at: Self.start)
        }
        #expect(throttle.count == 0)
    }

    @Test("attempts from a clock that was ahead do not count for longer than the window")
    mutating func clockSetBack() {
        for _ in 0..<10 { _ = throttle.begin(account: "ann", address: "here", at: Self.start + .seconds(86_400)) }
        #expect(throttle.begin(account: "ann", address: "here", at: Self.start) == nil)
    }

    @Test("ten thousand subjects are remembered, and who has to wait is not forgotten for others")
    mutating func bounded() {
        for _ in 0..<10 { _ = throttle.begin(account: "ann", address: "here", at: Self.start) }
        for number in 0..<(SignInThrottle.capacity / 2 + 100) {
            _ = throttle.begin(account: "a\(number)", address: "\(number)", at: Self.start + .seconds(1))
        }
        #expect(throttle.count == SignInThrottle.capacity)
        #expect(throttle.begin(account: "ann", address: "else", at: Self.start + .seconds(1)) != nil)
        let late = Self.start + .seconds(1_000)
        #expect(throttle.begin(account: "new", address: "new", at: late) == nil)
        #expect(throttle.count == 2)
    }
}
