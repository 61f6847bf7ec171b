public import Foundation
import UIKit
import UserNotifications

extension Phone {
    /// The user taps the app's icon.
    public func launch() async {
        await turns.take {
            switch state {
            case .foreground: break
            case .background: await comeToFront(nil)
            case .notRunning, .swipedAway: await startProcess(.icon)
            }
        }
    }

    /// The user goes to the home screen.
    public func goHome() async {
        await turns.take { leaveFront() }
    }

    /// The system ends the app's process, to have its memory; it may start it again in the background.
    public func kill() async {
        await turns.take {
            endProcess()
            state = .notRunning
        }
    }

    /// The user swipes the app away: nothing starts it until the user does.
    public func swipeAway() async {
        await turns.take {
            leaveFront()
            endProcess()
            state = .swipedAway
        }
    }

    /// The user opens another window of the app beside those that there are, as on an iPad.
    ///
    /// - Returns: the `persistentIdentifier` of its session, which stays as long as the app is installed.
    @discardableResult
    public func openWindow() async -> String {
        await turns.take {
            let window = UUID().uuidString
            parts.windows.append(window)
            process?.windows = parts.windows
            switch state {
            case .foreground: process?.showWindows()
            case .background: await comeToFront(nil)
            case .notRunning, .swipedAway: await startProcess(.icon)
            }
            return window
        }
    }

    /// The user follows a link to the app from elsewhere: one of its scheme, or a page of its own site, which comes as a
    /// universal link.
    ///
    /// - Parameter window: where the system opens it; `nil` is the one that was used last.
    public func open(_ url: URL, in window: String? = nil) async {
        await turns.take {
            use(window)
            switch state {
            case .foreground: process?.open(url)
            case .background:
                await comeToFront(nil)
                process?.open(url)
            case .notRunning, .swipedAway: await startProcess(.url(url))
            }
        }
    }

    /// The user turns to a window, and what comes next is for that one.
    func use(_ window: String?) {
        guard let window else { return }
        guard let index = parts.windows.firstIndex(of: window) else {
            return journal.add(.fault("there is no window \(window)"))
        }
        parts.windows.append(parts.windows.remove(at: index))
        process?.windows = parts.windows
    }

    /// The app is deleted and installed anew: no data, no permission, no token; APNs refuses the old one.
    public func reinstall() async {
        await turns.take {
            endProcess()
            state = .notRunning
            await giveUpToken()
            isAwaitingToken = false
            banner = nil
            parts = PhoneParts(
                settings: settings,
                network: network,
                notifications: NotificationDevice(),
                install: parts.install + 1
            )
            attend(parts.notifications)
        }
    }

    /// The app gets another token when it next asks, of Firebase too; the old ones are refused from now on.
    public func rotateToken() async {
        await turns.take { await giveUpToken() }
    }

    /// The phone is switched off for good.
    public func shutDown() async {
        await turns.take {
            endProcess()
            state = .notRunning
            endLines()
        }
    }

    // MARK: Processes

    func startProcess(_ reason: AppProcess.Reason) async {
        let process = AppProcess(app, on: parts, disk: disk, system: applicationSystem(), journal: journal)
        self.process = process
        let inFront = if case .background = reason { false } else { true }
        journal.add(.started(inFront: inFront))
        state = inFront ? .foreground : .background
        await process.start(reason)
    }

    func comeToFront(_ response: AppProcess.Response?) async {
        state = .foreground
        await process?.enterForeground(response)
    }

    private func leaveFront() {
        guard state == .foreground else { return }
        banner = nil
        process?.enterBackground()
        state = .background
        process?.suspendIfIdle()
    }

    func endProcess() {
        process?.end()
        process = nil
    }

    private func applicationSystem() -> ApplicationSystem {
        var system = ApplicationSystem()
        system.notifications = parts.notifications
        system.register = { [weak self] _ in self?.registerForPushes() }
        system.unregister = { [weak self] _ in self?.dropToken() }
        system.open = { [weak self] url, _ in
            // What a phone has apps for; another app's scheme is for a test to bring.
            let taken = ["http", "https", "mailto", "tel"].contains(url.scheme?.lowercased() ?? "")
            self?.journal.add(.opened(url, taken))
            return taken
        }
        system.canOpen = { ["http", "https", "mailto", "tel"].contains($0.scheme?.lowercased() ?? "") }
        system.isProtectedDataAvailable = { [disk] in disk.isUnlocked }
        return system
    }
}
