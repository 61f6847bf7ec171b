/// Why a host that somebody named could not be called, in words for the operator's log.
package enum FetchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Too many calls are under way.
    case busy
    /// The name has no address.
    case unknownName
    /// An address of the host is not public and the operator has not allowed it.
    case refused(String)
    /// The whole call took longer than its deadline.
    case tooSlow
    /// No address of the host answered.
    case unreachable
    /// The host answered with another status than 200; redirects are not followed.
    case status(Int)
    /// The answer is over the limit.
    case tooLarge
    /// The answer is not a key set.
    case notAKeySet(String)

    /// One sentence.
    package var description: String {
        switch self {
        case .busy: "Too many calls are under way."
        case .unknownName: "The host's name has no address."
        case .refused(let purpose): "The host has a \(purpose) address, and the operator has not allowed the host."
        case .tooSlow: "The host did not answer in time."
        case .unreachable: "No connection to the host succeeded."
        case .status(let code): "The host answered \(code) instead of 200; redirects are not followed."
        case .tooLarge: "The answer is larger than a key set may be."
        case .notAKeySet(let reason): "The answer is not a key set: \(reason)"
        }
    }
}
