import MartletCore
import MartletWire

extension PageValues {
    /// What one of a page's forms says above itself when it was refused: `{{#refused_FORM}}{{>refusal}}{{/refused_FORM}}`.
    mutating func refuse(_ failure: Failure?, form: String) {
        guard let failure else { return }
        var values: PageValues = ["refusal_message": failure.detail.message]
        if let hint = failure.detail.hint { values["refusal_hint"] = hint }
        self["refused_\(form)"] = values
    }
}

extension Page {
    /// A page with the status of what was refused on it.
    init(template: String, part: ConsolePart? = nil, title: String, values: PageValues, refused: Failure?) {
        self.init(template: template, part: part, title: title, values: values)
        if let refused { status = refused.code.consoleStatus }
    }
}

extension Optional where Wrapped: Sendable {
    /// What a template's section over a list is given, so that it is empty where there is nothing: a name that is missing
    /// would be looked for further out.
    var asList: [Wrapped] { map { [$0] } ?? [] }
}
