import Foundation
import MartletPhone
import MartletTesting
import MartletWire
import Testing

/// A push with a picture and a link, and what it leaves behind.
extension Loop {
    /// The picture, the link and the campaign of a sale, as members of a request.
    static let sale =
        #","image":"https://\#(Loop.cdn)/banner.png","data":{"link":"https://shop.example.com/sale","td_campaign_id":"spring"}"#

    /// Taps a sale that a phone shows, and checks that it was delivered, opened and its link followed, once each, by one
    /// user of one installation.
    func tap(_ sale: PublicID, on phone: Phone, _ app: SDKApp, user: String, _ token: EventItem) async throws {
        let shown = try await shown(phone)
        #expect(shown.attachments.count == 1)
        try await phone.tap(shown.id)
        for type in [EventType.delivery, .open, .linkOpen] { _ = try await event(type, sale, of: app) }
        let rows = try await events().filter { $0.messageID == sale.description }
        #expect(rows.map(\.type.rawValue).sorted() == ["delivery", "link_open", "open"])
        #expect(rows.allSatisfy { $0.userID == user && $0.campaignID == "spring" })
        #expect(rows.allSatisfy { $0.installationID == token.installationID })
        #expect(rows.allSatisfy { $0.apnsToken == token.apnsToken })
        #expect(try await notification(sale).events == EventCountsResponse(deliveries: 1, opens: 1, links: 1))
        #expect(phone.page?.absoluteString == "https://shop.example.com/sale")
    }
}
