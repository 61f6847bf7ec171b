/// A value without parts, as a policy names it and a message holds it; a number never equals a string of its digits.
enum Scalar: Hashable, Sendable {
    case text(Text)
    case number(FilterNumber)
    case yes
    case no
    case null
}
