import CPushNotificationSDK

/// The header's function, in Swift: accepted as it is, and refused with another type (`scripts/check-bridges`).
@c @implementation
public func UnityPushSDK_RequestPermission(_ callback: (@convention(c) (CInt) -> Void)!) {}
