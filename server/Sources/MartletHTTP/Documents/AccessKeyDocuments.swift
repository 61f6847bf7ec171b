import MartletCore
import MartletWire

extension AccessKeyRequest: Documented {
    static let schema = document("AccessKeyRequest") { field in
        switch field {
        case .name: (.string(limit: 100).of(1...100), "The operator's name for it.")
        case .allow:
            (
                .list(of: .string(limit: AccessPermission.longest)).of(1...AccessPermission.limit),
                "What it may do: rules such as publish:arn:aws:sns:us-east-1:123456789012:news; absent is everything."
            )
        case .expiresAt: (.time, "From when it is refused, in the future; absent is never.")
        }
    }
}

extension AccessKeyResponse: Documented {
    static let schema = document("AccessKey") { field in
        switch field {
        case .accessKeyID: (.string, "What requests to the SNS interface name.")
        case .name: (.string, "The operator's name for it.")
        case .createdAt: (.time, "When it was made.")
        case .revokedAt: (.time, "When it was revoked.")
        case .expiresAt: (.time, "From when it is refused.")
        case .lastUsedAt: (.time, "When it was used last, to ten minutes.")
        case .allow: (.list(of: .string), "What it may do; absent is everything.")
        case .secretAccessKey: (.string, "What signs requests: only in the answer that made it.")
        }
    }
}
