extension ConsoleService {
    /// Every path of the console, below `/console`.
    var routes: [ConsoleRoute] {
        signInRoutes + assetRoutes + overviewRoutes + accessKeyRoutes + accountRoutes + appChangeRoutes
            + appRoutes + auditRoutes + categoryRoutes + credentialRoutes + erasureRoutes + keyRoutes
            + newAppRoutes + operatorRoutes + peopleRoutes + personDeviceRoutes + personPreferenceRoutes
            + personRoutes + phoneRoutes + subscriptionRoutes + topicRoutes
    }
}

/// The parts of the console that its head leads to, in their order.
enum ConsolePart: String, CaseIterable {
    case overview, compose, notifications, people, topics, categories, troubles, apps, operators, audit, phones

    /// Its page's path below `/console`.
    var path: String { self == .overview ? "/" : "/\(rawValue)" }
}
