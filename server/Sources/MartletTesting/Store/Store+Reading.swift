public import MartletCore
public import MartletStore
public import MartletWire

extension Store {
    /// What an attempt at one batch needs.
    public func context(of batch: Batch) async throws -> AttemptContext {
        try await contexts(of: [batch]).first ?? AttemptContext()
    }

    /// Every delivery of a notification, read page by page.
    public func everyDelivery(of id: PublicID) async throws -> [DeliveryReport] {
        guard let row = try await notification(id)?.row else { return [] }
        var all: [DeliveryReport] = []
        var after: Int64?
        repeat {
            let page = try await deliveries(row, PageRequest(after: after, count: PageRequest.limit))
            all += page.items
            after = page.next
        } while after != nil
        return all
    }

    /// Every endpoint of an app, read page by page.
    public func everyEndpoint(of app: RowID<App>) async throws -> [Endpoint] {
        var all: [Endpoint] = []
        var after: Int64?
        repeat {
            let page = try await endpoints(app, user: nil, PageRequest(after: after, count: PageRequest.limit))
            all += page.items
            after = page.next
        } while after != nil
        return all
    }
}
