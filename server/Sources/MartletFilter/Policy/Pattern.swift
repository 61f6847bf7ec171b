/// What one entry of a key's array asks of a value.
enum Pattern: Hashable, Sendable {
    case equals(Scalar)
    case anythingBut(Set<Scalar>)
    case anythingButPrefix(Text)
    case anythingButWildcard(Wildcard)
    case prefix(Text)
    case suffix(Text)
    /// A string in other letters; the text is folded.
    case ignoringCase(Text)
    case wildcard(Wildcard)
    case numbers(NumberRange)
    case addresses(AddressRange)
    case present
    case absent

    /// Whether a value is what is asked for; ``absent`` is never.
    func matches(_ scalar: Scalar) -> Bool {
        switch self {
        case .equals(let value): return scalar == value
        case .anythingBut(let values): return !values.contains(scalar)
        case .present: return true
        case .absent: return false
        case .numbers(let range):
            guard case .number(let number) = scalar else { return false }
            return range.contains(number)
        default: break
        }
        guard case .text(let text) = scalar else {
            // What is no string has no prefix and no wildcard, so it is anything but that.
            switch self {
            case .anythingButPrefix, .anythingButWildcard: return true
            default: return false
            }
        }
        return matches(text)
    }

    private func matches(_ text: Text) -> Bool {
        switch self {
        case .prefix(let prefix): text.bytes.starts(with: prefix.bytes)
        case .suffix(let suffix): text.bytes.suffix(suffix.bytes.count).elementsEqual(suffix.bytes)
        case .anythingButPrefix(let prefix): !text.bytes.starts(with: prefix.bytes)
        case .wildcard(let wildcard): wildcard.matches(text)
        case .anythingButWildcard(let wildcard): !wildcard.matches(text)
        case .ignoringCase(let folded): text.folded == folded
        case .addresses(let range):
            if case .address(let address) = IPAddress.read(text) { range.contains(address) } else { false }
        default: false
        }
    }
}
