// What the toolchain's importer cannot make of the header beside this file. Nothing is linked or run.
public import Foundation
@_exported public import UserNotifications

extension UNNotificationAttachment {
    /// Apple's is imported from Objective-C, where errors are pointers that Linux's standard library has not.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        fatalError()  // a header: type-checked, and linked into nothing
    }
}
