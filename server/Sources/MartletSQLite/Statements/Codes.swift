import MartletCore

/// An enumeration that is stored as a small integer; the migrations say which stands for what.
protocol Coded: CaseIterable, Hashable {
    /// The integer; it never changes.
    var code: Int64 { get }
}

extension Coded {
    /// The case of an integer.
    init?(code: Int64) {
        guard let value = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = value
    }
}

extension Platform: Coded {
    var code: Int64 {
        switch self {
        case .apns: 1
        case .fcm: 2
        case .webpush: 3
        }
    }
}

extension Environment: Coded {
    var code: Int64 {
        switch self {
        case .sandbox: 1
        case .production: 2
        }
    }
}

extension Identity.Mode: Coded {
    var code: Int64 {
        switch self {
        case .asserted: 1
        case .signed: 2
        }
    }
}

extension CredentialSummary.Kind: Coded {
    var code: Int64 {
        switch self {
        case .token: 1
        case .certificate: 2
        }
    }
}

extension APIKey.Scope: Coded {
    var code: Int64 {
        switch self {
        case .admin: 1
        case .send: 2
        case .client: 3
        }
    }
}

extension Notification.State: Coded {
    var code: Int64 {
        switch self {
        case .scheduled: 0
        case .sending: 1
        case .done: 2
        case .cancelled: 3
        }
    }
}

extension Suppression.Reason: Coded {
    var code: Int64 {
        switch self {
        case .duplicate: 1
        case .noEndpoint: 2
        case .unknownEndpoint: 3
        case .endpointDisabled: 4
        case .endpointRemoved: 5
        case .noCredential: 6
        }
    }
}

extension Priority: Coded {
    var code: Int64 { Int64(rawValue) }
}

extension Fact.State: Coded {
    var code: Int64 { Int64(rawValue) }
}

extension Candidate.Status: Coded {
    var code: Int64 { Int64(rawValue) }
}
