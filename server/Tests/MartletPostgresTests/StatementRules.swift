import MartletCore
import MartletStore
import Synchronization

/// What a script's text has to keep to, so that it means the same on both engines and on databases that speak
/// PostgreSQL's protocol.
enum StatementRules {
    /// Words that a script does without: they are one engine's own, take locks that a pooler or another database does not
    /// have, or read what only one server has.
    private static let refused: Set<String> = [
        "ctid", "xmin", "merge", "jsonb", "copy", "rowid", "iif", "ifnull", "total", "indexed", "glob", "share",
        "pg_advisory_lock", "pg_try_advisory_lock", "listen", "notify", "temporary", "unlogged", "savepoint",
        "set_config",
        "now", "current_timestamp", "autoincrement", "strict",
    ]

    /// Texts that keep to all rules.
    private static let known = Mutex<Set<String>>([])

    /// The same as ``violation(_:)``, which reads a text of known ones no second time: stores prepare some hundred texts
    /// hundred thousands of times.
    static func violation(once sql: String) -> String? {
        if known.withLock({ $0.contains(sql) }) { return nil }
        guard let violation = violation(sql) else {
            known.withLock { _ = $0.insert(sql) }
            return nil
        }
        return violation
    }

    /// What a text does wrong; `nil` when it keeps to all rules.
    static func violation(_ sql: String) -> String? {
        let tokens = tokens(sql)
        if let word = tokens.first(where: refused.contains) { return "it uses \(word)" }
        for (index, token) in tokens.enumerated() {
            let following = tokens.dropFirst(index + 1)
            switch token {
            case "conflict" where following.first != "(": return "ON CONFLICT names no columns"
            case "or" where ["replace", "ignore"].contains(following.first):
                return "it uses OR \(following.first ?? "")"
            case "sum" where !isCast(tokens, before: index): return "sum() is not cast"
            case "limit" where !isOrdered(tokens, limit: index): return "LIMIT has no ORDER BY"
            default: continue
            }
        }
        return nil
    }

    /// Words in lower case, and each mark; hints, quoted texts and numbers are left out.
    static func tokens(_ sql: String) -> [String] {
        let plain = sql.replacing(#/\/\*.*?\*\//#, with: " ").replacing(#/'[^']*'/#, with: "''")
        return plain.matches(of: #/[A-Za-z_][A-Za-z_0-9]*|[(),=<>*?]/#).map { $0.output.lowercased() }
    }

    private static func isCast(_ tokens: [String], before index: Int) -> Bool {
        index >= 2 && tokens[index - 2] == "cast" && tokens[index - 1] == "("
    }

    /// Whether the SELECT of a LIMIT is ordered, or only asks whether there is a row.
    private static func isOrdered(_ tokens: [String], limit: Int) -> Bool {
        var depth = 0
        var index = limit - 1
        while index >= 0 {
            switch tokens[index] {
            case ")": depth += 1
            case "(" where depth == 0: return false
            case "(": depth -= 1
            case "order" where depth == 0: return true
            // SELECT 1 leaves SELECT FROM, because numbers are no tokens.
            case "select" where depth == 0: return tokens[index + 1] == "from"
            default: break
            }
            index -= 1
        }
        return false
    }
}
