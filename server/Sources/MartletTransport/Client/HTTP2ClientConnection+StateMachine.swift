import NIOCore

extension HTTP2ClientConnection {
    /// Decides how many streams may be open and when the connection takes no more work.
    struct StateMachine {
        /// RFC 9113, section 6.5.2: without the setting there is no limit.
        static let unlimited = Int(UInt32.max)

        private(set) var state: State
        /// The peer's SETTINGS_MAX_CONCURRENT_STREAMS.
        private(set) var peerLimit = StateMachine.unlimited
        /// Whether any answer has arrived: a connection that dies without one counts as a failure to connect.
        private(set) var hasAnswers = false
        /// How many answers have arrived.
        private(set) var answers = 0
        /// Whether a request's whole time has passed without an answer to any request, and none has come since.
        private(set) var isSilent = false

        private let cap: Int
        private let isWarm: (@Sendable (Int) -> Bool)?
        /// Whether there is somebody who takes back what is not submitted.
        private let returnsWork: Bool

        /// A connection whose first SETTINGS have arrived; `isWarm` says which status ends the warm-up.
        init(cap: Int, isWarm: (@Sendable (Int) -> Bool)?, returnsWork: Bool = false) {
            self.cap = cap
            self.isWarm = isWarm
            self.returnsWork = returnsWork
            self.state = isWarm == nil ? .open : .warming
        }

        /// How many streams may be open at this moment.
        var streamLimit: Int {
            if self.isStalled { return 0 }
            return switch self.state {
            case .warming: min(1, self.cap, self.peerLimit)
            case .open: min(self.cap, self.peerLimit)
            case .draining, .closed: 0
            }
        }

        /// Whether new work is taken.
        var takesWork: Bool { self.endReason == nil }

        /// Whether what has not been submitted is another connection's: submitted to a silent one it would lose the time
        /// of a request for each set of streams.
        var isStalled: Bool { self.isSilent && self.returnsWork }

        /// Why what has not been submitted is given back.
        var returnReason: String? { self.endReason ?? (self.isStalled ? "no answers in time" : nil) }

        /// Why no new work is taken.
        var endReason: String? {
            switch self.state {
            case .warming, .open: nil
            case .draining(let reason), .closed(let reason): reason
            }
        }

        mutating func settingsReceived(maxConcurrentStreams: Int) {
            self.peerLimit = maxConcurrentStreams
        }

        mutating func responseReceived(status: Int) {
            self.hasAnswers = true
            self.answers += 1
            self.isSilent = false
            if case .warming = self.state, self.isWarm?(status) ?? true { self.state = .open }
        }

        /// A request has had all the time that a request may have; `answersBefore` is how many answers there had been
        /// when it was submitted.
        mutating func timedOut(answersBefore: Int) {
            if self.answers == answersBefore { self.isSilent = true }
        }

        /// No new streams; the first reason stays.
        mutating func drain(_ reason: String) {
            if self.takesWork { self.state = .draining(reason) }
        }

        /// The reason for draining, if any, explains the end better than the end itself.
        mutating func close(_ reason: String) {
            switch self.state {
            case .warming, .open: self.state = .closed(reason)
            case .draining(let earlier): self.state = .closed(earlier)
            case .closed: break
            }
        }
    }

    /// Decides when to probe a silent connection and when to give it up.
    struct Liveness {
        enum Action: Equatable {
            case none
            case ping
            case giveUp
        }

        private let idleInterval: TimeAmount
        private let ackTimeout: TimeAmount
        private var lastRead: NIODeadline
        private var pingSent: NIODeadline?

        init(idleInterval: TimeAmount, ackTimeout: TimeAmount, now: NIODeadline) {
            self.idleInterval = idleInterval
            self.ackTimeout = ackTimeout
            self.lastRead = now
        }

        /// Any byte of the peer shows that it lives, the answer to PING among them.
        mutating func bytesRead(now: NIODeadline) {
            self.lastRead = now
            self.pingSent = nil
        }

        mutating func check(isBusy: Bool, now: NIODeadline) -> Action {
            if let sent = self.pingSent { return now - sent >= self.ackTimeout ? .giveUp : .none }
            guard now >= self.nextProbe(isBusy: isBusy) else { return .none }
            self.pingSent = now
            return .ping
        }

        /// When ``check(isBusy:now:)`` has something to do at the earliest.
        func nextCheck(isBusy: Bool) -> NIODeadline {
            if let sent = self.pingSent { return sent + self.ackTimeout }
            return self.nextProbe(isBusy: isBusy)
        }

        private func nextProbe(isBusy: Bool) -> NIODeadline {
            self.lastRead + (isBusy ? min(self.ackTimeout, self.idleInterval) : self.idleInterval)
        }
    }
}
