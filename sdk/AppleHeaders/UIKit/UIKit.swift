// The Swift half of UIKit, as far as apps need it. Nothing is linked or run.
@_exported public import UIKit

extension UIApplicationDelegate {
    /// Where an app's `@main` begins.
    @MainActor public static func main() {}
}
