/// How the system calls the app's delegate. A phone calls by way of these, as Objective-C's runtime would find the methods.
extension UIApplication {
    /// Methods that a delegate's object was given at run time, in front of its own: what a class below its own has on
    /// Apple's systems. Linux has no Objective-C to make one with.
    package struct AddedMethods {
        /// Runs the delegate's own method, which answers once.
        package typealias Own = (_ answer: @escaping @Sendable (UIBackgroundFetchResult) -> Void) -> Void

        package var didRegister: @MainActor (UIApplication, Data, _ own: () -> Void) -> Void
        package var didFailToRegister: @MainActor (UIApplication, any Error, _ own: () -> Void) -> Void
        package var didReceiveRemote:
            @MainActor (
                UIApplication, [AnyHashable: Any], Own?, @escaping @Sendable (UIBackgroundFetchResult) -> Void
            ) -> Void
        package var open: @MainActor (UIApplication, URL, _ own: () -> Bool) -> Bool
        package var continueActivity: @MainActor (UIApplication, NSUserActivity, _ own: () -> Bool) -> Bool

        package init(
            didRegister: @escaping @MainActor (UIApplication, Data, () -> Void) -> Void,
            didFailToRegister: @escaping @MainActor (UIApplication, any Error, () -> Void) -> Void,
            didReceiveRemote:
                @escaping @MainActor (
                    UIApplication, [AnyHashable: Any], Own?, @escaping @Sendable (UIBackgroundFetchResult) -> Void
                ) -> Void,
            open: @escaping @MainActor (UIApplication, URL, () -> Bool) -> Bool,
            continueActivity: @escaping @MainActor (UIApplication, NSUserActivity, () -> Bool) -> Bool
        ) {
            self.didRegister = didRegister
            self.didFailToRegister = didFailToRegister
            self.didReceiveRemote = didReceiveRemote
            self.open = open
            self.continueActivity = continueActivity
        }
    }

    /// Gives a delegate's object methods; one that was given them keeps those.
    package func addMethods(_ methods: AddedMethods, to delegate: any UIApplicationDelegate) {
        guard added?.object !== delegate else { return }
        added = (delegate, methods)
    }

    /// Whether a delegate's object has methods that it was given.
    package func hasAddedMethods(_ delegate: any UIApplicationDelegate) -> Bool { added?.object === delegate }

    /// Another library gives the delegate's object a class without them.
    package func removeAddedMethods() { added = nil }

    private var methods: AddedMethods? { delegate === added?.object ? added?.methods : nil }

    /// APNs gave a token.
    package func receiveToken(_ token: Data) {
        let own = { [self] in
            delegate?.application(self, didRegisterForRemoteNotificationsWithDeviceToken: token) ?? ()
        }
        if let methods { methods.didRegister(self, token, own) } else { own() }
    }

    /// APNs gave none.
    package func receiveFailure(_ error: any Error) {
        let own = { [self] in
            delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: error) ?? ()
        }
        if let methods { methods.didFailToRegister(self, error, own) } else { own() }
    }

    /// The app was opened by a link.
    ///
    /// - Returns: whether it took the link.
    package func receiveLink(_ url: URL) -> Bool {
        let own = { [self] in delegate?.application(self, open: url, options: [:]) ?? false }
        return methods?.open(self, url, own) ?? own()
    }

    /// The app was opened by a universal link.
    ///
    /// - Returns: whether it took the link.
    package func receiveActivity(_ activity: NSUserActivity) -> Bool {
        let own = { [self] in
            delegate?.application(self, continue: activity, restorationHandler: { _ in }) ?? false
        }
        return methods?.continueActivity(self, activity, own) ?? own()
    }

    /// A push with `content-available` came.
    package func receiveRemote(
        _ userInfo: [AnyHashable: Any],
        answer: @escaping @Sendable (UIBackgroundFetchResult) -> Void
    ) {
        let own: AddedMethods.Own = { [self] answer in
            delegate?.application(self, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: answer)
        }
        if let methods { methods.didReceiveRemote(self, userInfo, own, answer) } else { own(answer) }
    }
}
