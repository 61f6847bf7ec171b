/// How a field within a document is named in errors.
package enum FieldPath {
    /// A member's path; a name that somebody else chose is cut.
    package static func join(_ path: String, _ name: String) -> String {
        let short = name.count > 100 ? name.prefix(100) + "…" : name[...]
        return path.isEmpty ? String(short) : "\(path).\(short)"
    }
}
