import MartletWire

/// Draws phones side by side, as lines of text: a pure function of what shows on them.
struct PhoneWall {
    /// What shows, phone by phone.
    var screens: [PhoneScreen]
    /// The number of the selected phone.
    var selected: Int
    /// The number of the selected notification on it, from 1.
    var entry = 1
    /// The columns of the terminal.
    var width: Int
    /// Whether the terminal can set off what is selected.
    var isStyled = false

    /// The columns of a card where there is room: what a notification's line needs.
    private static let card = 44
    /// Notifications that a card shows; below them it says how many there are.
    private static let entries = 4
    /// Switches of the settings that a card shows.
    private static let switches = 8

    /// The lines of the phones that stand on the same row as the selected one, and below them the others' names.
    var lines: [String] {
        let columns = max(1, width / Self.card)
        let position = screens.firstIndex { $0.phone == selected } ?? 0
        let first = position / columns * columns
        let row = Array(screens.dropFirst(first).prefix(columns))
        let cards = row.map { card($0, width: min(width, max(Self.card, 20))) }
        let height = cards.map(\.count).max() ?? 0
        var lines = (0..<height).map { line in
            let row = cards.map { $0.indices.contains(line) ? $0[line] : blank }.joined()
            // Cards end in the space between them.
            return String(row.reversed().drop { $0 == " " }.reversed())
        }
        let others = screens.filter { screen in !row.contains { $0.phone == screen.phone } }
        if !others.isEmpty {
            let names = others.map { "\($0.name) (\($0.notifications.count))" }.joined(separator: "  ")
            lines.append(TextWidth.fitted("also: " + names, to: width))
        }
        return lines
    }

    private var blank: String { String(repeating: " ", count: Self.card) }

    private func card(_ screen: PhoneScreen, width: Int) -> [String] {
        let isSelected = screen.phone == selected
        let inner = width - 6
        var lines = [edge("╭", TextWidth.fitted("\(screen.name) · \(screen.glance)", to: inner - 2), "╮", isSelected)]
        func add(_ text: String, isMarked: Bool = false) {
            let text = TextWidth.padded(TextWidth.printable(text), to: inner)
            lines.append(side(isSelected) + " " + (isMarked ? styled(text, "1") : text) + " " + side(isSelected) + "  ")
        }
        if screen.isAsking { add("“The app” would like to send you"); add("notifications.   [y] Allow   [n] Don't") }
        if let page = screen.page { add("page: \(page)") }
        for line in rows(of: screen, isSelected: isSelected, width: inner) { add(line.text, isMarked: line.isMarked) }
        lines.append(edge("╰", "", "╯", isSelected))
        return lines
    }

    private struct Row {
        var text: String
        var isMarked = false
    }

    private func rows(of screen: PhoneScreen, isSelected: Bool, width: Int) -> [Row] {
        let isMarked = { (index: Int) in isSelected && index + 1 == self.entry }
        switch screen.view {
        case .notices: return rows(of: screen.notices, isMarked, width)
        case .settings: return rows(of: screen.settings, isMarked, width)
        case nil: break
        }
        if screen.notifications.isEmpty { return screen.isAsking ? [] : [Row(text: "no notifications")] }
        var rows: [Row] = []
        for (index, entry) in screen.notifications.prefix(Self.entries).enumerated() {
            rows.append(
                Row(text: line(index, first(of: entry), entry.time, isMarked, width), isMarked: isMarked(index))
            )
            rows += rest(of: entry).map { Row(text: "   " + $0) }
        }
        let hidden = screen.notifications.count - Self.entries
        return hidden > 0 ? rows + [Row(text: "   … and \(hidden) more")] : rows
    }

    /// The app's notice list; what is unread has a dot.
    private func rows(of notices: PhoneScreen.Notices?, _ isMarked: (Int) -> Bool, _ width: Int) -> [Row] {
        guard let notices else { return [Row(text: "Notices")] }
        var rows = [Row(text: "Notices: \(notices.words)")]
        // The selected one is always among those that show.
        let first = max(0, min(entry, notices.items.count) - Self.entries)
        for (index, item) in notices.items.enumerated().dropFirst(first).prefix(Self.entries) {
            let text = (item.isRead ? "  " : "● ") + TextWidth.printable(item.title.isEmpty ? item.body : item.title)
            rows.append(Row(text: line(index, text, item.time, isMarked, width), isMarked: isMarked(index)))
            if !item.title.isEmpty, !item.body.isEmpty { rows.append(Row(text: "     " + item.body)) }
        }
        return rows
    }

    /// The app's settings: a switch a line.
    private func rows(of settings: PhoneScreen.Settings?, _ isMarked: (Int) -> Bool, _ width: Int) -> [Row] {
        let switches = settings?.switches ?? []
        let first = max(0, min(entry, switches.count) - Self.switches)
        let shown = switches.enumerated().dropFirst(first).prefix(Self.switches).map { index, one in
            let name = TextWidth.padded(TextWidth.printable(one.name), to: max(0, width - 7))
            return Row(
                text: "\(isMarked(index) ? "▸" : " ")\(name) \(one.isOn ? "[ on]" : "[off]")",
                isMarked: isMarked(index)
            )
        }
        return [Row(text: "Settings")] + shown
    }

    private func line(_ index: Int, _ text: String, _ time: UTCTime, _ isMarked: (Int) -> Bool, _ width: Int) -> String
    {
        let time = LocalClock.minutes(time)
        let room = width - TextWidth.columns(of: time) - 5
        return "\(isMarked(index) ? "▸" : " ")\(index + 1) \(TextWidth.padded(text, to: room))  \(time)"
    }

    private func first(of entry: PhoneScreen.Entry) -> String {
        TextWidth.printable(entry.title.isEmpty ? entry.body : entry.title)
    }

    private func rest(of entry: PhoneScreen.Entry) -> [String] {
        var lines = [entry.subtitle, entry.title.isEmpty ? "" : entry.body].filter { !$0.isEmpty }
        if entry.attachments > 0 { lines.append("▣ picture") }
        if !entry.buttons.isEmpty { lines.append(entry.buttons.map { "[\($0.title)]" }.joined(separator: " ")) }
        return lines
    }

    private func edge(_ left: String, _ text: String, _ right: String, _ isSelected: Bool) -> String {
        let inner = min(width, Self.card) - 4
        let title = text.isEmpty ? "" : "─ \(text) "
        let line = String(repeating: "─", count: max(0, inner - TextWidth.columns(of: title)))
        return styled(left + title + line + right, isSelected ? "1;36" : "2") + "  "
    }

    private func side(_ isSelected: Bool) -> String { styled("│", isSelected ? "1;36" : "2") }

    private func styled(_ text: String, _ code: String) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension TextWidth {
    /// The text in at most so many columns; what is cut ends in `…`.
    static func fitted(_ text: String, to limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        var fitted = ""
        var taken = 0
        for character in text {
            let next = columns(of: String(character))
            guard taken + next <= limit - 1 else { break }
            fitted.append(character)
            taken += next
        }
        return limit > 0 ? fitted + "…" : ""
    }

    /// The text in exactly so many columns.
    static func padded(_ text: String, to width: Int) -> String {
        let fitted = fitted(text, to: width)
        return fitted + String(repeating: " ", count: max(0, width - columns(of: fitted)))
    }
}
