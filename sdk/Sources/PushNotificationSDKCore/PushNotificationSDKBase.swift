// What a service extension needs is a module of its own, which takes nothing of the rest into the extension.
@_exported public import PushNotificationSDKBase
