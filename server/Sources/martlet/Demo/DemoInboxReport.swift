import MartletWire

/// What came of the demo's second part.
struct DemoInboxReport: Codable, Sendable {
    /// A device at one moment.
    struct Device: Codable, Sendable, Equatable {
        var name: String
        /// How many pushes the simulated APNs got for it.
        var pushes: Int
        /// What is on its screen.
        var shows: [String]
        /// The number on the app's icon.
        var badge: Int
        /// The notice list, in words, once its owner opened it.
        var list: String?
    }

    /// When both were sent, and the list was opened on the iPad.
    var before: [Device] = []
    /// When the alert was read on the iPad.
    var after: [Device] = []
    /// Of the alert and of the news.
    var why: [WhyResponse] = []
    /// What the apps did wrong.
    var faults: [String] = []
    /// What no log may show.
    let tokens: [String]
    let secrets: [String]

    init(tokens: [String], secrets: [String]) {
        self.tokens = tokens
        self.secrets = secrets
    }

    enum CodingKeys: String, CodingKey { case before, after, why, faults, tokens, secrets }
}

extension DemoInboxReport {
    /// Prints it for people.
    func show(_ output: Output) {
        output.lines([
            "",
            "Nadia has two devices. On the iPad she switched notifications off in Settings, and in the app pushes of",
            "the category 'news'. The backend sends her news and then an alert:",
        ])
        output.lines(Self.table(before))
        output.lines(["", "She reads the alert on the iPad; one more push tells the iPhone the new number:"])
        output.lines(Self.table(after))
        for (name, why) in zip(["alert", "news"], why) {
            output.lines(["", "martlet why, for the \(name):", "  " + TextWidth.printable(why.summary)])
        }
    }

    private static func table(_ devices: [Device]) -> [String] {
        let rows = devices.map { device -> [String?] in
            [
                device.name, String(device.pushes), device.shows.isEmpty ? nil : device.shows.joined(separator: ", "),
                device.badge == 0 ? nil : String(device.badge), device.list,
            ]
        }
        return Table(head: ["DEVICE", "PUSHES AT APNS", "SCREEN", "BADGE", "NOTICE LIST"], rows: rows).lines
    }

    /// What did not come out as it should.
    var surprises: [String] {
        guard before.count == 2, after.count == 2, why.count == 2 else { return ["nadia's devices did not take part"] }
        let results: [(Bool, String)] = [
            (before.map(\.pushes) == [1, 0], "nadia's devices did not get one push"),
            (before.map(\.shows) == [[DemoInbox.alert], []], "nadia's devices did not show what they should"),
            (before.map(\.badge) == [2, 0], "the iPhone's badge was not the number of unread notices"),
            (before[1].list == "2 notices, 2 unread", "nadia's list had not two unread notices"),
            (after.allSatisfy(\.shows.isEmpty), "what was read on the iPad did not leave the iPhone"),
            (after[0].badge == 1, "the iPhone's badge did not follow"),
            (after.allSatisfy { $0.list == "2 notices, 1 unread" }, "the devices' lists are not the same"),
            (
                why[0].devices.contains { $0.state == .suppressed && $0.reason == "permission_off" },
                "nobody can say why the iPad got nothing"
            ),
            (
                why[1].steps.contains { $0.reason == "preference_off" },
                "nobody can say why there was no push of the news"
            ),
        ]
        return results.filter { !$0.0 }.map(\.1) + faults
    }
}
