import ArgumentParser
import MartletWire

/// Whom a command is about.
struct PersonOptions: RequestOptions {
    @Argument(help: "The user, by your own id for them.")
    var user: String
    @Option(help: "The app whose user it is, by name or id; a key of one app needs none.")
    var app: String?

    /// The parameters of every request about them.
    var parameters: [(String, String?)] { [("app", app)] }
}

/// The value of a switch that a person has: on, off, or what holds for who chose nothing.
enum SwitchWord: String, CaseIterable, Sendable, ExpressibleByArgument {
    case on, off
    case `default`

    /// What it changes.
    var patch: NullablePatch<Bool> {
        switch self {
        case .on: .value(true)
        case .off: .value(false)
        case .default: .null
        }
    }
}

/// Switches of a category or of all, as flags.
struct SwitchOptions: ParsableArguments {
    @Option(help: "Whether there is anything at all: 'on', 'off' or 'default'.")
    var enabled: SwitchWord?
    @Option(help: "Whether there are pushes: 'on', 'off' or 'default'.")
    var push: SwitchWord?
    @Option(help: "Whether there are inbox items: 'on', 'off' or 'default'.")
    var inbox: SwitchWord?

    /// The change that the flags ask for; `nil` where they ask for none.
    var patch: ChannelPatch? {
        guard enabled != nil || push != nil || inbox != nil else { return nil }
        return ChannelPatch(
            enabled: enabled?.patch ?? .unset,
            push: push?.patch ?? .unset,
            inbox: inbox?.patch ?? .unset
        )
    }
}

extension ChannelChoice {
    /// What was chosen in a few words, such as `push off`; `nil` for nothing.
    var words: String? {
        let parts = [("all", enabled), ("push", push), ("inbox", inbox)]
        let words = parts.compactMap { name, value in value.map { "\(name) \($0 ? "on" : "off")" } }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
