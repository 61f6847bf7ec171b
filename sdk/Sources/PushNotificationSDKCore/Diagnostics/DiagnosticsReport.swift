/// Diagnostics as people read them.
package struct DiagnosticsReport: Sendable, Equatable {
    /// A part of it.
    package struct Section: Sendable, Equatable {
        /// What it is about.
        package var title: String
        /// What is said about it.
        package var lines: [Line]
    }

    /// One thing.
    package struct Line: Sendable, Equatable {
        /// What it is.
        package var name: String
        /// What it is now.
        package var value: String
    }

    /// Its parts; what is wrong comes first.
    package private(set) var sections: [Section]

    /// What is known, in a language.
    package init(_ known: PushNotificationDiagnostics, in language: ErrorLanguage) {
        let words = DiagnosticsWords(language)
        sections = [
            Section(title: words.problems, lines: words.lines(ofProblems: known)),
            Section(title: words.device, lines: words.lines(ofDevice: known)),
            Section(title: words.user, lines: words.lines(ofUser: known)),
            Section(title: words.forwarding, lines: words.lines(ofForwarding: known)),
            Section(title: words.events, lines: words.lines(ofEvents: known)),
            Section(title: words.history, lines: words.lines(ofHistory: known)),
        ]
    }

    /// The whole of it, one thing a line.
    package var text: String {
        let parts = sections.map { section in
            ([section.title] + section.lines.map { "  \($0.name): \($0.value)" }).joined(separator: "\n")
        }
        return parts.joined(separator: "\n\n")
    }
}

extension PushNotificationDiagnostics: CustomStringConvertible {
    /// All of it for people, in Japanese where that is the person's first language, else in English. Only the present user
    /// is named, and the device token is shortened.
    public var text: String { DiagnosticsReport(self, in: .current).text }

    /// The same as ``text``.
    public var description: String { text }
}

/// A test that the device sends to itself.
package enum TestNotification: Sendable, Equatable {
    /// Nobody has asked for one.
    case notSent
    /// The server is asked.
    case sending
    /// The server sends it.
    case sent(messageID: String)
    /// The server does not send it.
    case failed(PushNotificationError)

    /// How far it has come; `nil` before it is asked for.
    ///
    /// - Parameter known: where its arrival is looked for.
    package func text(_ known: PushNotificationDiagnostics?, in language: ErrorLanguage) -> String? {
        let words = DiagnosticsWords(language)
        switch self {
        case .notSent: return nil
        case .sending: return words("The server is asked.", "サーバーに依頼しています。")
        case .sent(let id) where known?.hasArrived(id) ?? false: return words("The test arrived.", "テストが届きました。")
        case .sent: return words("The server sends the test.", "サーバーがテストを送信します。")
        case .failed(let error):
            let text = error.text(in: language)
            return "\(text.description) \(text.suggestion)"
        }
    }
}
