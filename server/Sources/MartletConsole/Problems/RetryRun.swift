import MartletCore
import MartletWire

/// How far a retry of all failed work of a kind has come: each part of it begins where the one before ended. What fails once
/// more stands before that, so that it is tried once and the run ends. A pure value.
struct RetryRun: Sendable, Hashable {
    /// The last row that was looked at; `nil` begins.
    var after: Int64?
    /// How many were tried again, of all parts.
    var retried = 0
    /// How many could not be.
    var refused = 0
    /// How many there are, of all parts; `nil` where nobody has counted them.
    var total: Int?
    /// How many of them the last part tried again.
    private(set) var partCount = 0

    /// How many are tried again in one part. Ours: each is a write of its own, and a page is answered within seconds.
    static let partLimit = 200
    /// How many could not be tried again until a part ends, where nothing else does.
    private static let refusalLimit = 2_000
    /// The largest number that is read of a form.
    private static let numberLimit = 1_000_000_000

    /// What an earlier part's form says. Its numbers are shown and decide nothing.
    init(_ form: FormValues, list: String) throws(Failure) {
        after = try form["after"].map { text throws(Failure) in try Cursor.key(of: text, list: list) }
        func number(_ name: String) -> Int? {
            form[name].flatMap { Int($0) }.flatMap { (0...Self.numberLimit).contains($0) ? $0 : nil }
        }
        retried = number("retried") ?? 0
        refused = number("refused") ?? 0
        total = number("total")
    }

    /// Whether another one may be looked at in this part.
    private var hasRoom: Bool { partCount < Self.partLimit }

    /// How many were looked at.
    var seen: Int { retried + refused }
    /// How many are left, as far as they were counted; somebody may have tried one of them again meanwhile.
    var left: Int { max((total ?? 0) - seen, 0) }

    /// Goes through failed work, newest first, until there is no more or the part is full. What cannot be tried any more,
    /// such as a cancelled notification's, keeps no other from it.
    ///
    /// - Returns: whether there is no more.
    mutating func go(
        through list: (PageRequest) async throws -> MartletCore.Page<FailedWork>,
        retry: (PublicID) async throws -> Void
    ) async throws -> Bool {
        let (refusedBefore, firstRow) = (refused, after)
        while refused - refusedBefore < Self.refusalLimit {
            let page = try await list(PageRequest(after: after, count: Self.partLimit))
            for work in page.items {
                guard hasRoom else { return false }
                do {
                    try await retry(work.id)
                    retried += 1
                    partCount += 1
                } catch let failure as Failure where [.notFound, .conflict].contains(failure.code) {
                    refused += 1
                } catch {
                    // What was done is told of; the next part says what is in the way.
                    guard after != firstRow else { throw error }
                    return false
                }
                after = work.row
            }
            guard let next = page.next else { return true }
            after = next
        }
        return false
    }
}

extension FailedWork {
    /// Its id.
    fileprivate var id: PublicID {
        switch self {
        case .delivery(let letter): letter.id
        case .webhook(let letter): letter.id
        case .quarantined(let work): work.id
        }
    }

    /// Its row.
    fileprivate var row: Int64 {
        switch self {
        case .delivery(let letter): letter.row
        case .webhook(let letter): letter.row
        case .quarantined(let work): work.row
        }
    }
}
