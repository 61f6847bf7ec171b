import MartletCore
import MartletWire

// The wire's words and the domain's, one to one: a case added on one side does not compile until the other has it.

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
