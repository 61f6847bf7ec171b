import Foundation
import PushNotificationSDK
import PushNotificationSDKTesting
import Testing

@testable import PushNotificationSDKCore

/// What an app's handler captured may call the SDK when it ends, as a screen does that takes its handlers away.
extension FacadeSuites {
    @Suite struct HandlerReleaseTests {
        enum Member: CaseIterable {
            case received, opened, action, error, deepLink, refresh, timeZone, presentation, userToken, inbox

            /// Sets the member to something that keeps a screen; without one, takes it away.
            func set(_ screen: Screen?) {
                let keep = screen.map { screen in { @Sendable () -> Void in _ = screen } }
                switch self {
                case .received: PushNotificationSDK.onNotificationReceived = keep.map { keep in { _ in keep() } }
                case .opened: PushNotificationSDK.onNotificationOpened = keep.map { keep in { _ in keep() } }
                case .action: PushNotificationSDK.onNotificationActionTapped = keep.map { keep in { _, _ in keep() } }
                case .error: PushNotificationSDK.onError = keep.map { keep in { _ in keep() } }
                case .deepLink: PushNotificationSDK.onDeepLink = keep.map { keep in { _, _ in keep() } }
                case .refresh: PushNotificationSDK.onRefresh = keep.map { keep in { _ in keep() } }
                case .userToken: PushNotificationSDK.onUserTokenNeeded = keep.map { keep in { _, _ in keep() } }
                case .inbox: PushNotificationSDK.inbox.onUpdate = keep.map { keep in { _ in keep() } }
                case .timeZone:
                    PushNotificationSDK.timeZoneOfDevice = keep.map { keep in
                        { _ in
                            keep()
                            return nil
                        }
                    }
                case .presentation:
                    PushNotificationSDK.presentationPolicy = keep.map { keep in
                        .decided { _ in
                            keep()
                            return .all
                        }
                    }
                }
            }
        }

        final class Screen: Sendable {
            private let ended: Journal<Void>

            init(_ ended: Journal<Void>) { self.ended = ended }

            deinit {
                for member in Member.allCases { member.set(nil) }
                PushNotificationSDK.isTrackingEnabled = PushNotificationSDK.isTrackingEnabled
                PushNotificationSDK.linkPolicy = .nothing
                PushNotificationSDK.logLevel = PushNotificationSDK.logLevel
                ended.add(())
            }
        }

        @Test("a screen that a handler kept may take all handlers away when it ends", arguments: Member.allCases)
        func mayCallTheSDK(_ member: Member) async throws {
            let phone = await FacadePhone()
            try await phone.configure()
            let ended = Journal<Void>()
            await onAnotherThread {
                member.set(Screen(ended))
                member.set(nil)
            }
            #expect(ended.entries.count == 1)
            await onAnotherThread {
                member.set(Screen(ended))
                PushNotificationSDK.reset()
            }
            #expect(ended.entries.count == 2)
        }

        @Test("a handler that replaces one counts, unless the end of the old one takes it away")
        func replacedRefreshHandlers() async throws {
            let phone = await FacadePhone()
            try await phone.configure()
            let ended = Journal<Void>()
            await onAnotherThread {
                PushNotificationSDK.onRefresh = { [screen = Screen(ended)] _ in _ = screen }
                PushNotificationSDK.onRefresh = { _ in }
            }
            #expect(ended.entries.count == 1)
            // A wish that comes now waits for the next handler, as without one.
            #expect(PushNotificationSDK.onRefresh == nil)
            #expect(PushNotificationSDK.handlers.refresh.wishes.handler == nil)
        }
    }
}
