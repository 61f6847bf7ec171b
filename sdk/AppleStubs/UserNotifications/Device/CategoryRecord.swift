/// A category as the system keeps it.
package struct CategoryRecord: Sendable, Equatable {
    package var identifier: String
    package var actions: [ActionRecord]
    package var intentIdentifiers: [String]
    package var hiddenPreviewsBodyPlaceholder: String
    package var options: UNNotificationCategoryOptions
}

/// An action as the system keeps it.
package struct ActionRecord: Sendable, Equatable {
    /// A field that the user writes into.
    package struct Input: Sendable, Equatable {
        package var buttonTitle: String
        package var placeholder: String
    }

    package var identifier: String
    package var title: String
    package var options: UNNotificationActionOptions
    package var input: Input?
}
