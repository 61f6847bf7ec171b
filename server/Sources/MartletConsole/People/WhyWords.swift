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
            "summary": texts.said(report.sentences),
            "steps": report.steps.map { step in
                [
                    "step_name": texts.optional("people.step.\(step.step)") ?? step.step,
                    "step_detail": texts.said(step.detail), "passed": step.passed,
                    "step_source": step.source.map { texts["people.source.\($0.rawValue)"] } ?? "",
                    "has_source": step.source != nil,
                ] as PageValues
            },
            "lines": lines.map(values), "has_lines": !lines.isEmpty,
        ]
    }

    private func values(of line: DeliveryReport) -> PageValues {
        [
            "line_device": line.endpoint?.description ?? "", "has_device": line.endpoint != nil,
            "line_platform": line.platform.map { texts["people.platform.\($0.rawValue)"] } ?? "",
            "line_state": texts["people.state.\(line.state.rawValue)"], "line_tone": Self.tone(line.state).rawValue,
            "line_reason": reason(line), "has_reason": line.reason != nil, "line_attempts": Texts.number(line.attempts),
            "line_time": line.at.map { PageValues.time($0) } ?? [:] as PageValues, "has_time": line.at != nil,
            "has_holder": line.heldBy != nil,
            "holder_address": line.heldBy.map { "/console/notifications/\($0)" } ?? "",
        ]
    }

    /// Our reasons in words, a provider's word as it came.
    func reason(_ line: DeliveryReport) -> String {
        guard let reason = line.reason else { return "" }
        guard line.state == .suppressed else { return texts.reason(reason) }
        if reason == Suppression.Reason.endpointDisabled.rawValue, let off = devices.offReason(of: line.endpoint) {
            return texts["people.device_is_off", ["reason": texts.offReason(off)]]
        }
        return texts.optional("people.what.suppression.\(reason)") ?? reason
    }

    static func tone(_ state: DeliveryReport.State) -> Tone {
        switch state {
        case .accepted: .good
        case .rejected, .dead: .bad
        case .suppressed, .expired, .cancelled: .warn
        case .pending: .plain
        }
    }
}
