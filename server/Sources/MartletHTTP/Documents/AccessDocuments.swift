import MartletWire

extension KeyRequest: Documented {
    static let schema = document("KeyRequest") { field in
        switch field {
        case .scope: (.words(of: KeyScope.self), "What the holder may do.")
        case .app: (.string, "The id or name of the one app it is good for; a client key needs one.")
        case .name: (.string(limit: 100).of(1...100), "The operator's name for it.")
        case .expiresAt: (.time, "From when it is refused, in the future; absent is never.")
        }
    }
}

extension KeyResponse: Documented {
    static let schema = document("Key") { field in
        switch field {
        case .id: (.uuid, "The id.")
        case .scope: (.words(of: KeyScope.self), "What the holder may do.")
        case .appID: (.uuid, "The one app it is good for.")
        case .name: (.string, "The operator's name for it.")
        case .prefix: (.string, "The first characters, to recognise it by.")
        case .createdAt: (.time, "When it was made.")
        case .revokedAt: (.time, "When it was revoked.")
        case .expiresAt: (.time, "From when it is refused.")
        case .lastUsedAt: (.time, "When it was used last, to ten minutes.")
        case .key: (.string, "The key itself: only in the answer that made it.")
        }
    }
}

extension Finding: Documented {
    static let schema = document("Finding") { field in
        switch field {
        case .level: (.words(of: Level.self), "How bad it is.")
        case .subject: (.string, "What was looked at.")
        case .message: (.string, "What was found.")
        case .advice: (.string, "What to change.")
        }
    }
}

extension ProblemItem: Documented {
    static let schema = document("Problem") { field in
        switch field {
        case .kind:
            (
                .string,
                "What it is: 'paused', 'not_answering', 'no_credential', 'wrong_topic', 'backlog', 'quarantine', "
                    + "'dead_letters', 'webhook_dead_letters' or 'credential_ends'; there may be more in time."
            )
        case .level: (.words(of: Finding.Level.self), "How bad it is.")
        case .app: (.string, "The app's name; absent for what is of all apps together.")
        case .platform: (.platform, "The provider, where it is of one.")
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment.")
        case .reason: (.string, "The provider's own word, or what went wrong on the way to it.")
        case .reasonCode: DeliveryRow.reasonCode
        case .message: (.string, "What is wrong.")
        case .advice: (.string, "What to do.")
        case .since: (.time, "Since when; of a credential that ends: when it ends.")
        case .waiting: (.integer(), "How many deliveries or messages wait for it or are part of it.")
        }
    }
}

extension HealthResponse: Documented {
    static let schema = document("Health") { field in
        switch field {
        case .status: (.string, "'ok' when it is.")
        }
    }
}

extension ErrorBody: Documented {
    static let schema = document("Error") { field in
        switch field {
        case .error: (.document(Detail.self), "What went wrong.")
        }
    }
}

extension ErrorBody.Detail: Documented {
    static let schema = document("ErrorDetail") { field in
        switch field {
        case .code: (.string, "A word that never changes.")
        case .message: (.string, "One sentence for a person.")
        case .hint: (.string, "What to do next.")
        case .field: (.string, "The field at fault, as a path such as audience.users[3].")
        }
    }
}
