public import NIOCore
import Synchronization

/// A header field whose value differs between the requests of a burst.
public struct HTTP2BurstField: Sendable {
    /// The field's name, in lower case.
    public var name: String
    /// False: literal, never indexed; right for values that are not repeated.
    public var isIndexed: Bool

    /// A field; not indexed unless said otherwise.
    public init(_ name: String, isIndexed: Bool = false) {
        self.name = name
        self.isIndexed = isIndexed
    }
}

/// Requests that share a template and differ in their path, in the values of a few fields and, where their sender says so,
/// in their body.
///
/// `answer` is called exactly once per request with the request's number in the burst, on an event loop: that of the
/// connection or, for a request that no connection took, one of the pool. It must not block.
public final class HTTP2Burst: @unchecked Sendable {  // its memory is written in init and freed in deinit only
    /// What the requests have in common.
    public let template: HTTP2RequestTemplate
    /// How many requests there are.
    public let count: Int
    /// When requests that have no answer yet are given up; the connection's request timeout holds as well.
    public let deadline: NIODeadline?
    /// Whether its requests go before those of others that wait for a stream.
    public let isUrgent: Bool

    /// Whether its sender may still have a request begun; with the first no it is withdrawn.
    let mayBegin: (@Sendable () -> Bool)?
    let answer: @Sendable (Int, HTTP2Answer) -> Void
    let fields: [Field]
    /// What each request's own body is made by; `nil` where all have the template's.
    let bodies: (@Sendable (Int) -> [UInt8])?
    /// The name of the field that says how long an own body is.
    let lengthField: Field?
    private let bytes: UnsafeMutablePointer<UInt8>
    private let ends: [UInt32]
    private let end = Atomic(End.none.rawValue)

    /// Whether its sender has taken it back; a later value includes the earlier ones.
    private enum End: UInt8 { case none, withdrawn, cancelled }

    /// A field's name within the burst's memory.
    struct Field {
        var name: UnsafeMutablePointer<UInt8>
        var count: Int
        var flags: UInt8
    }

    fileprivate init(
        _ builder: borrowing Builder,
        deadline: NIODeadline?,
        isUrgent: Bool,
        bodies: (@Sendable (Int) -> [UInt8])?,
        mayBegin: (@Sendable () -> Bool)?,
        answer: @escaping @Sendable (Int, HTTP2Answer) -> Void
    ) {
        let named = builder.fields + (bodies == nil ? [] : [HTTP2BurstField("content-length")])
        let names = named.map { Array($0.name.utf8) }
        let bytes = UnsafeMutablePointer<UInt8>.allocate(
            capacity: max(1, builder.bytes.count + names.reduce(0) { $0 + $1.count })
        )
        bytes.initialize(from: builder.bytes, count: builder.bytes.count)
        var end = bytes + builder.bytes.count
        var fields = zip(names, named).map { name, field in
            end.initialize(from: name, count: name.count)
            defer { end += name.count }
            return Field(
                name: end,
                count: name.count,
                flags: HTTP2RequestTemplate.flags(isIndexed: field.isIndexed)
            )
        }
        self.lengthField = bodies.flatMap { _ in fields.popLast() }
        self.fields = fields
        self.bodies = bodies
        self.bytes = bytes
        self.template = builder.template
        self.count = builder.count
        self.ends = builder.ends
        self.deadline = deadline
        self.isUrgent = isUrgent
        self.mayBegin = mayBegin
        self.answer = answer
    }

    deinit {
        self.bytes.deallocate()
    }

    /// Why no further request of it is sent, wherever it is at this moment: on its way between connections it is found
    /// in the queue of none.
    var endReason: String? {
        switch self.end.load(ordering: .acquiring) {
        case End.none.rawValue: self.template.permit.isWithdrawn ? "withdrawn" : nil
        case End.withdrawn.rawValue: "withdrawn"
        default: "cancelled"
        }
    }

    /// Why no request of it is begun now.
    func refusal(at now: NIODeadline) -> String? {
        if let reason = self.endReason ?? self.missedDeadline(at: now) { return reason }
        guard let mayBegin = self.mayBegin, !mayBegin() else { return nil }
        self.withdraw()
        return "withdrawn"
    }

    func withdraw() {
        self.end.max(End.withdrawn.rawValue, ordering: .acquiringAndReleasing)
    }

    func cancel() {
        self.end.max(End.cancelled.rawValue, ordering: .acquiringAndReleasing)
    }

    /// The reason not to send a request of it any more because of the time.
    func missedDeadline(at now: NIODeadline) -> String? {
        guard let deadline = self.deadline, deadline <= now else { return nil }
        return "its deadline passed before it was sent"
    }

    /// The bytes of a request's column: 0 is the path, the fields follow.
    func value(of request: Int, column: Int) -> UnsafeMutableBufferPointer<UInt8> {
        let position = request * (self.fields.count + 1) + column
        let start = position == 0 ? 0 : Int(self.ends[position - 1])
        return UnsafeMutableBufferPointer(start: self.bytes + start, count: Int(self.ends[position]) - start)
    }
}

extension HTTP2Burst {
    /// Collects the requests of a burst in one buffer.
    ///
    /// A request is its path and then a value for each field, each ended by ``endValue()``; an empty value leaves the
    /// field out of that request.
    public struct Builder: Sendable {
        fileprivate let template: HTTP2RequestTemplate
        fileprivate let fields: [HTTP2BurstField]
        fileprivate var bytes: [UInt8] = []
        fileprivate var ends: [UInt32] = []

        /// A builder for requests with these varying fields.
        public init(template: HTTP2RequestTemplate, fields: [HTTP2BurstField] = [], capacity: Int = 0) {
            self.template = template
            self.fields = fields
            self.ends.reserveCapacity(capacity * (fields.count + 1))
            // A device path and an apns-id together have about this many bytes.
            self.bytes.reserveCapacity(capacity * 128)
        }

        /// How many whole requests there are.
        public var count: Int { self.ends.count / (self.fields.count + 1) }

        /// Adds bytes to the value being written.
        public mutating func write(_ bytes: some Sequence<UInt8>) {
            self.bytes.append(contentsOf: bytes)
        }

        /// Adds bytes to the value being written: the same for what is already in one piece, because nothing generic is
        /// quick from another module.
        public mutating func write(_ bytes: [UInt8]) {
            self.bytes.append(contentsOf: bytes)
        }

        /// Adds bytes to the value being written.
        public mutating func write(_ bytes: UnsafeRawBufferPointer) {
            self.bytes.append(contentsOf: bytes)
        }

        /// Ends the value being written; the next one is the request's next field or the next request's path.
        public mutating func endValue() {
            self.ends.append(UInt32(self.bytes.count))
        }

        /// Adds a whole request; `values` has one entry for each field.
        public mutating func append(path: String, values: [String] = []) {
            precondition(values.count == self.fields.count, "a value for each field")
            self.write(path.utf8)
            self.endValue()
            for value in values {
                self.write(value.utf8)
                self.endValue()
            }
        }

        /// The burst of all whole requests.
        ///
        /// - Parameter bodies: where given, makes the body of a request from its number, in place of the template's, which
        ///   is empty then. It is called on an event loop as the request goes out, so that there are no more bodies in
        ///   memory than requests in flight, and again when another connection takes the request.
        /// - Parameter mayBegin: asked on an event loop before each request goes out.
        public func build(
            deadline: NIODeadline? = nil,
            isUrgent: Bool = false,
            bodies: (@Sendable (Int) -> [UInt8])? = nil,
            mayBegin: (@Sendable () -> Bool)? = nil,
            answer: @escaping @Sendable (Int, HTTP2Answer) -> Void
        ) -> HTTP2Burst {
            precondition(bodies == nil || self.template.body.isEmpty, "one body for all, or one for each request")
            return HTTP2Burst(
                self,
                deadline: deadline,
                isUrgent: isUrgent,
                bodies: bodies,
                mayBegin: mayBegin,
                answer: answer
            )
        }
    }
}
