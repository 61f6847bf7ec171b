import Foundation

/// The words of all pages in one language.
struct Texts: Sendable {
    /// The languages that there are, the first for those who want none of them.
    static let languages = ["en", "ja"]
    /// How each is called by those who speak it.
    static let names = ["en": "English", "ja": "日本語"]

    /// The files of each language; a test sees that both have the same keys.
    static let sources: [String: [[UInt8]]] = [
        "en": [
            PackageResources.common_en_json, PackageResources.apps_en_json, PackageResources.audit_en_json,
            PackageResources.categories_en_json, PackageResources.compose_en_json,
            PackageResources.keys_en_json, PackageResources.notifications_en_json,
            PackageResources.operators_en_json, PackageResources.overview_en_json,
            PackageResources.people_en_json, PackageResources.phones_en_json, PackageResources.topics_en_json,
            PackageResources.problems_en_json,
        ],
        "ja": [
            PackageResources.common_ja_json, PackageResources.apps_ja_json, PackageResources.audit_ja_json,
            PackageResources.categories_ja_json, PackageResources.compose_ja_json,
            PackageResources.keys_ja_json, PackageResources.notifications_ja_json,
            PackageResources.operators_ja_json, PackageResources.overview_ja_json,
            PackageResources.people_ja_json, PackageResources.phones_ja_json, PackageResources.topics_ja_json,
            PackageResources.problems_ja_json,
        ],
    ]

    private static let catalogues: [String: Catalogue] = sources.mapValues { Catalogue(files: $0) }

    let language: String
    private let catalogue: Catalogue

    /// The best of those that somebody wants, in their order.
    init(preferred: [String]) {
        language = preferred.first { Self.languages.contains($0) } ?? Self.languages[0]
        catalogue = Self.catalogues[language] ?? Catalogue(files: [])
    }

    /// Everything, for templates: `{{t.part.name}}`.
    var tree: [String: any Sendable] { catalogue.tree }

    /// All keys, for a test.
    var all: [String: String] { catalogue.flat }

    /// A text by its key such as `nav.overview`, with values in the places of names in braces. A key that is missing is
    /// shown as it is, and a test finds it.
    subscript(_ key: String, _ values: [String: any Sendable] = [:]) -> String {
        optional(key, values) ?? key
    }

    /// The same; `nil` where there is no such text.
    func optional(_ key: String, _ values: [String: any Sendable] = [:]) -> String? {
        guard var text = catalogue.flat[key] else { return nil }
        for (name, value) in values { text = text.replacing("{\(name)}", with: "\(value)") }
        return text
    }

    /// A text of a number: its own for one where the language has it (`KEY_one`), with `{n}` in groups of three digits.
    func counted(_ key: String, _ count: Int) -> String {
        let own = count == 1 ? optional("\(key)_one", ["n": "1"]) : nil
        return own ?? self[key, ["n": Self.number(count)]]
    }

    /// A number in groups of three digits.
    static func number(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return value < 0 ? "-" + text : text
    }
}

/// One language's texts, as a tree and flat.
private struct Catalogue: Sendable {
    var tree: [String: any Sendable] = [:]
    var flat: [String: String] = [:]

    init(files: [[UInt8]]) {
        for file in files {
            guard let object = try? JSONDecoder().decode([String: Node].self, from: Data(file)) else { continue }
            for (name, node) in object {
                tree[name] = node.value
                node.collect(name, into: &flat)
            }
        }
    }

    private enum Node: Decodable {
        case text(String)
        case group([String: Node])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .group(try container.decode([String: Node].self))
            }
        }

        var value: any Sendable {
            switch self {
            case .text(let text): text
            case .group(let nodes): nodes.mapValues(\.value)
            }
        }

        func collect(_ path: String, into flat: inout [String: String]) {
            switch self {
            case .text(let text): flat[path] = text
            case .group(let nodes): for (name, node) in nodes { node.collect("\(path).\(name)", into: &flat) }
            }
        }
    }
}
