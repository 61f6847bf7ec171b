import MartletWire

extension AuditItem: Documented {
    static let schema = document("AuditEntry") { field in
        switch field {
        case .at: (.time, "When.")
        case .actor: (.document(Actor.self), "Who.")
        case .action: (.string, "What was done, as noun.verb, such as 'app.update'.")
        case .subject: (.document(Subject.self), "What was changed.")
        case .appID: (.uuid, "The app that it was about, while there is one.")
        case .before: (.any, "What was there, without secrets; absent for what was made.")
        case .after: (.any, "What is there now, without secrets; absent for what is gone.")
        }
    }
}

extension AuditItem.Actor: Documented {
    static let schema = document("AuditActor") { field in
        switch field {
        case .kind: (.words(of: AuditActorKind.self), "Whether a person in the console, a key, or the server.")
        case .id: (.string, "The operator's or the key's id; empty of the system.")
        case .name: (.string, "Their name at that time.")
        }
    }
}

extension AuditItem.Subject: Documented {
    static let schema = document("AuditSubject") { field in
        switch field {
        case .kind: (.string, "The noun, such as 'app', 'key', 'operator'.")
        case .id: (.string, "Its id, or its name where it has none.")
        }
    }
}
