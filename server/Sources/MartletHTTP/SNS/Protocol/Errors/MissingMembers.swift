/// Finds every required member that a request lacks, so that one answer names them all, as AWS's does.
struct MissingMembers {
    /// How many are named. Ours: no call of a client lacks more, and an answer stays shorter than its request.
    private static let mostNamed = 100

    private var paths: [String] = []
    private var count = 0

    /// Looks for members of a form or of a structure in it.
    mutating func require(_ names: String..., in form: FormParameters) {
        for name in names where !form.has(name) {
            count += 1
            if paths.count < Self.mostNamed { paths.append(form.path(of: name)) }
        }
    }

    /// - Throws: `ValidationError` when something was missing.
    func check() throws(SNSError) {
        if count > 0 { throw .missing(paths, count: count) }
    }
}
