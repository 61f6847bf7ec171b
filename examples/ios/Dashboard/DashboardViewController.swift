import PushNotificationSDK
import UIKit

/// One text: what there is of today.
final class DashboardViewController: UIViewController {
    private let dashboard: Dashboard
    private let label = UILabel()

    init(_ dashboard: Dashboard) {
        self.dashboard = dashboard
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        label.numberOfLines = 0
        label.textAlignment = .center
        label.frame = view.bounds
        label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(label)
        dashboard.onChange = { [weak self] in self?.show() }
        dashboard.load()
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        Consent().ask(over: self)
    }

    private func show() { label.text = dashboard.text }
}
