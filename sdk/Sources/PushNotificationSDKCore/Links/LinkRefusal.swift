/// Why a link of a notification was not opened.
public enum LinkRefusal: String, Error, Sendable, CaseIterable {
    /// It is not an address, or longer than 2,048 bytes.
    case malformed
    /// Its scheme is in no rule, or is one that is never opened, such as `javascript` or `file`.
    case scheme
    /// It holds a user name or a password.
    case credentials
    /// Its host is in no rule of its scheme, or is written in a way that imitates another.
    case host
    /// Its path is in no rule of its host, or could be read as another path.
    case path
}
