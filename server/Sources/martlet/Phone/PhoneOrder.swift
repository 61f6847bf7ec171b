import Foundation
import PushNotificationSDK

/// What a person does with a phone, as a line such as `tap 1`.
///
/// Notifications are numbered as they show, the newest first.
enum PhoneOrder: Equatable, Sendable {
    case select(Int)
    case tap(Int)
    case press(String, on: Int, text: String?)
    case dismiss(Int)
    case clear
    case open
    case home
    case lock
    case unlock
    case kill
    case swipe
    case allow(Bool)
    case online(Bool)
    case login(String, token: String?)
    case logout
    case forget
    case follow(URL)
    case report
    case rotate
    case reinstall
    case notices
    case read(Int)
    case readAll
    case archive(Int)
    case settings
    case change(PreferencesChange)
    case device(Bool)
    case firebase(Bool)
    case back
    case wait(SessionEvent.What, seconds: Int)
    case show
    case help
    case quit

    /// What stands in a line.
    struct Line: Equatable, Sendable {
        /// The phone that is meant, from 1; `nil` is the selected one.
        var phone: Int?
        /// What to do.
        var order: PhoneOrder
    }

    /// What is wrong with a line, and what is right.
    struct Wrong: Error, Equatable {
        var message: String
        var hint: String
    }

    /// The most seconds that a line may wait, and those where it names none.
    private static let longestWait = 600
    private static let usualWait = 30
}

extension PhoneOrder {
    /// The orders with what they are followed by and what they do.
    static let all: [(form: String, meaning: String)] = [
        ("phone N", "selects a phone; 'N: tap' is for one line"), ("tap [N]", "taps a notification, 1 is the newest"),
        ("button ID [N] [TEXT]", "taps a button of it, or writes into it"), ("dismiss [N]", "dismisses it"),
        ("clear", "clears the list, without a report to the app"), ("open", "taps the app's icon"),
        ("home", "goes to the home screen"), ("lock, unlock", "locks or unlocks the screen"),
        ("kill", "the system ends the app"), ("swipe", "the user ends the app"),
        ("allow, deny", "answers the prompt, or turns the switch in the system's Settings"),
        ("offline, online", "airplane mode"), ("login USER [TOKEN], logout", "who uses the app"),
        ("forget", "the app forgets the device, and the server deletes it"),
        ("notices", "opens the app's notice list: what shows there is seen"),
        ("read [N], read all", "opens a notice of the list, 1 is the newest; marks all as read"),
        ("archive [N]", "puts a notice away"), ("settings", "opens the app's settings"),
        ("category KEY on|off [push|inbox]", "a switch of the settings; 'default' takes the choice back"),
        ("master on|off [push|inbox]", "the switch over all categories"),
        ("device on|off", "the app's own switch for pushes to this device"),
        ("back", "leaves the list or the settings"),
        ("fcm on|off", "the app's pushes come through Firebase, or from APNs directly"),
        ("link URL", "follows a link into the app"), ("report", "uploads events now, not in a moment"),
        ("rotate", "another token at the next launch"),
        ("reinstall", "deletes the app and installs it again"),
        ("wait WHAT [SECONDS]", "until the next 'shown', 'registered', 'reported' …"),
        ("show", "prints the screens"), ("help", "this list"), ("quit", "ends; so does the end of the input"),
    ]

    /// Reads a line; `nil` for an empty one and for a comment.
    static func read(_ line: String) throws(Wrong) -> Line? {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        var phone: Int?
        if first.hasSuffix(":") {
            phone = try number(String(first.dropLast()), what: "A phone's number")
            words.removeFirst()
        }
        guard let name = words.first else {
            throw Wrong(message: "'\(first.prefix(40))' has no order.", hint: "2: tap 1")
        }
        return Line(phone: phone, order: try order(name.lowercased(), Array(words.dropFirst())))
    }

    private static func order(_ name: String, _ rest: [String]) throws(Wrong) -> PhoneOrder {
        switch name {
        case "phone": return .select(try number(try one(rest, of: "phone N"), what: "A phone's number"))
        case "tap": return .tap(try position(rest, of: "tap [N]"))
        case "dismiss": return .dismiss(try position(rest, of: "dismiss [N]"))
        case "button": return try button(rest)
        case "login":
            guard (1...2).contains(rest.count) else { throw missing("login USER [TOKEN]") }
            return .login(rest[0], token: rest.count == 2 ? rest[1] : nil)
        case "link":
            let text = try one(rest, of: "link URL")
            guard let url = URL(string: text), url.scheme != nil else {
                throw Wrong(message: "'\(text.prefix(40))' is not a link.", hint: "link game://mission/7")
            }
            return .follow(url)
        case "wait": return try wait(rest)
        case "read":
            return rest.first == "all" && rest.count == 1 ? .readAll : .read(try position(rest, of: "read [N]"))
        case "archive": return .archive(try position(rest, of: "archive [N]"))
        case "category", "master", "device": return try turn(name, rest)
        case "fcm":
            guard let isOn = ["on": true, "off": false][try one(rest, of: "fcm on|off")] else {
                throw missing("fcm on|off")
            }
            return .firebase(isOn)
        default:
            guard let order = plain[name] else {
                throw Wrong(
                    message: "'\(name.prefix(40))' is not an order.",
                    hint: "'help' lists the orders."
                )
            }
            guard rest.isEmpty else { throw Wrong(message: "'\(name)' takes no arguments.", hint: name) }
            return order
        }
    }

    private static let plain: [String: PhoneOrder] = [
        "clear": .clear, "open": .open, "home": .home, "background": .home, "lock": .lock, "unlock": .unlock,
        "kill": .kill, "swipe": .swipe, "allow": .allow(true), "deny": .allow(false), "online": .online(true),
        "offline": .online(false), "logout": .logout, "forget": .forget, "report": .report, "rotate": .rotate,
        "reinstall": .reinstall, "notices": .notices, "settings": .settings, "back": .back, "show": .show,
        "help": .help, "quit": .quit, "exit": .quit,
    ]

    private static func button(_ rest: [String]) throws(Wrong) -> PhoneOrder {
        guard let id = rest.first else { throw missing("button ID [N] [TEXT]") }
        var words = rest.dropFirst()
        var position = 1
        if let number = words.first.flatMap({ Int($0) }) {
            position = try self.number("\(number)", what: "A notification's number")
            words.removeFirst()
        }
        return .press(id, on: position, text: words.isEmpty ? nil : words.joined(separator: " "))
    }

    private static func wait(_ rest: [String]) throws(Wrong) -> PhoneOrder {
        guard let word = rest.first, rest.count <= 2 else { throw missing("wait WHAT [SECONDS]") }
        guard let what = SessionEvent.What(rawValue: word) else {
            let words = SessionEvent.What.allCases.map(\.rawValue).joined(separator: ", ")
            throw Wrong(message: "'\(word.prefix(40))' is not an event.", hint: "Wait for one of: \(words)")
        }
        let seconds = rest.count == 2 ? try number(rest[1], what: "A number of seconds") : usualWait
        guard seconds <= longestWait else {
            throw Wrong(message: "A wait lasts at most \(longestWait) seconds.", hint: "wait \(word) \(longestWait)")
        }
        return .wait(what, seconds: seconds)
    }

    /// One of the switches in the app's settings.
    private static func turn(_ name: String, _ rest: [String]) throws(Wrong) -> PhoneOrder {
        let form = name == "category" ? "category KEY on|off|default [push|inbox]" : "\(name) on|off [push|inbox]"
        var words = rest[...]
        let key = name == "category" ? words.popFirst() : nil
        guard key != nil || name != "category", let word = words.popFirst(),
            let setting: PreferenceSetting = ["on": .on, "off": .off, "default": .byDefault][word]
        else { throw missing(form) }
        let channel = words.popFirst()
        guard words.isEmpty, channel == nil || ["push", "inbox"].contains(channel) else { throw missing(form) }
        if name == "device" {
            guard channel == nil, setting != .byDefault else { throw missing("device on|off") }
            return .device(setting == .on)
        }
        let whole = channel == nil ? setting : .unchanged
        let push = channel == "push" ? setting : .unchanged
        let inbox = channel == "inbox" ? setting : .unchanged
        guard let key else { return .change(.master(enabled: whole, push: push, inbox: inbox)) }
        return .change(.category(key, enabled: whole, push: push, inbox: inbox))
    }

    private static func position(_ rest: [String], of form: String) throws(Wrong) -> Int {
        rest.isEmpty ? 1 : try number(try one(rest, of: form), what: "A notification's number")
    }

    private static func one(_ rest: [String], of form: String) throws(Wrong) -> String {
        guard rest.count == 1 else { throw missing(form) }
        return rest[0]
    }

    private static func number(_ text: String, what: String) throws(Wrong) -> Int {
        guard let number = Int(text), number > 0 else {
            throw Wrong(
                message: "\(what) must be a whole number from 1, not '\(text.prefix(40))'.",
                hint: "'help' shows the forms."
            )
        }
        return number
    }

    private static func missing(_ form: String) -> Wrong {
        Wrong(message: "The form is: \(form)", hint: "'help' shows them all.")
    }
}
