import MartletWire

/// What came of the story: for every device what happened and why.
struct DemoReport: Codable, Sendable {
    /// One device's part in one alert.
    struct Row: Codable, Sendable {
        var user: String
        var device: String
        /// The delivery's state; absent where there is no delivery, because the alert was not for this user.
        var state: DeliveryState?
        var reason: String?
        var attempts: Int
        /// What the simulated APNs, or FCM, answered to each attempt.
        var answers: [String]
        /// The ids under which the simulated APNs got it: one, however often it was tried.
        var apnsIDs: [String]
        /// For a duplicate: the notification that the user has had instead.
        var heldBy: PublicID?
        /// In words.
        var what: String

        enum CodingKeys: String, CodingKey {
            case user
            case device
            case state
            case reason
            case attempts
            case answers
            case apnsIDs = "apns_ids"
            case heldBy = "held_by"
            case what
        }
    }

    /// One alert.
    struct Alert: Codable, Sendable {
        var notification: PublicID
        var summary: String
        var rows: [Row]
    }

    /// What the story used and no log may show.
    struct Used: Codable, Sendable {
        var keys: [String]
        var tokens: [String]
        var payloads: [String]
    }

    var server: String
    var apns: String
    var control: String
    var app: String
    var title: String
    var phones: [DemoPhone]
    var alerts: [Alert]
    /// What the apps reported of the first alert, as the server counts it.
    var counts: EventCountsResponse
    /// The rider with two devices.
    var inbox: DemoInboxReport
    /// The rider with a browser; absent when the demo was told to leave it out.
    var browser: DemoBrowserReport?
    /// The link into the console, where the server goes on.
    var console: String?
    var used: Used
    /// What did not come out as it should; empty when all is well.
    var surprises: [String]
}

extension DemoReport {
    /// Prints it for people.
    func show(_ output: Output) {
        output.lines([
            "The server at \(server) sends to a simulated APNs at \(apns), and to a simulated FCM.",
            "The iPhones' apps have the SDK; the Android phone's registers through REST.",
            "",
            "The alert '\(title)', for amira, ben and deniz:",
        ])
        for (index, alert) in alerts.enumerated() {
            if index > 0 { output.lines(["", "The same alert again, within its cooldown of 30 minutes:"]) }
            output.lines(table(of: alert))
            if index == 0 { showPhones(output) }
        }
        output.lines(["", "The devices afterwards:"])
        let devices = phones.map { phone -> [String?] in
            [
                phone.user, phone.name, DevicesCommand.short(phone.token),
                phone.isActive == true ? "active" : "disabled: \(phone.inactiveReason ?? "")",
                String(phone.received ?? 0),
            ]
        }
        output.lines(Table(head: ["USER", "DEVICE", "TOKEN", "STATE", "PUSHES"], rows: devices).lines)
        inbox.show(output)
        browser?.show(output)
    }

    private func table(of alert: Alert) -> [String] {
        let rows = alert.rows.map { row -> [String?] in
            [
                row.user, row.device, row.state?.rawValue, String(row.attempts),
                row.answers.isEmpty ? nil : row.answers.joined(separator: ", then "), row.what,
            ]
        }
        return Table(head: ["USER", "DEVICE", "STATE", "ATTEMPTS", "PROVIDER ANSWERED", "WHAT HAPPENED"], rows: rows)
            .lines
    }

    private func showPhones(_ output: Output) {
        output.lines([
            "", "Accepted by a provider is not delivered to a phone: only the phone can say that. These said:",
        ])
        let rows = phones.map { phone -> [String?] in
            [
                phone.user, phone.name, phone.shown.isEmpty ? nil : phone.shown.joined(separator: ", "), phone.did,
                phone.reported.isEmpty ? nil : phone.reported.map(\.rawValue).joined(separator: ", "),
            ]
        }
        output.lines(Table(head: ["USER", "DEVICE", "SHOWED", "ITS OWNER", "ITS APP REPORTED"], rows: rows).lines)
        output.lines(["Android shows a notification itself and runs no app for it: nobody reports it."])
        output.lines(["Together, in the API: \(NotificationsCommand.summary(counts) ?? "nothing")."])
    }
}
