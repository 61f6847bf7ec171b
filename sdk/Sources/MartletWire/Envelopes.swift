/// The answer that holds one thing: `{"data":{…}}`.
public struct Item<Data> {
    /// The thing.
    public var data: Data

    /// An answer around one thing.
    public init(_ data: Data) { self.data = data }
}

extension Item: Sendable where Data: Sendable {}
extension Item: Equatable where Data: Equatable {}
extension Item: Decodable where Data: Decodable {}
extension Item: Encodable where Data: Encodable {}

/// The answer that holds a part of a list: `{"data":[…],"next":"cursor"}`.
public struct List<Element> {
    /// The things, in the list's order.
    public var data: [Element]
    /// What to send as `cursor` for the next part; absent on the last.
    public var next: String?

    /// A part of a list.
    public init(_ data: [Element], next: String? = nil) {
        self.data = data
        self.next = next
    }
}

extension List: Sendable where Element: Sendable {}
extension List: Equatable where Element: Equatable {}
extension List: Decodable where Element: Decodable {}
extension List: Encodable where Element: Encodable {}
