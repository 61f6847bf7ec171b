import MartletWire

@testable import MartletHTTP

extension WireSamples {
    /// The documents about what phones report.
    static var events: [WireSample] {
        var request = EventRequest(eventID: id, type: .open, time: time, messageID: "m", installationID: id)
        request.campaignID = "c"
        request.userID = "u"
        request.value = "v"
        request.fcmToken = "f"
        request.apnsToken = "aa"
        request.deviceModel = "a"
        request.osVersion = "a"
        request.appVersion = "a"
        var item = EventItem(position: 1, appID: id, type: .open, time: time, receivedAt: time, platform: .ios)
        item.eventID = id
        item.clientTime = time
        item.messageID = "m"
        item.campaignID = "c"
        item.userID = "u"
        item.value = "v"
        item.fcmToken = "f"
        item.apnsToken = "aa"
        item.installationID = id
        item.deviceModel = "a"
        item.osVersion = "a"
        item.appVersion = "a"
        let failure = EventReceipt.Failure(name: "n", description: "d")
        let receipt = EventReceipt.refused(failure)
        return [
            WireSample(request), WireSample(EventsRequest(events: [request])), WireSample(item),
            WireSample(failure), WireSample(receipt), WireSample(EventsResponse(receipts: [receipt])),
            WireSample(EventQueryRequest(sql: "s", app: "a", limit: 1)),
            WireSample(EventQueryResponse(columns: ["c"], rows: [[1]], isTruncated: true)),
            WireSample(EventCountsResponse(deliveries: 1, opens: 1, dismissals: 1, links: 1, deeplinks: 1)),
        ]
    }
}
