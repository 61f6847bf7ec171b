import MartletCore

/// Whether a send to many may begin: who sends it types how many people it is for. A pure value.
enum SendConfirmation: Sendable, Hashable {
    case given
    /// The number was not typed, or another one.
    case wanting
    /// The audience is another one than the page showed.
    case outdated

    /// From how many people on the number is asked for.
    static let limit = 1_000
    /// No page shows more.
    private static let shownLimit = 1_000_000_000_000

    /// - Parameters:
    ///   - people: how many there are now.
    ///   - shown: how many the page showed.
    ///   - typed: what was typed.
    init(people: Int, shown: Int, typed: String) {
        // What a browser sends as shown may be any number.
        let shown = min(max(shown, 0), Self.shownLimit)
        if max(people, shown) <= Self.limit {
            self = .given
        } else if abs(people - shown) > max(10, shown / 10) {
            self = .outdated
        } else {
            self = Self.number(typed) == shown ? .given : .wanting
        }
    }

    /// A number, also with what people put between groups of digits, and with a Japanese keyboard's digits.
    private static func number(_ text: String) -> Int? {
        var value = 0
        var isNumber = false
        for character in text where !" ,.'_\u{A0}\u{202F}，、".contains(character) {
            guard let digit = character.wholeNumberValue, (0...9).contains(digit), value < 1_000_000_000 else {
                return nil
            }
            value = value * 10 + digit
            isNumber = true
        }
        return isNumber ? value : nil
    }
}
