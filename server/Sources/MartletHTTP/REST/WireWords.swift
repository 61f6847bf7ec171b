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

extension Priority {
    init(_ name: PriorityName) {
        switch name {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}

extension PriorityName {
    init(_ priority: Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
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

extension DeliveryState {
    init(_ state: DeliveryReport.State) {
        switch state {
        case .pending: self = .pending
        case .accepted: self = .accepted
        case .rejected: self = .rejected
        case .suppressed: self = .suppressed
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        case .dead: self = .dead
        }
    }
}
