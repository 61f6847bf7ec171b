import MartletWire

/// Brings together what the server recorded and what the simulated providers saw.
struct DemoRows {
    let deliveries: [DeliveryItem]
    let suppressions: [SuppressionItem]

    /// A phone's part in an alert.
    func row(of phone: DemoPhone, received: DemoSimulators.Received) -> DemoReport.Row {
        var row = DemoReport.Row(
            user: phone.user,
            device: phone.name,
            attempts: 0,
            answers: received.answers,
            apnsIDs: received.ids,
            what: "not affected: the alert was not for \(phone.user)"
        )
        if let left = suppression(of: phone) {
            row.state = .suppressed
            row.reason = left.reason
            row.heldBy = left.heldBy
            row.what = Self.words(left)
        } else if let delivery = deliveries.first(where: { $0.endpointID == phone.endpoint }) {
            row.state = delivery.state
            row.reason = delivery.reason
            row.attempts = delivery.attempts
            row.what = Self.words(delivery)
        }
        return row
    }

    /// A duplicate is one for the user, whatever device it would have gone to.
    private func suppression(of phone: DemoPhone) -> SuppressionItem? {
        suppressions.first { $0.endpointID == phone.endpoint }
            ?? suppressions.first { $0.endpointID == nil && $0.userID == phone.user }
    }

    private static func words(_ delivery: DeliveryItem) -> String {
        switch delivery.state {
        case .accepted where delivery.attempts > 1: "accepted when it was retried"
        case .accepted where delivery.platform == .fcm: "accepted, by FCM"
        case .accepted: "accepted"
        case .rejected where delivery.reason == "Unregistered": "the app is gone from it: the device is disabled"
        default: [delivery.state.rawValue, delivery.reason].compactMap { $0 }.joined(separator: ": ")
        }
    }

    private static func words(_ left: SuppressionItem) -> String {
        switch left.reason {
        case "duplicate": "duplicate: \(left.userID ?? "it") has had this alert"
        case "endpoint_disabled": "endpoint_disabled: APNs said that the app is gone"
        default: left.reason
        }
    }
}

/// What has to come of the story.
enum DemoExpectation {
    /// What the apps have to report of the first alert: two phones got it, amira tapped, ben did not.
    static let counts = EventCountsResponse(deliveries: 2, opens: 1, dismissals: 1, deeplinks: 1)

    /// What did not.
    static func surprises(
        alerts: [DemoReport.Alert],
        phones: [DemoPhone],
        counts: EventCountsResponse
    ) -> [String] {
        guard alerts.count == 2, alerts.allSatisfy({ $0.rows.count == 5 }), phones.count == 5 else {
            return ["there are not two alerts with five devices each"]
        }
        let first = alerts[0].rows
        let second = alerts[1].rows
        let results: [(Bool, String)] = [
            (first[0].state == .accepted && first[0].attempts == 1, "amira's iPhone did not get the alert"),
            (first[1].state == .rejected && first[1].answers == ["410 Unregistered"], "the old iPhone was not refused"),
            (phones[1].isActive == false, "the old iPhone is not disabled"),
            (
                first[2].state == .accepted && first[2].answers == ["503 ServiceUnavailable", "200"],
                "ben's iPhone was not tried again"
            ),
            (first[2].apnsIDs.count == 1, "ben's iPhone was tried again under another apns-id"),
            (first[3].state == nil && phones[3].received == 0, "chiara got something"),
            (first[4].state == .accepted && first[4].answers == ["200"], "deniz's Android phone did not get the alert"),
            (
                second.enumerated().allSatisfy { $0.offset == 3 || $0.element.state == .suppressed },
                "the second alert was not suppressed"
            ),
            ([0, 2, 4].allSatisfy { second[$0].reason == "duplicate" }, "the second alert was no duplicate"),
            (second.allSatisfy { $0.answers.isEmpty }, "the second alert reached a provider"),
            (phones.map(\.shown.count) == [1, 0, 1, 0, 1], "the phones did not show what they should"),
            (counts == Self.counts, "the apps did not report what they should"),
        ]
        return results.filter { !$0.0 }.map(\.1)
    }
}
