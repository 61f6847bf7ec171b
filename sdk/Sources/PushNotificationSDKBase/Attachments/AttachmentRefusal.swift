/// Why a file was not attached; the notification is shown without it.
package enum AttachmentRefusal: Error, Sendable, Equatable {
    /// The address is not one, or is not https, or holds a user name or a password.
    case address
    /// The server sent on to an address that is refused, or too often.
    case redirect
    /// The server answered with another status than 200.
    case status(Int)
    /// The type is not one that notifications show.
    case type(String)
    /// The file is larger than its kind may be.
    case tooLarge(AttachmentKind)
    /// The file is empty, or shorter than its header said.
    case incomplete
    /// The time was over.
    case timedOut
    /// There is no connection, or no room on the device.
    case failed(String)

    /// Why, for the app's developer; the address is not named.
    package var reason: String {
        switch self {
        case .address: "its address is not an https address without a user name and a password."
        case .redirect: "the server sends on to an address that is not https, or too often."
        case .status(let status): "the server answered \(status)."
        case .type(""): "neither the server nor the file tells a type that notifications show."
        case .type(let name): "\(name.prefix(64)) is not a type that notifications show."
        case .tooLarge(let kind): "it is larger than \(kind.limit >> 20) MB, the most for this kind (\(kind.rawValue))."
        case .incomplete: "the file is empty or incomplete."
        case .timedOut: "the time was over."
        case .failed(let what): what
        }
    }
}
