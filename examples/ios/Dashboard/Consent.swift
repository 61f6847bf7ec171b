import PushNotificationSDK
import UIKit

/// Two queries, one after the other: may we count what you open, and may we notify you. The first is ours to ask, and
/// the SDK records nothing before the answer is yes; the second is the system's.
@MainActor
struct Consent {
    private static let wasAsked = "consent.wasAsked"

    /// Asks whoever was not asked yet.
    func ask(over controller: UIViewController) {
        guard !UserDefaults.standard.bool(forKey: Self.wasAsked) else { return }
        let query = UIAlertController(
            title: "May we count?",
            message: "We count which notifications arrive and which are opened, to send fewer and better ones.",
            preferredStyle: .alert
        )
        query.addAction(UIAlertAction(title: "No", style: .cancel) { _ in answer(false) })
        query.addAction(UIAlertAction(title: "Yes", style: .default) { _ in answer(true) })
        controller.present(query, animated: true, completion: nil)
    }

    private func answer(_ isAllowed: Bool) {
        UserDefaults.standard.set(true, forKey: Self.wasAsked)
        PushNotificationSDK.isTrackingEnabled = isAllowed
        PushNotificationSDK.requestNotificationPermission { result in
            switch result {
            case .success(let isAllowed): print("Notifications are \(isAllowed ? "on" : "off").")
            case .failure(let error): print(error.recoverySuggestion ?? error.localizedDescription)
            }
        }
    }
}
