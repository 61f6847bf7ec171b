import Foundation
import MartletCore
import MartletPipeline
import MartletWire

/// What a phone shows of a push. A pure value.
struct PhonePreview: Sendable, Hashable {
    var title: String?
    var subtitle: String?
    var body: String?
    var hasImage = false
    var badge: String?

    /// From the payload that goes to Apple, so that what was overridden is shown.
    init(payload: [UInt8], hasImage: Bool) {
        let aps = (try? JSONValue(json: Data(payload)))?.objectValue?["aps"]?.objectValue ?? [:]
        if let text = aps["alert"]?.stringValue {
            body = text
        } else if let alert = aps["alert"]?.objectValue {
            (title, subtitle, body) =
                (alert["title"]?.stringValue, alert["subtitle"]?.stringValue, alert["body"]?.stringValue)
        }
        if let number = aps["badge"]?.integerValue { badge = String(number) }
        self.hasImage = hasImage
    }

    /// From what is being written, where nothing is rendered.
    init(_ form: ComposeForm) {
        (title, subtitle, body) = (form.text(.title), form.text(.subtitle), form.text(.body))
        hasImage = form.text(.image) != nil
        if form.badgeKind == .number { badge = form.text(.badge) }
    }

    /// Where and how it is shown: the lock screen and a banner, in light and in dark.
    static let looks: [(place: String, look: String)] = [
        ("lock", "light"), ("banner", "light"), ("lock", "dark"), ("banner", "dark"),
    ]

    /// What its templates are filled with. A push without a title has the app's name in its place.
    func values(app: String, _ texts: Texts) -> [PageValues] {
        Self.looks.enumerated().map { index, shown in
            let (place, look) = shown
            var values: PageValues = [
                "is_repeat": index > 0, "is_lock": place == "lock", "look": look, "place": place, "app_name": app,
                "caption": texts["compose.phone.\(place)_\(look)"], "shown_title": title ?? app,
                "initial": String(app.prefix(1)).uppercased(), "shows_image": hasImage,
            ]
            if let subtitle { values["shown_subtitle"] = subtitle }
            if let body { values["shown_body"] = body }
            if let badge, badge != "0" { values["shown_badge"] = badge }
            return values
        }
    }
}

/// How much of the provider's limit a message takes, for the page.
extension PageValues {
    static func size(_ preview: MessagePreview, _ providers: [Platform: any Provider], _ texts: Texts) -> PageValues {
        var values: PageValues = ["platform_name": texts["compose.platform.\(preview.platform.rawValue)"]]
        switch preview.result {
        case .success(let message):
            guard let size = providers[preview.platform]?.size(of: message) else { break }
            values["fits"] = true
            values["bytes"] = size.bytes
            values["limit"] = size.limit
            values["left"] = texts.counted("compose.bytes_left", Swift.max(0, size.limit - size.bytes))
            values["of"] =
                texts[
                    "compose.bytes_of",
                    [
                        "n": Texts.number(size.bytes), "limit": Texts.number(size.limit),
                    ]
                ]
        case .failure(let failure):
            values["refused_size"] = PageValues.refusal(failure, texts)
        }
        return values
    }
}
