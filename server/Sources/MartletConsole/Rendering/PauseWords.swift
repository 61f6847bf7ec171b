import MartletCore

extension Texts {
    /// Who refuses what, where a queue is paused: in words; the provider's own reason stands beside it.
    func cause(of pause: Pause) -> String {
        if pause.reason == CredentialService.sealedReason { return self["troubles.cause.sealed"] }
        return self["troubles.cause.\(pause.queue.platform.rawValue)"]
    }
}
