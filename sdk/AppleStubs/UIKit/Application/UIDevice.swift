/// The device.
@MainActor
open class UIDevice: NSObject {
    /// What a device says of itself.
    package struct Facts: Sendable {
        package var model = "iPhone"
        package var systemVersion = "18.0"
        package var identifierForVendor: UUID?

        package init() {}
    }

    private static let theDevice = UIDevice(Facts())

    /// The process's default device.
    open class var current: UIDevice { theDevice }

    private let facts: Facts

    /// A device of its own.
    package nonisolated init(_ facts: Facts) {
        self.facts = facts
        super.init()
    }

    /// What the device calls itself; since iOS 16 the same as `model`, without an entitlement.
    open var name: String { facts.model }
    /// The kind of device, such as `iPhone`.
    open var model: String { facts.model }
    /// The system's name.
    open var systemName: String { "iOS" }
    /// The system's version, such as `17.2`.
    open var systemVersion: String { facts.systemVersion }
    /// An id that the vendor's apps on this device share; `nil` before the first unlock.
    open var identifierForVendor: UUID? { facts.identifierForVendor }
}
