import PushNotificationSDK
import UIKit

final class ViewController: UIViewController {
    private let label = UILabel()

    private func reload() async {}

    func listen() {
        // the snippet
    }
}
