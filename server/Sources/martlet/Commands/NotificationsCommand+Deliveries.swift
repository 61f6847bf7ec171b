import ArgumentParser
import MartletWire

extension NotificationsCommand {
    /// The columns of a delivery.
    static let deliveryHead = ["USER", "DEVICE", "STATE", "REASON", "ATTEMPTS", "AT"]

    /// A delivery as a row.
    static func row(_ item: DeliveryItem) -> [String?] {
        [
            item.userID, item.endpointID?.description, item.state.rawValue, item.reason, String(item.attempts),
            item.at?.description,
        ]
    }

    /// A suppression as a row of the same columns.
    static func row(_ item: SuppressionItem) -> [String?] {
        let reason = item.heldBy.map { "\(item.reason) of \($0)" } ?? item.reason
        return [item.userID, item.endpointID?.description, "suppressed", reason, "0", item.at?.description]
    }

    /// `martlet notifications deliveries`.
    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the notification's result for each device, and the reason.",
            discussion: "Example: martlet notifications deliveries 01890a5d-ac96-774b-bcce-b302099a8057 --limit 1000"
        )

        @Argument(help: "The notification's id.")
        var id: String
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "notifications/\(id)/deliveries"
            let list: MartletWire.List<DeliveryItem> = try await connection.client().get(path.query(page.parameters))
            try connection.output.show(
                list,
                head: NotificationsCommand.deliveryHead,
                empty: "There are no deliveries: martlet notifications suppressions \(id) says why.",
                row: NotificationsCommand.row
            )
        }
    }

    /// `martlet notifications suppressions`.
    struct Suppressions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows who did not get the notification, and why.",
            discussion: "Example: martlet notifications suppressions 01890a5d-ac96-774b-bcce-b302099a8057"
        )

        @Argument(help: "The notification's id.")
        var id: String
        @OptionGroup var page: PageOptions
        @OptionGroup var connection: ConnectionOptions

        func run() async throws {
            let path: APIPath = "notifications/\(id)/suppressions"
            let list: MartletWire.List<SuppressionItem> = try await connection.client().get(path.query(page.parameters))
            try connection.output.show(
                list,
                head: NotificationsCommand.deliveryHead,
                empty: "Nobody was left out.",
                row: NotificationsCommand.row
            )
        }
    }
}
