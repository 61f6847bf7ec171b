import MartletCore
import MartletWire

/// What a page says of a failure: sentences in its language, and beside them in English what has no translation.
struct FailureWords: Sendable, Hashable {
    var message: String
    var hint: String?
    /// What stands in an element of its own language.
    var english: [String] = []

    init(_ failure: Failure, _ texts: Texts) {
        let detail = failure.detail
        if let message = texts.sentence(detail.message) {
            self.message = message
        } else {
            message = texts.optional("failures.code.\(detail.code.rawValue)") ?? texts["failures.other"]
            english.append(detail.message)
        }
        // What it says itself is for who uses the API.
        let own = detail.code == .missingCredential ? texts["failures.credential_hint"] : nil
        guard let said = own ?? detail.hint else { return }
        hint = texts.sentence(said)
        if hint == nil { english.append(said) }
    }
}

extension PageValues {
    /// What a form says above itself when it was refused, and at the field at fault: the template `form_problem`.
    mutating func show(_ failure: Failure?, _ texts: Texts) {
        guard let failure else { return }
        let words = FailureWords(failure, texts)
        self["error"] = words.message
        self["error_hint"] = words.hint.asList
        self["error_english"] = words.english
        if let field = failure.detail.field { self["error_\(field)"] = words.message }
    }

    /// What one of a page's forms says above itself when it was refused: `{{#refused_FORM}}{{>refusal}}{{/refused_FORM}}`.
    mutating func refuse(_ failure: Failure?, form: String, _ texts: Texts) {
        guard let failure else { return }
        self["refused_\(form)"] = PageValues.refusal(failure, texts)
    }

    /// A failure as the template `refusal` shows it.
    static func refusal(_ failure: Failure, _ texts: Texts) -> PageValues {
        let words = FailureWords(failure, texts)
        return [
            "refusal_message": words.message, "refusal_hint": words.hint.asList, "refusal_english": words.english,
        ]
    }
}
