import MartletWire

/// What came of the browser's part in the demo.
struct DemoBrowserReport: Codable, Sendable {
    let user: String
    /// Which browser it is; absent where none is installed.
    let device: String?
    /// The address of its subscription.
    var endpoint: String?
    var state: DeliveryState?
    var attempts = 0
    /// What the simulated push service answered to each attempt.
    var answers: [String] = []
    /// The titles of the notifications that it showed.
    var shown: [String] = []
    /// What its worker reported of the alert, as the server has it.
    var reported: [EventType] = []
    /// What stood in the way, if something did.
    var problem: String?

    init(user: String, device: String?) {
        self.user = user
        self.device = device
    }

    /// Prints it for people.
    func show(_ output: Output) {
        guard let device else {
            return output.lines([
                "",
                "No browser is installed, so none took part: 'apt-get install firefox-esr' adds one, or chromium.",
            ])
        }
        let row: [String?] = [
            user, device, state?.rawValue, String(attempts),
            answers.isEmpty ? nil : answers.joined(separator: ", then "),
            what,
        ]
        output.lines(["", "The alert for emil, whose browser is a real one at simulated push services:"])
        let head = ["USER", "DEVICE", "STATE", "ATTEMPTS", "PROVIDER ANSWERED", "WHAT HAPPENED"]
        output.lines(Table(head: head, rows: [row]).lines)
    }

    /// In words.
    private var what: String {
        if let problem { return problem }
        let events = reported.map(\.rawValue).joined(separator: ", ")
        return "it showed '\(shown.joined(separator: ", "))', and its worker reported \(events)"
    }
}
