import MartletWire

/// Finds operators by their names, and changes them.
struct OperatorLookup {
    private let connection: ConnectionOptions

    init(_ connection: ConnectionOptions) { self.connection = connection }

    /// Changes an operator and shows them.
    func change(_ name: String, _ update: OperatorUpdate) async throws {
        let client = try await connection.client()
        let id = try await id(of: name, client)
        let changed: Item<OperatorResponse> = try await client.call(.patch, "operators/\(id)", update)
        try connection.output.show(
            changed.data,
            pairs: [
                ("name", changed.data.name), ("role", changed.data.role.rawValue),
                ("state", changed.data.isDisabled ? "disabled" : "active"), ("id", changed.data.id.description),
            ]
        )
    }

    /// - Throws: `CommandFailure` where there is no such operator.
    private func id(of name: String, _ client: APIClient) async throws -> PublicID {
        if let id = PublicID(name) { return id }
        let path: APIPath = "operators"
        var cursor: String?
        repeat {
            let part: List<OperatorResponse> = try await client.get(
                path.query([("limit", "1000"), ("cursor", cursor)])
            )
            if let found = part.data.first(where: { $0.name.lowercased() == name.lowercased() }) { return found.id }
            cursor = part.next
        } while cursor != nil
        throw CommandFailure(
            "There is no operator '\(name)'.",
            hint: "martlet operators list shows them; martlet operators invite \(name) --role ROLE makes one.",
            status: .failed
        )
    }
}
