/// A payload as the system keeps it: JSON, so that nothing of one process's objects reaches another.
package struct PayloadRecord: Sendable, Equatable {
    package let json: Data

    package init(json: Data) {
        self.json = json
    }

    /// Takes what can be written as JSON; Apple's refuses more than that too, by not being a property list.
    package init(_ object: [AnyHashable: Any]) {
        let members = Dictionary(
            object.compactMap { key, value in (key.base as? String).map { ($0, value) } },
            uniquingKeysWith: { first, _ in first }
        )
        json =
            JSONSerialization.isValidJSONObject(members)
            ? (try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])) ?? Data("{}".utf8)
            : Data("{}".utf8)
    }

    /// The members, as an app gets them: `NSNumber`, `NSString` and so on.
    package var object: [AnyHashable: Any] {
        (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
    }
}

/// A notification as the system keeps it.
package struct NotificationRecord: Sendable, Equatable {
    package var identifier: String
    package var date: Date
    package var content: ContentRecord

    package init(identifier: String, date: Date, content: ContentRecord) {
        self.identifier = identifier
        self.date = date
        self.content = content
    }
}

/// A content as the system keeps it.
package struct ContentRecord: Sendable, Equatable {
    package var title = ""
    package var subtitle = ""
    package var body = ""
    package var badge: Int?
    package var sound: String?
    package var categoryIdentifier = ""
    package var threadIdentifier = ""
    package var targetContentIdentifier: String?
    /// The raw value of `UNNotificationInterruptionLevel`, which needs iOS 15; 1 is active.
    package var interruptionLevel: UInt = 1
    package var relevanceScore = 0.0
    package var userInfo = PayloadRecord(json: Data("{}".utf8))
    package var attachments: [AttachmentRecord] = []

    package init() {}
}

/// An attachment as the system keeps it.
package struct AttachmentRecord: Sendable, Equatable {
    package var identifier: String
    package var url: URL
    package var typeIdentifier: String

    package init(identifier: String, url: URL, typeIdentifier: String) {
        self.identifier = identifier
        self.url = url
        self.typeIdentifier = typeIdentifier
    }
}
