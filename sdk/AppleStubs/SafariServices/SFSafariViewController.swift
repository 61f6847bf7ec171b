@_exported public import Foundation
public import UIKit

/// A browser within the app.
@MainActor
open class SFSafariViewController: UIViewController {
    /// The page that it began with.
    package let url: URL

    /// A browser at a page.
    ///
    /// - Parameter URL: of scheme http or https; with any other Apple's raises an exception.
    public init(url URL: URL) {
        precondition(
            ["http", "https"].contains(URL.scheme?.lowercased()),
            "SFSafariViewController takes http and https only"
        )
        url = URL
        super.init()
    }
}
