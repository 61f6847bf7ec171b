#if canImport(SwiftUI)
    public import Foundation
    import PushNotificationSDKCore
    public import SwiftUI
    import UIKit

    @available(iOS 14, tvOS 14, *)
    extension View {
        /// Hands over to the SDK the links by which the system opens the window that this view is in: those that
        /// ``PushNotificationSDK/linkPolicy`` allows, universal links too, reach ``PushNotificationSDK/onDeepLink``. It
        /// belongs at the root of each window, once.
        ///
        /// - Parameter others: takes what the SDK does not, such as the link that a login comes back with.
        public func pushNotificationLinks(others: @escaping (URL) -> Void = { _ in }) -> some View {
            modifier(WindowLinks(others: others))
        }
    }

    /// Takes the links of a window, and finds out which window that is.
    @available(iOS 14, tvOS 14, *)
    private struct WindowLinks: ViewModifier {
        private let others: (URL) -> Void
        @State private var place = Place()

        init(others: @escaping (URL) -> Void) {
            self.others = others
        }

        func body(content: Content) -> some View {
            content.background(Marker(place: place)).onOpenURL { url in
                var link = SystemLink(url, in: UIApplication.shared.sceneID(of: place.view?.window))
                link.isUnsorted = true
                if !PushNotificationSDK.didOpen(link) { others(url) }
            }
        }
    }

    /// Where a view is: SwiftUI does not tell the scene.
    @MainActor
    private final class Place {
        weak var view: UIView?
    }

    /// An empty view behind the app's, which is in the same window.
    private struct Marker: UIViewRepresentable {
        let place: Place

        func makeUIView(context: Context) -> UIView {
            let view = UIView()
            view.isUserInteractionEnabled = false
            place.view = view
            return view
        }

        func updateUIView(_ view: UIView, context: Context) {}
    }
#endif
