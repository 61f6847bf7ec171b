import MartletWire

/// What several requests say of a person's choices.
private enum ChoiceRow {
    static let master: DocumentSchema.Row = (
        .document(ChannelPatch.self), "What holds over all categories; it changes no category's own choice."
    )
    static let categories: DocumentSchema.Row = (
        .map(of: .document(ChannelPatch.self)), "The choices for categories, by key."
    )
}

extension PreferencesUpdate: Documented {
    static let schema = document("PreferencesUpdate") { field in
        switch field {
        case .master: ChoiceRow.master
        case .categories: ChoiceRow.categories
        }
    }
}

extension PreferencesResponse: Documented {
    static let schema = document("Preferences") { field in
        switch field {
        case .revision: (.integer(), "The number of the last change, for If-Match; 0 where nothing was ever chosen.")
        case .master: (.document(ChannelChoice.self), "What was chosen over all categories.")
        case .categories:
            (.list(of: .document(CategoryPreference.self)), "One for each category that is not archived, by position.")
        case .locale: (.string, "The language and region of the newest device.")
        case .timeZone: (.string, "The IANA time zone of the newest device.")
        }
    }
}

extension CategoryPreference: Documented {
    static let schema = document("CategoryPreference") { field in
        switch field {
        case .key: (.string, "The category's key.")
        case .names: (.map(of: .string), "What people read, by locale.")
        case .choice: (.document(ChannelChoice.self), "What was chosen.")
        case .push: (.document(ChannelState.self), "Whether there are pushes, and what says so.")
        case .inbox: (.document(ChannelState.self), "Whether there are inbox items, and what says so.")
        }
    }
}

extension ChannelState: Documented {
    static let schema = document("ChannelState") { field in
        switch field {
        case .isOn: (.boolean, "Whether it is on.")
        case .source: (.words(of: PreferenceSource.self), "What says so.")
        }
    }
}

extension PreferencesBatchRequest: Documented {
    static let schema = document("PreferencesBatchRequest") { field in
        switch field {
        case .app: (.string, "The id or name of the app; absent takes the key's.")
        case .users:
            (
                .parts(of: UserPreferencesUpdate.self).of(1...limit),
                "1 to 1,000 people, in this order; one that is refused does not stop the others."
            )
        }
    }
}

extension UserPreferencesUpdate: Documented {
    static let schema = document("UserPreferencesUpdate") { field in
        switch field {
        case .userID: (.userID, "The user.")
        case .master: ChoiceRow.master
        case .categories: ChoiceRow.categories
        }
    }
}

extension PreferencesBatchResponse: Documented {
    static let schema = document("PreferencesReceipts") { field in
        switch field {
        case .receipts: (.list(of: .document(PreferencesReceipt.self)), "One for each person, by position.")
        }
    }
}

extension PreferencesReceipt: Documented {
    static let schema = document("PreferencesReceipt") { field in
        switch field {
        case .revision: (.integer(), "The number of the person's last change, unless it was refused.")
        case .error: (.document(ErrorBody.Detail.self), "Why it was refused, with a field such as users[3].user_id.")
        }
    }
}

extension PreferenceChange: Documented {
    static let schema = document("PreferenceChange") { field in
        switch field {
        case .revision: (.integer(), "Its number.")
        case .category: (.string, "The category's key; absent is the choice over all.")
        case .before: (.document(ChannelChoice.self), "What was chosen before.")
        case .after: (.document(ChannelChoice.self), "What was chosen then.")
        case .actor: (.string, "Who changed it: 'user', or the name of an API key.")
        case .at: (.time, "When.")
        }
    }
}
