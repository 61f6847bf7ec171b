/// One delivery of a batch: the endpoint, and the user that it belonged to when the batch was frozen.
public struct Member: Sendable, Hashable {
    /// The endpoint.
    public var endpoint: RowID<Endpoint>
    /// Its user then; when it is another one at the attempt, the delivery is cancelled.
    public var user: RowID<User>?

    package init(endpoint: RowID<Endpoint>, user: RowID<User>?) {
        self.endpoint = endpoint
        self.user = user
    }

    /// Whom a dedup claim is made for.
    public var subject: Subject { user.map(Subject.user) ?? .endpoint(endpoint) }
}

/// Whom a dedup claim is made for: the user, or the endpoint where there is no user.
public enum Subject: Sendable, Hashable {
    /// All of a user's devices together.
    case user(RowID<User>)
    /// One device of nobody known.
    case endpoint(RowID<Endpoint>)

    /// The subject as one number: users are positive, endpoints negative.
    public var key: Int64 {
        switch self {
        case .user(let row): row.rawValue
        case .endpoint(let row): -row.rawValue
        }
    }
}

/// The members of a batch as the store keeps them: ascending endpoints, as differences, in LEB128 (7 bits a byte, low
/// first), each followed by the user's row or 0. About three to six bytes a delivery.
public enum MemberList {
    /// The most deliveries of one batch, the unit of durable work.
    public static let limit = 1_000

    /// Packs members; they are sorted by endpoint.
    public static func encode(_ members: [Member]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(members.count * 6)
        var last: Int64 = 0
        for member in members.sorted(by: { $0.endpoint < $1.endpoint }) {
            LEB128.append(UInt64(member.endpoint.rawValue - last), to: &bytes)
            LEB128.append(UInt64(member.user?.rawValue ?? 0), to: &bytes)
            last = member.endpoint.rawValue
        }
        return bytes
    }

    /// How many members there are, of bytes that ``encode(_:)`` made: each number of a member ends with a byte below 128.
    public static func count(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 < 0x80 ? 1 : 0) } / 2
    }

    /// Unpacks members; `nil` when the bytes were not made by ``encode(_:)``.
    public static func decode(_ bytes: [UInt8]) -> [Member]? {
        var members: [Member] = []
        members.reserveCapacity(bytes.count / 4)
        var position = 0
        var last: Int64 = 0
        while position < bytes.count {
            guard let step = LEB128.read(bytes, &position).flatMap(Int64.init(exactly:)),
                let user = LEB128.read(bytes, &position).flatMap(Int64.init(exactly:))
            else { return nil }
            let (endpoint, isOverflow) = last.addingReportingOverflow(step)
            guard !isOverflow else { return nil }
            last = endpoint
            members.append(Member(endpoint: RowID(endpoint), user: user == 0 ? nil : RowID(user)))
        }
        return members
    }
}
