/// Who a URL leads to.
package enum URLHost: Sendable, Hashable {
    /// A name that is resolved for every call.
    case name(HostName)
    /// An address that stands in the URL.
    case address(IPAddress)

    /// As it stands in a URL.
    package var text: String {
        switch self {
        case .name(let name): name.text
        case .address(let address): address.isV4 ? "\(address)" : "[\(address)]"
        }
    }

    /// The host and the port of an authority without a user; `nil` for what has no one reading.
    package static func split(_ authority: Substring) -> (URLHost, UInt16?)? {
        let literal = authority.first == "["
        let end = literal ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let after = literal ? authority[authority.index(after: end)...] : authority[end...]
        var port: UInt16?
        if !after.isEmpty {
            guard after.first == ":", let number = UInt16(after.dropFirst()), number > 0,
                String(number) == after.dropFirst()
            else { return nil }
            port = number
        }
        if literal {
            guard let address = IPAddress(String(authority[..<end].dropFirst())), !address.isV4 else { return nil }
            return (.address(address), port)
        }
        if let address = IPAddress(String(authority[..<end])) { return (.address(address), port) }
        return HostName(authority[..<end]).map { (.name($0), port) }
    }
}
