import Foundation

/// Why a feed, or a part of it, was not used. Its text is the line in the log.
package enum FeedProblem: Error, Sendable, Equatable, CustomStringConvertible {
    case unreachable(String)
    case tooSlow(seconds: Double)
    case status(Int)
    case unchangedUnasked
    case contentType(String)
    case tooLarge(limit: Int)
    case malformed(String)
    case version(String)
    case differential
    case noTimestamp
    case late(seconds: Int, limit: Int)
    case fromTheFuture(seconds: Int)
    case backwards(seconds: Int)
    case twice
    case empty(known: Int, seen: Int, believedAfter: Int)
    case tooManyAlerts(Int, limit: Int)
    /// One alert is wrong; the rest of the feed is used.
    case alert(id: String, reason: String)

    package var description: String {
        switch self {
        case .unreachable(let reason): "The feed cannot be reached: \(reason)."
        case .tooSlow(let seconds): "The feed did not come within \(seconds) s."
        case .status(let status): "The feed's server answered \(status)."
        case .unchangedUnasked: "The feed's server answered 304, and was not asked whether anything is new."
        case .contentType(let type): "The feed has the content type '\(type.prefix(60))', which is no protocol buffer."
        case .tooLarge(let limit): "The feed is larger than \(limit) bytes."
        case .malformed(let reason): "The feed is malformed: \(reason)."
        case .version(let version): "The feed has version '\(version.prefix(20))'; 1 and 2 are known."
        case .differential: "The feed holds only changes, which the standard leaves undefined."
        case .noTimestamp: "The feed does not say when it was made."
        case .late(let seconds, let limit): "The feed is late: it was made \(seconds) s ago; \(limit) s are allowed."
        case .fromTheFuture(let seconds): "The feed was made \(seconds) s in the future."
        case .backwards(let seconds): "The feed goes backwards: it was made \(seconds) s before the last one."
        case .twice: "The feed came twice: it was made at the same time as the last one."
        case .empty(let known, let seen, let after):
            "The feed is empty while \(known) alerts are known (\(seen) of \(after) before it is believed)."
        case .tooManyAlerts(let count, let limit): "The feed has \(count) alerts; \(limit) are allowed."
        case .alert(let id, let reason): "Alert '\(id.prefix(60))' is passed over: \(reason)."
        }
    }
}
