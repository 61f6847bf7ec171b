import NIOCore

extension HTTP2ClientPool {
    /// The load of a connection, as far as decisions need it.
    struct Load: Equatable {
        var outstanding: Int
        var queued: Int
        /// How many may be in flight at once.
        var streams = 0
        /// Whether all its streams are in use and more work waits, so that another connection would help.
        var isFull: Bool
        /// Whether it takes requests and answers none: it gets no more while another one can.
        var isSilent = false
    }

    /// Bounds of a pool; see ``HTTP2ClientPoolConfiguration``.
    struct Limits {
        var connections: Int
        var queuedRequests: Int
        /// How often a request may be refused by connections that go on.
        var refusals: Int
        var waitTimeout: TimeAmount
        var backOff: ClosedRange<TimeAmount>
        var spareAfter = TimeAmount.minutes(5)
        /// After how long loads are looked at again while requests wait for streams. 250 ms, ours: about what opening a
        /// connection takes where the way is long.
        var lookAgainAfter = TimeAmount.milliseconds(250)
    }

    /// Decides which connection takes a burst, when one is opened, and what happens when none can be.
    ///
    /// `Connection` is what the decisions are about; `load` looks at one.
    struct StateMachine<Connection: Sendable> {
        struct Member {
            let id: Int
            let connection: Connection
        }

        enum Action: Sendable {
            /// Open a connection under this number.
            case connect(Int)
            case assign(RequestSlice, Connection)
            /// Have the connection give back so many of the requests that wait for a stream of it.
            case takeBack(Int, Connection)
            case reject(RequestSlice, String)
            case drain(Connection, String)
        }

        private(set) var members: [Member] = []
        /// When so many connections were last needed.
        private var neededAt = NIODeadline.distantPast
        private(set) var waitingCount = 0
        private(set) var lastFailure: String?
        private var waiting = CircularBuffer<(slice: RequestSlice, deadline: NIODeadline)>()
        /// The connection that is being opened.
        private var connecting: Int?
        /// When the next attempt to connect may be made, if one is being held back.
        private(set) var retryAt: NIODeadline?
        /// Those that take no more requests and owe answers, without having given one.
        private var owing: Set<Int> = []
        /// Whether the last connection disowned what it was given: what waits for the next one is disowned as well.
        private var isDisowning = false
        /// When loads are looked at again, while requests wait for streams.
        private var lookAt: NIODeadline?
        private var failures = 0
        private var nextID = 1
        private var isShutDown = false
        private let limits: Limits
        private let load: @Sendable (Connection) -> Load

        init(limits: Limits, load: @escaping @Sendable (Connection) -> Load) {
            self.limits = limits
            self.load = load
        }

        var isConnecting: Bool { self.connecting != nil }

        /// When ``wake(now:)`` has something to do.
        var wakeTime: NIODeadline? {
            guard let first = self.waiting.first else { return self.lookAt }
            // While one is being opened nothing is done at the end of a pause.
            let retry = self.isConnecting ? nil : self.retryAt
            return min(retry ?? first.deadline, first.deadline, self.lookAt ?? first.deadline)
        }

        // MARK: Work

        mutating func submit(_ burst: HTTP2Burst, now: NIODeadline) -> [Action] {
            let queued = self.members.reduce(self.waitingCount) { $0 + self.load($1.connection).queued }
            guard queued + burst.count <= self.limits.queuedRequests else {
                return [.reject(RequestSlice(burst), "queue full: \(queued) requests wait")]
            }
            let spare = self.closeSpare(burst.count, now: now)
            return spare + self.place(RequestSlice(burst), avoiding: nil, now: now)
        }

        /// Closes the newest connection when the others have long had streams enough for all there was to do.
        private mutating func closeSpare(_ count: Int, now: NIODeadline) -> [Action] {
            let loads = self.members.map { self.load($0.connection) }
            let outstanding = loads.reduce(count) { $0 + $1.outstanding }
            let isEnough = outstanding <= loads.dropLast().reduce(0) { $0 + $1.streams }
            // Those that answer nothing are replaced, and are no streams to count on.
            guard isEnough, self.members.count > 1, !loads.contains(where: \.isSilent) else {
                self.neededAt = now
                return []
            }
            guard self.neededAt + self.limits.spareAfter <= now, let last = self.members.popLast() else { return [] }
            self.neededAt = now
            return [.drain(last.connection, "no longer needed")]
        }

        /// Requests that connection `id` certainly did not process.
        mutating func givenBack(_ slice: RequestSlice, by id: Int, reason: String, now: NIODeadline) -> [Action] {
            self.isDisowning = slice.isDisowned
            guard slice.attempt < self.limits.refusals else { return [.reject(slice, reason)] }
            return self.place(slice, avoiding: id, now: now)
        }

        private mutating func place(_ slice: RequestSlice, avoiding id: Int?, now: NIODeadline) -> [Action] {
            if let reason = slice.burst.endReason { return [.reject(slice, reason)] }
            if self.isShutDown { return [.reject(slice, "shut down")] }
            let others = self.members.filter { $0.id != id }
            // The one that refused takes it again when it is the only one: others may not be allowed.
            let candidates = others.isEmpty ? self.members : others
            let loads = candidates.map { self.load($0.connection) }
            let answering = loads.indices.filter { !loads[$0].isSilent }
            guard let least = answering.min(by: { loads[$0].outstanding < loads[$1].outstanding }) else {
                // Where there are some that answer nothing, it waits for the one that is opened in their place.
                self.waiting.append((slice, now + self.limits.waitTimeout))
                self.waitingCount += slice.count
                return self.connectIfNeeded(now: now)
            }
            var actions = [Action.assign(slice, candidates[least].connection)]
            if loads[least].outstanding + slice.count > loads[least].streams { self.lookAgain(now: now) }
            // The one that is opened takes the place of those that answer nothing.
            let count = self.members.count { !self.load($0.connection).isSilent }
            if loads[least].isFull, count < self.limits.connections, self.mayConnect(now: now) {
                actions.append(self.connect())
            }
            return actions
        }

        /// Takes bursts that their sender has taken back out of those that wait for a connection.
        mutating func removeEnded() -> [Action] {
            var actions: [Action] = []
            let entries = self.waiting
            self.waiting.removeAll()
            for entry in entries {
                if let reason = entry.slice.burst.endReason {
                    self.waitingCount -= entry.slice.count
                    actions.append(.reject(entry.slice, reason))
                } else {
                    self.waiting.append(entry)
                }
            }
            return actions
        }

        // MARK: Requests that wait for streams

        private mutating func lookAgain(now: NIODeadline) {
            if self.lookAt == nil { self.lookAt = now + self.limits.lookAgainAfter }
        }

        /// Opens another connection where those open are still full, and takes back what waits for a stream of one where
        /// another has some free: a burst that was given to one connection is not bound to it.
        private mutating func spread(now: NIODeadline) -> [Action] {
            self.lookAt = nil
            let loads = self.members.map { self.load($0.connection) }
            let answering = loads.indices.filter { !loads[$0].isSilent }
            guard answering.contains(where: { loads[$0].queued > 0 }) else { return [] }
            self.lookAgain(now: now)
            var actions: [Action] = []
            if answering.allSatisfy({ loads[$0].isFull }), answering.count < self.limits.connections,
                self.mayConnect(now: now)
            {
                actions.append(self.connect())
            }
            guard answering.contains(where: { loads[$0].outstanding < loads[$0].streams }) else { return actions }
            let share = answering.reduce(0) { $0 + loads[$1].outstanding } / answering.count
            for index in answering where loads[index].outstanding > share {
                let count = min(loads[index].queued, loads[index].outstanding - share)
                if count > 0 { actions.append(.takeBack(count, self.members[index].connection)) }
            }
            return actions
        }

        // MARK: Connections

        /// A peer that sends GOAWAY before each first answer gets no more connections than may be open in all.
        private func mayConnect(now: NIODeadline) -> Bool {
            !self.isConnecting && self.owing.count < self.limits.connections && self.retryAt.map { $0 <= now } ?? true
        }

        private mutating func connectIfNeeded(now: NIODeadline) -> [Action] {
            guard !self.waiting.isEmpty, self.mayConnect(now: now) else { return [] }
            return [self.connect()]
        }

        private mutating func connect() -> Action {
            defer { self.nextID += 1 }
            self.connecting = self.nextID
            self.retryAt = nil
            return .connect(self.nextID)
        }

        mutating func opened(_ id: Int, _ connection: Connection, now: NIODeadline) -> [Action] {
            if self.connecting == id { self.connecting = nil }
            if self.isShutDown { return [.drain(connection, "shut down")] }
            let silent = self.members.filter { self.load($0.connection).isSilent }
            self.members.removeAll { member in silent.contains { $0.id == member.id } }
            self.members.append(Member(id: id, connection: connection))
            defer {
                self.waiting.removeAll()
                self.waitingCount = 0
            }
            if self.waitingCount > 0 { self.lookAgain(now: now) }
            return self.waiting.map { .assign($0.slice, connection) }
                + silent.map { .drain($0.connection, "no answers in time") }
        }

        /// `jitter` is a factor around 1 that keeps many pools from connecting in step.
        mutating func connectFailed(_ id: Int, reason: String, jitter: Double, now: NIODeadline) {
            guard self.connecting == id else { return }
            self.connecting = nil
            self.isDisowning = false
            self.failed(reason, jitter: jitter, now: now)
        }

        /// The connection takes no more requests. One that ends without a single answer counts as a failed attempt, so
        /// that a server that accepts and hangs up is not hammered. One that still owes answers is replaced at once, and
        /// counts when it has closed: by then it has given one or not.
        mutating func ended(
            _ id: Int,
            hadAnswers: Bool,
            owesAnswers: Bool = false,
            reason: String,
            jitter: Double,
            now: NIODeadline
        ) -> [Action] {
            guard self.awaitsEnd(of: id) else { return [] }
            self.members.removeAll { $0.id == id }
            self.owing.remove(id)
            self.isDisowning = false
            if hadAnswers {
                self.failures = 0
                self.lastFailure = nil
                self.retryAt = nil
            } else if owesAnswers {
                self.owing.insert(id)
            } else {
                self.failed(reason, jitter: jitter, now: now)
            }
            return self.connectIfNeeded(now: now)
        }

        private mutating func failed(_ reason: String, jitter: Double, now: NIODeadline) {
            self.lastFailure = reason
            // Several that end in one pause are one failure: none makes it longer.
            guard self.retryAt.map({ $0 <= now }) ?? true else { return }
            self.failures += 1
            let doubled = self.limits.backOff.lowerBound.nanoseconds << Int64(min(self.failures - 1, 20))
            let delay = min(doubled, self.limits.backOff.upperBound.nanoseconds)
            self.retryAt = now + .nanoseconds(Int64(Double(delay) * jitter))
        }

        /// Whether it is still to be told what happens to a connection.
        func awaitsEnd(of id: Int) -> Bool { self.owing.contains(id) || self.members.contains { $0.id == id } }

        /// Time has passed: gives up what has waited too long and tries to connect again.
        mutating func wake(now: NIODeadline) -> [Action] {
            var actions: [Action] = []
            while let first = self.waiting.first, first.deadline <= now {
                self.waiting.removeFirst()
                self.waitingCount -= first.slice.count
                var slice = first.slice
                if self.isDisowning, self.members.isEmpty { slice.isDisowned = true }
                actions.append(.reject(slice, self.lastFailure ?? "no connection in time"))
            }
            if let lookAt = self.lookAt, lookAt <= now { actions += self.spread(now: now) }
            return actions + self.connectIfNeeded(now: now)
        }

        /// All connections are replaced: they finish what they have, new work goes to a new one.
        mutating func recycle() -> [Action] {
            let drained = self.members.map { Action.drain($0.connection, "recycled") }
            self.members = []
            guard !drained.isEmpty, !self.isConnecting else { return drained }
            return drained + [self.connect()]
        }

        mutating func shutDown() -> [Action] {
            self.isShutDown = true
            let rejected = self.waiting.map { Action.reject($0.slice, "shut down") }
            self.waiting.removeAll()
            self.waitingCount = 0
            let drained = self.members.map { Action.drain($0.connection, "shut down") }
            self.members = []
            return rejected + drained
        }
    }
}
