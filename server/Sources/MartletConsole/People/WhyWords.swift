import MartletCore
import MartletWire

/// What a page shows of why a notification came or did not. A pure value.
struct WhyWords: Sendable {
    var texts: Texts
    /// The person's devices.
    var devices: [Endpoint] = []

    func values(of report: WhyReport) -> PageValues {
        let lines = report.facts.lines
        return [
            "summary": said(report.sentences, report),
            "steps": report.steps.map { step in
                [
                    "step_name": texts.optional("people.step.\(step.step)") ?? step.step,
                    "step_detail": said([step.detail], report), "step_answer": answer(step),
                    "step_tone": (step.passed ? Tone.good : .warn).rawValue,
                    "is_switched_off": step.reason == Suppression.Reason.preferenceOff.rawValue,
                    "step_source": step.source.map { texts["people.source.\($0.rawValue)"] } ?? "",
                    "has_source": step.source != nil,
                ] as PageValues
            },
            "lines": lines.map(values), "has_lines": !lines.isEmpty,
        ]
    }

    /// Sentences name a category by its key, and pages by its name.
    private func said(_ sentences: [String], _ report: WhyReport) -> [PageValues] {
        guard let category = report.facts.category else { return texts.said(sentences) }
        let name = CategoryWords(texts: texts).name(of: category)
        return texts.pieces(of: sentences).map { piece in
            let text = piece.text.replacing("'\(category.key)'", with: "'\(name)'")
                .replacing("「\(category.key)」", with: "「\(name)」")
            return ["said": text, "is_english": piece.isEnglish]
        }
    }

    /// The answer to a step's question: no push does not yet mean no item in the inbox.
    private func answer(_ step: WhyStep) -> String {
        if step.isOpen { return texts["people.step_answer.open"] }
        return texts.optional("people.step_answer.\(step.step).\(step.passed ? "passed" : "stopped")")
            ?? texts[step.passed ? "common.yes" : "common.no"]
    }

    private func values(of line: DeliveryReport) -> PageValues {
        [
            "line_device": line.endpoint?.description ?? "", "has_device": line.endpoint != nil,
            "is_of_all": isOfAll(line),
            "line_platform": line.platform.map { texts["people.platform.\($0.rawValue)"] } ?? "",
            "line_state": texts["people.state.\(line.state.rawValue)"], "line_tone": Self.tone(line.state).rawValue,
            "line_reason": reason(line), "has_reason": line.reason != nil, "line_code": code(line).asList,
            "line_attempts": Texts.number(line.attempts),
            "line_time": line.at.map { PageValues.time($0) } ?? [:] as PageValues, "has_time": line.at != nil,
            "has_holder": line.heldBy != nil,
            "holder_address": line.heldBy.map { "/console/notifications/\($0)" } ?? "",
        ]
    }

    /// Whether a line is about the person and so about all devices, where there are any.
    private func isOfAll(_ line: DeliveryReport) -> Bool {
        let none: [Suppression.Reason] = [.noEndpoint, .unknownEndpoint]
        return line.endpointRow == nil && !none.contains { $0.rawValue == line.reason }
    }

    /// The provider's own word beside what it means, where that is said.
    private func code(_ line: DeliveryReport) -> String? {
        line.state == .suppressed ? nil : line.reason.flatMap { texts.meaning(ofReason: $0) == nil ? nil : $0 }
    }

    /// Our reasons in words, and a provider's word as it came where it has no plain meaning.
    func reason(_ line: DeliveryReport) -> String {
        guard let reason = line.reason else { return "" }
        guard line.state == .suppressed else { return texts.meaning(ofReason: reason) ?? texts.reason(reason) }
        if reason == Suppression.Reason.endpointDisabled.rawValue, let off = devices.offReason(of: line.endpoint) {
            return texts["people.device_is_off", ["reason": texts.offReason(off)]]
        }
        return texts.optional("people.what.suppression.\(reason)") ?? reason
    }

    static func tone(_ state: DeliveryState) -> Tone {
        switch state {
        case .accepted: .good
        case .rejected, .dead: .bad
        case .suppressed, .expired, .cancelled: .warn
        case .pending: .plain
        }
    }
}

extension WhyStep {
    /// Whether somebody was in the audience is not always recorded; the reason says it where it is.
    fileprivate var isOpen: Bool { step == "audience" && !passed && reason == nil }
}
