import MartletCore
import MartletPipeline
import MartletWire

extension Texts {
    /// Who refuses what, where a queue is paused: in words; the provider's own reason stands beside it.
    func cause(of pause: Pause) -> String { cause(pause.queue, pause.reason) }

    /// The same of a problem.
    func cause(of problem: Problem) -> String { problem.queue.map { cause($0, problem.reason) } ?? "" }

    private func cause(_ queue: DeliveryQueue, _ reason: String?) -> String {
        if reason == CredentialService.sealedReason { return self["problems.cause.sealed"] }
        return self["problems.cause.\(queue.platform.rawValue)"]
    }

    /// A queue in words, such as *Apple (APNs), production*; its own word such as `apns/production` stands beside it.
    func name(of queue: DeliveryQueue) -> String { name(of: queue.platform, queue.environment) }

    /// A provider in words, and its environment.
    func name(of platform: Platform, _ environment: Environment?) -> String {
        let name = self["apps.platform_\(platform.rawValue)"]
        guard let environment else { return name }
        let words = ["platform": name, "environment": self["apps.environment_\(environment.rawValue)"]]
        return self["apps.queue", words]
    }
}
