import MartletCore
import MartletWire

extension Page {
    /// A page with the status of what was refused on it.
    init(template: String, part: ConsolePart? = nil, title: String, values: PageValues, refused: Failure?) {
        self.init(template: template, part: part, title: title, values: values)
        if let refused { status = refused.code.consoleStatus }
    }
}

extension Failure {
    /// The same with what to do, where it is that something is gone and it does not say so itself.
    func advising(_ hint: String) -> Failure {
        guard code == .notFound, detail.hint == nil else { return self }
        var failure = self
        failure.detail.hint = hint
        return failure
    }
}

extension Optional where Wrapped: Sendable {
    /// What a template's section over a list is given, so that it is empty where there is nothing: a name that is missing
    /// would be looked for further out.
    var asList: [Wrapped] { map { [$0] } ?? [] }
}
