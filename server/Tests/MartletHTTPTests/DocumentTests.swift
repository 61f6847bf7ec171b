import Foundation
import MartletCore
import MartletWire
import Testing

@testable import MartletHTTP

@Suite("What is stated of a document's fields is true of its Swift type")
struct DocumentTests {
    static let all: [any Documented.Type] = [
        AccessKeyRequest.self, AccessKeyResponse.self, AppRequest.self, AppResponse.self, AppUpdate.self,
        AudienceRequest.self, AudienceResponse.self, AuditItem.Actor.self, AuditItem.Subject.self, AuditItem.self,
        BreakerResponse.self, CategoryPreference.self,
        CategoryRequest.self,
        CategoryResponse.self, CategoryUpdate.self, ChannelChoice.self, ChannelPatch.self, ChannelState.self,
        DeliveryCounts.self, CredentialRequest.self,
        CredentialResponse.self, DeadLetterItem.self, DedupRequest.self, DeliveryItem.self, DeviceBatchRequest.self,
        DeviceBatchDeletion.self, DeviceBatchResponse.self, DeviceReceipt.self, DeviceRequest.self, DeviceResponse.self,
        DeviceUpdate.self,
        ErrorBody.Detail.self, ErrorBody.self, EventCountsResponse.self,
        EventItem.self, EventQueryRequest.self, EventTable.self, EventReceipt.Failure.self, EventReceipt.self,
        EventRequest.self, EventsRequest.self, EventsResponse.self, Finding.self, HealthResponse.self,
        IdentityRequest.self, IdentityResponse.self, InboxActionRequest.self, InboxChange.self,
        InboxContentRequest.self,
        InboxCountsResponse.self, InboxItemRequest.self, InboxItemResponse.self, InboxItemUpdate.self,
        InstallationUpdate.self, InvitationRequest.self, InvitationResponse.self, KeyRequest.self, KeyResponse.self,
        NotificationAccepted.self,
        NotificationEntry.self, NotificationReceipt.self, NotificationRequest.self, NotificationResponse.self,
        NotificationBatchRequest.self, NotificationBatchResponse.self, PauseResponse.self,
        OperatorResponse.self, OperatorSessionItem.self, OperatorUpdate.self,
        PreferenceChange.self, PreferencesBatchRequest.self, PreferencesBatchResponse.self, PreferencesReceipt.self,
        PreferencesResponse.self, PreferencesUpdate.self, QuarantineItem.self,
        AcceptedPoint.self, AcceptedResponse.self, RetryRequest.self, StatisticsPoint.self, StatisticsResponse.self,
        SubscriptionChange.self,
        SubscriptionBatchRequest.self, SubscriptionBatchResponse.self,
        SubscriptionCounts.self, SubscriptionReceipt.self, SubscriptionRequest.self,
        SubscriptionResponse.self, SuppressionItem.self, TokenRegistrationRequest.self,
        TokenRegistrationResponse.self, UserPreferencesUpdate.self, TopicChange.self, TopicRequest.self,
        TopicResponse.self, UserTopicsRequest.self,
        WebhookDeadLetterItem.self,
        EstimateResponse.KeptOut.self, EstimateResponse.self, FilterTrialRequest.self, FilterTrialResponse.self,
        MissedItem.self, PersonItem.self, ProblemItem.self, ReasonsResponse.ReasonCount.self, ReasonsResponse.self,
        RenderedMessage.self,
        ResendRequest.self,
        ResendResponse.self,
        TimelineItem.self, WebPushKeyResponse.self, WebPushSubscription.Keys.self, WebPushSubscription.self,
        WhyResponse.self, WhyStep.self,
    ]

    @Test("no document of a route is missing in these tests")
    func everyDocument() async throws {
        try await Harness.run { server in
            let described = OpenAPIDocument(routes: server.api.routes).json["components"]["schemas"].objectValue
            // The last one is a number or an object.
            let readByParts = ["TreasureDataRecord", "TreasureDataRecords", "BadgeRequest"]
            #expect(described.map { Set($0.keys) } == Set(Self.all.map { $0.schema.name } + readByParts))
        }
    }

    @Test("every field is a property, and is read and written as it is stated", arguments: all)
    func sameFields(_ type: any Documented.Type) throws { try check(type) }

    private func check<Document: Documented>(_ type: Document.Type) throws {
        let schema = type.schema
        let whole = schema.example
        try schema.check(.object(whole))
        let document = try DocumentDecoder.decode(type, from: .object(whole))
        #expect(try fields(of: document) == whole)
        // A campaign has two names on the wire and one property.
        let aliases: Set<String> = type == EventRequest.self ? ["campaign_id", "td_campaign_id"] : []
        // One among many has the fields of a notification, which is one property of it.
        let inner =
            switch type {
            case is NotificationEntry.Type: NotificationRequest.schema.fields.count - 1
            // The counts beside the time.
            case is StatisticsPoint.Type: Mirror(reflecting: OutcomeCounts()).children.count - 1
            default: 0
            }
        let properties = Mirror(reflecting: document).children.count
        #expect(properties == schema.fields.count - inner - (aliases.isEmpty ? 0 : 1), "a property has no field")

        let least = whole.filter { schema.byName[$0.key]?.isRequired == true }
        #expect(try fields(of: DocumentDecoder.decode(type, from: .object(least))) == least)
        for field in schema.fields where !aliases.contains(field.name) {
            let rest = whole.filter { $0.key != field.name }
            if field.isRequired {
                #expect(throws: DecodingError.self, "\(field.name)") {
                    try DocumentDecoder.decode(type, from: .object(rest))
                }
            } else {
                #expect(try fields(of: DocumentDecoder.decode(type, from: .object(rest))) == rest, "\(field.name)")
            }
            let cleared = whole.merging([field.name: .null]) { $1 }
            let decoded = try? DocumentDecoder.decode(type, from: .object(cleared))
            let isKept = try decoded.map { try fields(of: $0)[field.name] == .null } ?? false
            #expect(isKept == field.schema.isNullable, "\(field.name)")
        }
    }

    private func fields(of document: some Encodable) throws -> [String: JSONValue] {
        try JSONReader.read(Array(JSONEncoder().encode(document))).objectValue ?? [:]
    }

    @Test("a notification has a count for every state of a delivery")
    func everyState() {
        #expect(DeliveryCounts.CodingKeys.allCases.map(\.rawValue) == DeliveryState.allCases.map(\.rawValue))
    }
}
