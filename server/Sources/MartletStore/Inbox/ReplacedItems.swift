/// The items whose places an item took under its key, newest first: what else of it may wait or be shown.
struct ReplacedItems {
    /// The most bytes that are kept: eight numbers of 19 digits with their commas.
    static let limit = 160

    let numbers: [Int64]

    /// Reads them; one that was cut off is left out.
    init(_ text: String?) {
        let parts = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        numbers = parts.dropLast().compactMap { Int64($0) }
    }
}
