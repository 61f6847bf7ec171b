import Dispatch
import Foundation
import MartletPhone
import MartletWire
import PushNotificationSDKCore
import PushNotificationSDKTesting

/// What happens.
extension PhoneLife {
    func step() async {
        switch Int.random(in: 0..<28, using: &random) {
        case 0..<6: await push("m\(Int.random(in: 0..<6, using: &random))")
        case 6..<10: await act(.tap)
        case 10: await act(.dismissal)
        case 11: await act(.button(Bool.random(using: &random) ? "CONFIRM" : "LATER"))
        case 12: await clear()
        case 13: await launch()
        case 14: await goHome()
        case 15: await kill()
        case 16: switchNetwork()
        case 17: await passTime()
        case 18, 19: await flush()
        case 20, 21: await pushSilently("s\(Int.random(in: 0..<3, using: &random))")
        case 22, 23: becomeAnotherUser()
        case 24: await rotateToken()
        case 25, 26: await changeConsent()
        default: await reinstall()
        }
    }

    // MARK: Pushes

    func push(_ message: String) async {
        // No two notifications of a message come at the same time.
        clock.advance(by: 1)
        let isAvailable = Int.random(in: 0..<4, using: &random) == 0
        // When a running app looks at what is listed is its own affair: where the order counts, it need not.
        let isOrdered = stretch != nil && phone.state == .background && !isAvailable
        let isMutable = Bool.random(using: &random) || isOrdered
        let category = Bool.random(using: &random) ? #","category":"MISSION""# : ""
        let more = (isMutable ? #","mutable-content":1"# : "") + (isAvailable ? #","content-available":1"# : "")
        let isInFront = phone.state == .foreground
        // Who swiped the app away does not want it to be started.
        let isTold = isInFront || isAvailable && phone.state != .swipedAway
        let kinds = [
            isMutable ? "mutable" : "", isAvailable ? "available" : "", category.isEmpty ? "" : "with buttons",
        ]
        history.append("\(message) arrives \(kinds.filter { !$0.isEmpty }.joined(separator: " "))")
        let payload =
            #"{"aps":{"alert":"Mission"\#(more)\#(category)},"message_id":"\#(message)","deep_link":"game://\#(message)"}"#
        await phone.receive(Push(payload, collapseID: message))
        if isMutable || !category.isEmpty { extended.insert(message) } else { extended.remove(message) }
        if isMutable { install.cameThroughExtension(message) }
        if isInFront { run.toldOf(message) }
        if isTold { happened(.delivery(message)) } else if isMutable { isSpooled(.delivery(message)) }
        install.isListed(message)
    }

    /// A push that shows nothing and wakes the app.
    func pushSilently(_ message: String) async {
        history.append("\(message) arrives silently")
        let (shown, badge) = (phone.notifications, phone.badge)
        let isTold = phone.state != .swipedAway
        let payload = #"{"aps":{"content-available":1},"message_id":"\#(message)"}"#
        await phone.receive(Push(payload, collapseID: message))
        if phone.notifications != shown || phone.badge != badge { problems.append("\(message) shows something") }
        guard isTold else { return }
        run.woken(by: message)
        happened(.delivery(message))
    }

    // MARK: What a person does with notifications

    enum Act {
        case tap
        case dismissal
        case button(String)
    }

    func act(_ act: Act) async {
        guard let message = phone.notifications.randomElement(using: &random)?.id else { return }
        history.append("\(act) \(message)")
        switch act {
        case .tap:
            guard (try? await phone.tap(message)) != nil else { return }
            happened(Deed(type: .open, message: message))
            happened(.link(message))
            linkCalls += 1
            run.toldOf(message)
        case .dismissal:
            guard (try? await phone.dismiss(message)) != nil, extended.contains(message)
            else { return }
            happened(Deed(type: .dismiss, message: message))
        case .button(let button):
            guard (try? await phone.act(button, on: message)) != nil else { return }
            happened(Deed(type: .open, message: message, value: button))
            actions.append("\(button) \(message)")
        }
    }

    func clear() async {
        history.append("clear")
        await phone.clear()
    }

    // MARK: The app and its processes

    func launch() async {
        history.append("launch")
        await phone.launch()
    }

    func goHome() async {
        history.append("home")
        await phone.goHome()
    }

    func kill() async {
        let isSwiped = Bool.random(using: &random)
        history.append(isSwiped ? "swipe away" : "kill")
        await end { if isSwiped { await phone.swipeAway() } else { await phone.kill() } }
    }

    private func flush() async {
        history.append("flush")
        await app.flush()
    }

    private func switchNetwork() {
        history.append("network \(network.isOn ? "off" : "on")")
        network.turn(on: !network.isOn)
        if !network.isOn { server.disconnect() }
    }

    private func passTime() async {
        let isLong = Int.random(in: 0..<8, using: &random) == 0
        history.append(isLong ? "a day passes" : "time passes")
        // No answer is on its way for a day: the SDK would count from when it came, and the server from before.
        if isLong { _ = await registrationsEnded(by: DispatchTime.now() + 30) }
        clock.advance(by: isLong ? UnsteadyServer.day : Int64.random(in: 0...120_000, using: &random))
    }

    // MARK: Users, tokens, consent, installs

    /// Somebody logs in, or out; only a running app has a button for that.
    func becomeAnotherUser() {
        guard app.client != nil else { return }
        // As often as anybody else it is whoever was there before.
        let user = ["u1", "u2", nil, install.userBefore, install.userBefore].randomElement(using: &random) ?? nil
        history.append(user.map { "\($0) logs in" } ?? "logout")
        // No event has the time of the change itself: whose it would be nobody can say.
        clock.advance(by: 10)
        if let user { app.login(user) } else { app.logout() }
        install.becomes(user, at: clock.now)
        server.mayHearOfAnother()
        clock.advance(by: 10)
    }

    private func rotateToken() async {
        history.append("another token")
        await phone.rotateToken()
    }

    private func changeConsent() async {
        guard let client = app.client else { return }
        history.append(install.isTracked ? "consent off" : "consent on")
        guard install.isTracked else {
            server.mayUpload = true
            client.isTrackingEnabled = true
            return install.giveConsent()
        }
        lackedConsent = true
        // Half of the time nothing is on its way, so that nothing of what waits may ever arrive.
        let isStill = Bool.random(using: &random)
        if isStill {
            network.turn(on: false)
            server.disconnect()
            await app.flush()
        }
        client.isTrackingEnabled = false
        server.mayUpload = false
        install.takeBackConsent(server.events, isStill: isStill)
    }

    private func reinstall() async {
        history.append("install anew")
        await end { await phone.reinstall() }
        install.delete()
        // Nothing is left of what the person said.
        server.mayUpload = true
        await begin()
    }

    // MARK: What comes of it

    typealias Deed = PhoneLifeInstall.Deed

    private func happened(_ deed: Deed) {
        if stretch == nil { install.happened(deed) } else { stretch?.happened(deed) }
    }

    private func isSpooled(_ deed: Deed) {
        if stretch == nil { install.happened(deed) } else { stretch?.isSpooled(deed) }
    }
}
