// On tvOS a person does nothing with notifications.
#if !os(tvOS)
    /// How the system calls the center's delegate, on any thread. A phone calls by way of these, as Objective-C's runtime would
    /// find the methods.
    extension UNUserNotificationCenter {
        /// Methods that a delegate's object was given at run time, in front of its own: what a class below its own has on
        /// Apple's systems. Linux has no Objective-C to make one with.
        package struct AddedMethods: Sendable {
            /// Runs the delegate's own method, which answers once.
            package typealias Own<Answer> = (_ answer: @escaping @Sendable (Answer) -> Void) -> Void
            package typealias Presentation = @Sendable (UNNotificationPresentationOptions) -> Void

            package var willPresent:
                @Sendable (
                    UNUserNotificationCenter, UNNotification, Own<UNNotificationPresentationOptions>?,
                    @escaping Presentation
                ) -> Void
            package var didReceive:
                @Sendable (UNUserNotificationCenter, UNNotificationResponse, Own<Void>?, @escaping @Sendable () -> Void)
                    -> Void

            package init(
                willPresent:
                    @escaping @Sendable (
                        UNUserNotificationCenter, UNNotification, Own<UNNotificationPresentationOptions>?,
                        @escaping Presentation
                    ) -> Void,
                didReceive:
                    @escaping @Sendable (
                        UNUserNotificationCenter, UNNotificationResponse, Own<Void>?, @escaping @Sendable () -> Void
                    ) -> Void
            ) {
                self.willPresent = willPresent
                self.didReceive = didReceive
            }
        }

        /// Gives a delegate's object methods; one that was given them keeps those.
        package func addMethods(_ methods: AddedMethods, to delegate: any UNUserNotificationCenterDelegate) {
            added.write { if $0?.object !== delegate { $0 = Added(object: delegate, methods: methods) } }
        }

        /// Whether a delegate's object has methods that it was given.
        package func hasAddedMethods(_ delegate: any UNUserNotificationCenterDelegate) -> Bool {
            added.read { $0?.object === delegate }
        }

        private var methods: AddedMethods? { added.read { delegate === $0?.object ? $0?.methods : nil } }

        /// A notification came while the app is in the foreground. Without a delegate nothing shows.
        package func present(_ notification: UNNotification, answer: @escaping AddedMethods.Presentation) {
            guard let delegate else { return answer([]) }
            let own: AddedMethods.Own<UNNotificationPresentationOptions> = { answer in
                delegate.userNotificationCenter(self, willPresent: notification, withCompletionHandler: answer)
            }
            if let methods { methods.willPresent(self, notification, own, answer) } else { own(answer) }
        }

        /// A person did something with a notification.
        package func receive(_ response: UNNotificationResponse, answer: @escaping @Sendable () -> Void) {
            guard let delegate else { return answer() }
            let own: AddedMethods.Own<Void> = { answer in
                delegate.userNotificationCenter(self, didReceive: response) { answer(()) }
            }
            if let methods { methods.didReceive(self, response, own, answer) } else { own { answer() } }
        }
    }
#endif
