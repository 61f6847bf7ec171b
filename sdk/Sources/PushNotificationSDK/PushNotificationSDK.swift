// A class that is called like its module cannot be read back from a module interface, so the class and everything else
// is in two other modules, and this one is what apps import.
@_exported public import PushNotificationSDKApple
@_exported public import PushNotificationSDKCore
