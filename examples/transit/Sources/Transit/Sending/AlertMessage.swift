import Foundation

/// What a rider reads of an alert, and how it is asked for at Martlet.
package struct AlertMessage: Sendable {
    private let alert: ServiceAlert
    private let names: AlertNames
    private let settings: SendSettings

    package init(_ alert: ServiceAlert, settings: SendSettings) {
        self.alert = alert
        self.settings = settings
        names = AlertNames(alert.id)
    }

    /// - Parameters:
    ///   - language: of the text, as the feed names it; `nil` is the one without a language.
    ///   - isLouder: whether it is new to these riders or worse than before; another update makes no sound.
    func body(to riders: [String], version: Int, language: String?, isLouder: Bool, now: Date) throws -> String {
        let header = text(alert.header, language)
        let details = text(alert.details, language)
        let lines = [header.prefix(settings.headerLength), details.prefix(settings.detailsLength)].filter {
            !$0.isEmpty
        }
        let isSevere = alert.severity == .severe
        return try MessageBody(
            app: settings.app,
            audience: .init(users: riders),
            title: Self.title(language),
            body: lines.joined(separator: "\n"),
            deepLink: settings.linkPrefix + Self.escaped(alert.id),
            badge: 1,
            sound: isLouder ? "default" : nil,
            threadID: names.collapseID,
            data: .init(alert: alert.id, version: version),
            overrides: isSevere ? .init(apns: .init(aps: .init(interruption: "time-sensitive"))) : nil,
            messageClass: isSevere ? "transactional" : "default",
            collapseID: names.collapseID,
            dedup: .init(key: names.dedupKey(version: version), cooldown: settings.cooldown),
            timeToLive: timeToLive(now),
            retry: settings.retry
        ).text()
    }

    /// A push that nobody sees: the app takes the alert away. With the alert's own collapse id it also takes the place of
    /// the alert where that still waits for a phone that is off.
    static func removal(
        of alert: String,
        from riders: [String],
        version: Int,
        settings: SendSettings
    ) throws -> String {
        let shown = AlertNames(alert).collapseID
        return try MessageBody(
            app: settings.app,
            audience: .init(users: riders),
            data: .init(alert: alert, version: version, action: "remove", shown: shown),
            overrides: .init(apns: .init(aps: .init(contentAvailable: 1))),
            pushType: "background",
            messageClass: "default",
            collapseID: shown,
            timeToLive: settings.longestWait,
            retry: settings.retry
        ).text()
    }

    private func text(_ text: TranslatedText, _ language: String?) -> String {
        guard let language else { return text.translations.first { $0.language == nil }?.text ?? fallback(text) }
        return text.best(for: language)?.text ?? ""
    }

    private func fallback(_ text: TranslatedText) -> String { text.translations.first?.text ?? "" }

    private func timeToLive(_ now: Date) -> Int {
        let ends = alert.periods.map { $0.end ?? .max }.max() ?? .max
        let left = ends == .max ? Int.max : ends - Int(now.timeIntervalSince1970)
        return max(60, min(settings.longestWait, left))
    }

    private static let titles = [
        "de": "Störung", "en": "Service Alert", "es": "Aviso de servicio", "fr": "Info trafic", "ja": "運行情報",
        "zh": "服务通知",
    ]

    private static func title(_ language: String?) -> String {
        let base = language?.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init)
        return base.flatMap { titles[$0] } ?? "Service Alert"
    }

    private static func escaped(_ id: String) -> String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return id.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

extension SendSettings {
    fileprivate var retry: MessageBody.Retry {
        .init(attempts: attempts, minimum: minimumDelay, rateLimited: max(minimumDelay, rateLimitedDelay))
    }
}
