import MartletCore
import MartletPipeline
import MartletWire

/// How many a notification would go to.
extension MartletAPI {
    /// Reads a request as ``send(_:_:)`` does, and sends nothing.
    func estimate(_ request: NotificationRequest, _ call: Call) async throws -> Reply<EstimateResponse> {
        let submission = try await submission(request, call)
        do {
            return Reply(EstimateResponse(try await submitter.estimate(submission)))
        } catch let failure as Failure {
            throw failure.naming(largestFieldOf: submission.content)
        }
    }

    /// What a request asks for.
    func submission(_ request: NotificationRequest, _ call: Call) async throws -> Submission {
        let app = try await app(request.app, for: call.caller)
        let topic = try await audienceTopic(request.audience.topic, app: app, caller: call.caller)
        let category = try await category(of: request, app: app)
        return try Submission(request, app: app, topic: topic, category: category, now: clock.now())
    }
}

extension EstimateResponse {
    fileprivate init(_ estimate: AudienceEstimate) {
        let reasons = estimate.keptOut.filter { $0.value > 0 }
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        self.init(
            people: estimate.people,
            devices: estimate.devices,
            keptOut: reasons.map { KeptOut(reason: $0.key.rawValue, people: $0.value, detail: $0.key.statement) },
            isExact: estimate.isExact
        )
    }
}
