// What of Firebase's SDK the guide uses, by name and type: `FIRMessaging.h` as Swift imports it.
public import Foundation

public class Messaging: NSObject {
    public class func messaging() -> Messaging { Messaging() }
    public weak var delegate: (any MessagingDelegate)?
}

// Firebase's header has the methods as optional ones of Objective-C, and calls one of the two.
public protocol MessagingDelegate: NSObjectProtocol {
    func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?)
    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?)
}
