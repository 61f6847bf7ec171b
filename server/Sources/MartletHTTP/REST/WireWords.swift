import MartletCore
import MartletWire

// The wire's words and the domain's, one to one: a case added on one side does not compile until the other has it.

extension APIKey.Scope {
    init(_ scope: KeyScope) {
        switch scope {
        case .admin: self = .admin
        case .send: self = .send
        case .client: self = .client
        }
    }
}

extension KeyScope {
    init(_ scope: APIKey.Scope) {
        switch scope {
        case .admin: self = .admin
        case .send: self = .send
        case .client: self = .client
        }
    }
}

extension NotificationStatus {
    init(_ state: Notification.State) {
        switch state {
        case .scheduled: self = .scheduled
        case .sending: self = .sending
        case .done: self = .done
        case .cancelled: self = .cancelled
        }
    }
}
