import MartletCore
import MartletWire

/// What several requests say of a token and of its device.
enum DeviceRow {
    static let token: DocumentSchema.Row = (
        .string(limit: 4096), "The provider's token; at Apple its bytes in hexadecimal, of a browser absent."
    )
    static let platform: DocumentSchema.Row = (
        .words(of: DevicePlatform.self),
        "The operating system, or the provider; absent is 'ios', of a subscription 'web'."
    )
    static let provider: DocumentSchema.Row = (
        .words(of: PlatformName.self), "The provider, where it is not the platform's own, as FCM on ios."
    )
    static let system: DocumentSchema.Row = (
        .words(of: EventPlatform.self), "The operating system; of a device that said none, its provider's usual one."
    )
    static let reachedThrough: DocumentSchema.Row = (.words(of: PlatformName.self), "The provider.")
    static let environment: DocumentSchema.Row = (.words(of: EnvironmentName.self), "Absent lets the server find out.")
    static let previousToken: DocumentSchema.Row = (.string(limit: 4096), "The token that this one takes the place of.")
    static let subscription: DocumentSchema.Row = (
        .document(WebPushSubscription.self), "A browser's subscription; its endpoint is the token."
    )
    static let vapidKeyID: DocumentSchema.Row = (
        .string(limit: 64), "The id of the VAPID key that a browser subscribed with; absent is the app's present one."
    )
    static let model: DocumentSchema.Row = (.string(limit: DeviceInfo.limit), "The hardware, such as iPhone16,1.")
    static let osVersion: DocumentSchema.Row = (.string(limit: DeviceInfo.limit), "The operating system's version.")
    static let appVersion: DocumentSchema.Row = (.string(limit: DeviceInfo.limit), "The app's version.")
    static let locale: DocumentSchema.Row = (
        .string(limit: DeviceInfo.limit), "The language and region, such as ja-JP."
    )
    static let timeZone: DocumentSchema.Row = (
        .string(limit: DeviceInfo.limit), "The IANA time zone, such as Asia/Tokyo."
    )
}

extension WebPushSubscription: Documented {
    static let schema = document("WebPushSubscription") { field in
        switch field {
        case .endpoint: (.string(limit: 4096), "Where the browser is pushed to.")
        case .expirationTime: (.integer().orNull, "When the browser gives it up by itself; it is not looked at.")
        case .keys: (.document(Keys.self), "What messages are sealed with.")
        }
    }
}

extension WebPushSubscription.Keys: Documented {
    static let schema = document("WebPushKeys") { field in
        switch field {
        case .p256dh: (.string(limit: 128), "The browser's public key: 65 bytes as base64url.")
        case .auth: (.string(limit: 64), "The browser's secret: 16 bytes as base64url.")
        }
    }
}

extension WebPushKeyResponse: Documented {
    static let schema = document("WebPushKey") { field in
        switch field {
        case .keyID: (.string, "The key's id, which a registration repeats.")
        case .publicKey: (.string, "The key as applicationServerKey takes it: 65 bytes as base64url.")
        }
    }
}

extension TokenRegistrationRequest: Documented {
    static let schema = document("TokenRegistrationRequest") { field in
        switch field {
        case .app: (.string, "The id or name of the app; absent takes the key's.")
        case .installationID: (.uuid, "Made by the SDK; it lives as long as the install.")
        case .token: DeviceRow.token
        case .platform: DeviceRow.platform
        case .provider: DeviceRow.provider
        case .environment: DeviceRow.environment
        case .previousToken: DeviceRow.previousToken
        case .subscription: DeviceRow.subscription
        case .vapidKeyID: DeviceRow.vapidKeyID
        case .userID: (.userID.orNull, "The user; null after a logout; absent leaves it.")
        case .permission: (.words(of: PermissionName.self), "What the person allowed the app to show.")
        case .deviceModel: DeviceRow.model
        case .osVersion: DeviceRow.osVersion
        case .appVersion: DeviceRow.appVersion
        case .locale: DeviceRow.locale
        case .timeZone: DeviceRow.timeZone
        }
    }
}

extension TokenRegistrationResponse: Documented {
    static let schema = document("TokenRegistration") { field in
        switch field {
        case .endpointID: (.uuid, "The endpoint's id.")
        case .installationID: (.uuid, "The installation's id.")
        case .installationSecret: (.string, "Only when this call issued it. Every later call presents it.")
        case .userID: (.string, "Who the device belongs to now.")
        case .platform: DeviceRow.system
        case .provider: DeviceRow.reachedThrough
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment, once known.")
        case .isActive: (.boolean, "Whether pushes are made to it.")
        case .createdAt: (.time, "When the endpoint was first seen.")
        case .registeredAt: (.time, "When the token was last registered.")
        }
    }
}

extension InstallationUpdate: Documented {
    static let schema = document("InstallationUpdate") { field in
        switch field {
        case .push: (.boolean, "The device's switch, is_active at /devices; the inbox item stays either way.")
        case .permission: (.words(of: PermissionName.self), "What the person allowed the app to show.")
        case .locale: DeviceRow.locale
        case .timeZone: DeviceRow.timeZone
        }
    }
}

extension DeviceRequest: Documented {
    static let schema = document("DeviceRequest") { field in
        switch field {
        case .app: (.string, "The id or name of the app; with a user token the token says it.")
        case .userID: (.userID, "The user; with a user token its subject.")
        case .token: DeviceRow.token
        case .platform: DeviceRow.platform
        case .provider: DeviceRow.provider
        case .environment: DeviceRow.environment
        case .previousToken: DeviceRow.previousToken
        case .subscription: DeviceRow.subscription
        case .vapidKeyID: DeviceRow.vapidKeyID
        case .deviceModel: DeviceRow.model
        case .osVersion: DeviceRow.osVersion
        case .appVersion: DeviceRow.appVersion
        case .locale: DeviceRow.locale
        case .timeZone: DeviceRow.timeZone
        }
    }
}

extension DeviceBatchRequest: Documented {
    static let schema = document("DeviceBatchRequest") { field in
        switch field {
        case .devices:
            (
                .parts(of: DeviceRequest.self).of(1...limit),
                "1 to 1,000 devices, registered in this order; one that is refused does not stop the others."
            )
        }
    }
}

extension DeviceBatchDeletion: Documented {
    static let schema = document("DeviceBatchDeletion") { field in
        switch field {
        case .ids: (.list(of: .uuid), "1 to 1,000 devices; one that is refused does not stop the others.")
        }
    }
}

extension DeviceBatchResponse: Documented {
    static let schema = document("DeviceReceipts") { field in
        switch field {
        case .receipts: (.list(of: .document(DeviceReceipt.self)), "One for each device, by position.")
        }
    }
}

extension DeviceReceipt: Documented {
    static let schema = document("DeviceReceipt") { field in
        switch field {
        case .status:
            (
                .words(of: DeviceReceiptStatus.self),
                "Whether the device is new, its token was known, it was removed, or it was refused."
            )
        case .id: (.uuid, "The device's id, unless it was refused.")
        case .error: (.document(ErrorBody.Detail.self), "Why it was refused, with a field such as devices[3].token.")
        }
    }
}

extension DeviceUpdate: Documented {
    static let schema = document("DeviceUpdate") { field in
        switch field {
        case .isActive: (.boolean, "The device's switch: whether pushes are made to it. No registration changes it.")
        case .userID: (.userID.orNull, "Another user, for server keys only; null makes the device anonymous.")
        case .deviceModel: DeviceRow.model
        case .osVersion: DeviceRow.osVersion
        case .appVersion: DeviceRow.appVersion
        case .locale: DeviceRow.locale
        case .timeZone: DeviceRow.timeZone
        }
    }
}

extension DeviceResponse: Documented {
    static let schema = document("Device") { field in
        switch field {
        case .id: (.uuid, "The endpoint's id.")
        case .userID: (.string, "Who it belongs to, once known.")
        case .deviceToken: (.string, "The provider's token.")
        case .platform: DeviceRow.system
        case .provider: DeviceRow.reachedThrough
        case .environment: (.words(of: EnvironmentName.self), "The provider's environment, once known.")
        case .installationID: (.uuid, "The installation, where the SDK registered it.")
        case .isActive: (.boolean, "Whether pushes are made to it.")
        case .inactiveReason: (.string, "Why not: a word of ours such as device_off, or the provider's reason.")
        case .inactiveReasonCode: DeliveryRow.reasonCode
        case .deviceModel: DeviceRow.model
        case .osVersion: DeviceRow.osVersion
        case .appVersion: DeviceRow.appVersion
        case .locale: DeviceRow.locale
        case .timeZone: DeviceRow.timeZone
        case .permission: (.words(of: PermissionName.self), "What the person allowed the app to show.")
        case .customUserData: (.string, "What a client of the SNS interface keeps with it.")
        case .createdAt: (.time, "When it was first seen.")
        case .lastSeenAt: (.time, "When its token was last registered.")
        }
    }
}
