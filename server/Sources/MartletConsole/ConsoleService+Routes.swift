extension ConsoleService {
    /// Every path of the console, below `/console`.
    var routes: [ConsoleRoute] {
        signInRoutes + assetRoutes + overviewRoutes + composeRoutes + notificationRoutes + peopleRoutes + topicRoutes
            + categoryRoutes + troubleRoutes + appRoutes + keyRoutes + operatorRoutes + accountRoutes + auditRoutes
            + phoneRoutes
    }
}

/// The parts of the console that its head leads to, in their order.
enum ConsolePart: String, CaseIterable {
    case overview, compose, notifications, people, topics, categories, troubles, apps, operators, audit, phones

    /// Its page's path below `/console`.
    var path: String { self == .overview ? "/" : "/\(rawValue)" }
}
