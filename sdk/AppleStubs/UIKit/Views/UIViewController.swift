/// What shows on the screen, as far as presenting goes.
@MainActor
open class UIViewController: UIResponder {
    /// Whom this one presents.
    open private(set) var presentedViewController: UIViewController?
    /// Who presents this one.
    open private(set) weak var presentingViewController: UIViewController?
    /// What it is called where something shows that.
    open var title: String?
    private var loadedView: UIView?

    /// A controller with nothing in it.
    public override init() {
        super.init()
    }

    /// A controller whose view may come from a file of the app's; here it never does.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// Its view, which is made when it is first asked for.
    open var view: UIView! {
        get {
            if let loadedView { return loadedView }
            let view = UIView()
            loadedView = view
            viewDidLoad()
            return view
        }
        set { loadedView = newValue }
    }

    /// The view was made.
    open func viewDidLoad() {}

    /// The view shows.
    open func viewDidAppear(_ animated: Bool) {}

    /// Shows another controller over this one. One that already presents is not heard, as Apple's only logs it.
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil else { return }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        completion?()
    }

    /// Takes away what is presented over this one, or this one.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if let presentedViewController {
            presentedViewController.presentingViewController = nil
            self.presentedViewController = nil
            completion?()
        } else if let presentingViewController {
            presentingViewController.dismiss(animated: flag, completion: completion)
        }
    }
}

/// A window.
@MainActor
open class UIWindow: UIResponder {
    /// The scene that it is in.
    open weak var windowScene: UIWindowScene?
    /// The controller of the whole window.
    open var rootViewController: UIViewController?
    /// Whether it takes the keyboard.
    open private(set) var isKeyWindow = false

    /// A window of the scene.
    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init()
        windowScene.windows.append(self)
    }

    /// Shows the window and lets it take the keyboard.
    open func makeKeyAndVisible() {
        for window in windowScene?.windows ?? [] { window.isKeyWindow = false }
        isKeyWindow = true
    }
}
