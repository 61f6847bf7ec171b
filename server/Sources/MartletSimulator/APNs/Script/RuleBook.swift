/// The rules of a simulated APNs.
typealias RuleBook = ScriptedRules<SimulatorRule>

/// What rules look at in a push.
struct RuleSubject {
    var token: String?
    var topic: String?
    var pushType: String?
    var environment: APNsEnvironment
    var connection: Int
    var isAccepted: Bool
}

extension SimulatorRule: ScriptedRule {
    func concerns(_ push: RuleSubject) -> Bool {
        (push.isAccepted || scope == .all)
            && when.token.map { $0 == push.token } ?? true
            && when.topic.map { $0 == push.topic } ?? true
            && when.pushType.map { $0 == push.pushType } ?? true
            && when.environment.map { $0 == push.environment } ?? true
            && when.connection.map { $0 == push.connection } ?? true
    }
}
