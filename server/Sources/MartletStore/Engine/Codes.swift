package import MartletCore
package import MartletWire

/// An enumeration that is stored as a small integer; the migrations say which stands for what.
package protocol DatabaseEnum {
    /// The integer; it never changes.
    var code: Int64 { get }
    /// The case of an integer.
    init?(code: Int64)
}

extension DatabaseEnum where Self: RawRepresentable, RawValue == Int {
    /// The raw value.
    package var code: Int64 { Int64(rawValue) }
    /// The case of a raw value.
    package init?(code: Int64) { self.init(rawValue: Int(code)) }
}

extension Priority: DatabaseEnum {}
extension DeliveryResult.State: DatabaseEnum {}
extension Candidate.Status: DatabaseEnum {}
extension InboxItemKind: DatabaseEnum {}

extension Platform: DatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .apns: 1
        case .fcm: 2
        case .webpush: 3
        }
    }

    /// The platform of an integer.
    package init?(code: Int64) {
        switch code {
        case 1: self = .apns
        case 2: self = .fcm
        case 3: self = .webpush
        default: return nil
        }
    }
}

extension NotificationOrigin: DatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .caller: 1
        case .deliveryFailure: 2
        }
    }

    /// The origin of an integer.
    package init?(code: Int64) {
        switch code {
        case 1: self = .caller
        case 2: self = .deliveryFailure
        default: return nil
        }
    }
}

extension Environment: DatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .sandbox: 1
        case .production: 2
        case .google: 3
        case .mozilla: 4
        case .microsoft: 5
        case .apple: 6
        case .otherService: 7
        }
    }

    /// The environment of an integer.
    package init?(code: Int64) {
        switch code {
        case 1: self = .sandbox
        case 2: self = .production
        case 3: self = .google
        case 4: self = .mozilla
        case 5: self = .microsoft
        case 6: self = .apple
        case 7: self = .otherService
        default: return nil
        }
    }
}

/// An enumeration that is read seldom enough to look its cases through.
package protocol RareDatabaseEnum: DatabaseEnum, CaseIterable {}

extension RareDatabaseEnum {
    /// The case of an integer.
    package init?(code: Int64) {
        guard let value = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}

extension NotificationClass: RareDatabaseEnum {
    /// The most urgent first.
    package var code: Int64 {
        switch self {
        case .transactional: 1
        case .default: 2
        case .bulk: 3
        }
    }
}

extension IdentityMode: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .asserted: 1
        case .signed: 2
        }
    }
}

extension CredentialKind: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .token: 1
        case .certificate: 2
        case .serviceAccount: 3
        case .vapid: 4
        }
    }
}

extension KeyScope: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .admin: 1
        case .send: 2
        case .client: 3
        }
    }
}

extension NotificationStatus: RareDatabaseEnum {
    /// From 0 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .scheduled: 0
        case .sending: 1
        case .done: 2
        case .cancelled: 3
        }
    }
}

extension PermissionName: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .notDetermined: 1
        case .denied: 2
        case .authorized: 3
        case .provisional: 4
        case .ephemeral: 5
        }
    }
}

extension QuarantineReason: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .crashed: 1
        case .unreadable: 2
        }
    }
}

extension Suppression.Reason: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .duplicate: 1
        case .noEndpoint: 2
        case .unknownEndpoint: 3
        case .endpointDisabled: 4
        case .endpointRemoved: 5
        case .noCredential: 6
        case .readInInbox: 7
        case .quietHours: 8
        case .preferenceOff: 9
        case .deviceOff: 10
        case .permissionOff: 11
        case .superseded: 12
        }
    }
}

extension InboxBadgeName: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .unread: 1
        case .unseen: 2
        }
    }
}

extension OperatorRole: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .viewer: 1
        case .sender: 2
        case .admin: 3
        }
    }
}

extension AuditActorKind: RareDatabaseEnum {
    /// From 1 in the order of the cases.
    package var code: Int64 {
        switch self {
        case .operator: 1
        case .key: 2
        case .system: 3
        }
    }
}
