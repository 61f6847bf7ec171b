/// Whose turn it is on a connection that answers one request at a time: the next request waits until the last byte of
/// the answer before it has been taken. A pure value.
///
/// An answer that the client has not taken costs memory, and so does a request that waits for one: a client that sends
/// a thousand requests and reads nothing has one answer here and no more.
struct RequestTurn: Sendable, Equatable {
    /// How much of a request has arrived.
    enum Request: Sendable, Equatable { case none, arriving, complete }
    /// How much of its answer has been given out, and taken.
    enum Answer: Sendable, Equatable { case none, writing, written, taken }

    /// What the client is waited for.
    enum Wait: Sendable, Equatable {
        /// The head of its first request.
        case firstHead
        /// The head of its next request.
        case nextHead
        /// The rest of a body.
        case body
        /// The answer, or a part of it, to be taken.
        case answer
        /// The rest of a body that nobody wants.
        case discard
    }

    /// What is to be done with a part of a request.
    enum Reading: Sendable, Equatable {
        /// It belongs to the request whose turn it is.
        case deliver
        /// It belongs to the next one.
        case park
        /// The connection is being closed.
        case drop
    }

    private var request = Request.none
    private var answer = Answer.none
    /// How many parts of the answer have not been taken.
    private var parts = 0
    private var isFirst = true
    private(set) var isClosing = false

    /// The head of a request has come.
    mutating func readHead() -> Reading {
        guard !isClosing else { return .drop }
        guard request == .none else { return .park }
        request = .arriving
        isFirst = false
        return .deliver
    }

    /// A part of a body has come.
    func readBody() -> Reading {
        guard !isClosing else { return .drop }
        return request == .complete ? .park : .deliver
    }

    /// The end of a request has come.
    ///
    /// - Returns: `isOver` when the turn is over with it: the answer had been taken before.
    mutating func readEnd() -> (Reading, isOver: Bool) {
        guard !isClosing else { return (.drop, false) }
        guard request == .arriving else { return (.park, false) }
        request = .complete
        return (.deliver, endTurn())
    }

    /// A part of the answer is given out.
    ///
    /// - Returns: whether it goes out. A connection that is being closed has had its last answer, and a request has one:
    ///   a refusal of its broken body after it would be taken for the next request's.
    mutating func write(isEnd: Bool) -> Bool {
        guard !isClosing, answer == .none || answer == .writing else { return false }
        parts += 1
        answer = isEnd ? .written : .writing
        return true
    }

    /// The client has taken a part.
    ///
    /// - Returns: whether the turn is over with it.
    mutating func took() -> Bool {
        parts -= 1
        if parts == 0, answer == .written { answer = .taken }
        return endTurn()
    }

    /// Nothing more is read or answered.
    mutating func close() { isClosing = true }

    /// Whether no answer has begun.
    var isUnanswered: Bool { answer == .none }

    /// What the client is waited for; `nil` while it is the server's turn.
    var wait: Wait? {
        if isClosing { return .discard }
        if parts > 0 { return .answer }
        switch (request, answer) {
        case (.none, _): return isFirst ? .firstHead : .nextHead
        case (.arriving, .taken): return .discard
        case (.arriving, _): return .body
        case (.complete, _): return nil
        }
    }

    private mutating func endTurn() -> Bool {
        guard request == .complete, answer == .taken else { return false }
        request = .none
        answer = .none
        return true
    }
}

extension ConnectionLimits {
    /// For how long the client is waited for.
    func time(for wait: RequestTurn.Wait) -> Duration {
        switch wait {
        case .firstHead: firstHeadTimeout
        case .nextHead: idleTimeout
        case .body: bodyTimeout
        case .answer: answerTimeout
        case .discard: discardTimeout
        }
    }
}
