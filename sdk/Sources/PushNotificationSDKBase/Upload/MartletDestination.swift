package import Foundation
package import MartletWireBase

/// The events interface of the app's own server: `POST /api/v1/events`.
package struct MartletDestination: EventDestination {
    /// Where events go and as whom, as it stands when a request is made.
    package struct Access: Sendable, Equatable {
        /// The address of the interface.
        package var url: URL
        /// The app's client key.
        package var apiKey: String
        /// The secret that the installation's registration returned.
        package var installationSecret: String
        /// The most seconds of one request.
        package var timeout: TimeInterval

        package init(url: URL, apiKey: String, installationSecret: String, timeout: TimeInterval) {
            self.url = url
            self.apiKey = apiKey
            self.installationSecret = installationSecret
            self.timeout = timeout
        }
    }

    /// Below this a body is sent as it is: one packet, ours.
    private static let packedFrom = 1024

    package let name = "martlet"
    /// 500 events is the interface's bound; the bytes are ours, within every server's bound for a body.
    package let limits = BatchLimits(events: EventsRequest.limit, bytes: 512 << 10)
    private let access: @Sendable () -> Access?

    /// A destination whose access may change, and is `nil` until the installation is registered.
    package init(_ access: @escaping @Sendable () -> Access?) {
        self.access = access
    }

    package func isReady() -> Bool { access() != nil }

    package func call(for events: [PushEvent]) -> HTTPCall? {
        let requests = events.compactMap(EventRequest.init)
        // Receipts are by position, so a batch goes whole or not at all.
        guard let access = access(), requests.count == events.count,
            var body = try? JSONEncoder().encode(EventsRequest(events: requests))
        else { return nil }
        var headers = [
            "Authorization": "Bearer \(access.apiKey)", HeaderName.installationSecret: access.installationSecret,
            "Content-Type": "application/json", "Accept": "application/json",
        ]
        if body.count >= Self.packedFrom {
            headers["Content-Encoding"] = "gzip"
            body = Gzip.pack(body)
        }
        return HTTPCall("POST", access.url, headers: headers, body: body, timeout: access.timeout)
    }

    package func receipts(_ answer: HTTPAnswer, count: Int) -> [ReceiptVerdict]? {
        guard let response = try? JSONDecoder().decode(EventsResponse.self, from: answer.body),
            response.receipts.count == count
        else { return nil }
        // The server says no only to what it will never take.
        return response.receipts.map { $0.success ? .kept : .refused($0.error?.name ?? "") }
    }
}

extension EventRequest {
    /// An event as the interface wants it; `nil` while the installation is not known.
    package init?(_ event: PushEvent) {
        guard let installation = event.context.installationID.flatMap({ PublicID($0) }) else { return nil }
        self.init(
            eventID: PublicID(event.id),
            type: event.type,
            time: UTCTime(milliseconds: event.time),
            messageID: event.message.messageID ?? event.message.requestID,
            installationID: installation
        )
        campaignID = event.message.campaignID
        userID = event.context.userID
        value = event.value
        fcmToken = event.context.fcmToken
        apnsToken = event.context.apnsToken
        deviceModel = event.context.deviceModel
        osVersion = event.context.osVersion
        appVersion = event.context.appVersion
    }
}
