import ArgumentParser

/// A subcommand that does not exist, which the argument parser reports as an unexpected argument of another command.
enum UnknownCommand {
    /// The failure to report for a command line; `nil` where every word that should name a command does.
    ///
    /// - Parameter arguments: without the program's own name.
    static func failure(_ arguments: [String], of root: any ParsableCommand.Type) -> CommandFailure? {
        var command = root
        var path = [name(of: root)]
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            // What begins with a dash, and all behind it, is for the command.
            guard !subcommands.isEmpty, !word.hasPrefix("-"), !(command == root && word == "help") else { return nil }
            guard let next = subcommands.first(where: { name(of: $0) == word }) else {
                let prefix = path.joined(separator: " ")
                let near = nearest(to: word, among: subcommands.map(name))
                return CommandFailure(
                    "There is no command '\(prefix) \(word)'.",
                    hint: (near.map { "Did you mean '\(prefix) \($0)'? " } ?? "") + "'\(prefix) --help' lists all."
                )
            }
            command = next
            path.append(word)
        }
        return nil
    }

    // The parser's own rule for a command without a name, which it makes of the type's.
    private static func name(of command: any ParsableCommand.Type) -> String { command._commandName }

    /// The most alike of some words; `nil` where none is alike.
    static func nearest(to word: String, among words: [String]) -> String? {
        let distances = words.map { ($0, distance(word, $0)) }
        // Two slips at most: more would offer what has nothing to do with it.
        return distances.filter { $0.1 <= 2 && $0.1 < word.count }.min { $0.1 < $1.1 }?.0
    }

    /// How many letters must be added, removed, changed or swapped with their neighbour (optimal string alignment).
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for row in 1..<(one.count + 1) {
            var next = [row]
            for column in 1..<(other.count + 1) {
                let cost = one[row - 1] == other[column - 1] ? 0 : 1
                var best = min(rows[row - 1][column] + 1, next[column - 1] + 1, rows[row - 1][column - 1] + cost)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
