import HTTPTypes
import MartletCore
import MartletWire

extension ConsoleService {
    /// Every path of the console, below `/console`.
    var routes: [ConsoleRoute] {
        signInRoutes + assetRoutes + overviewRoutes + composeRoutes + notificationRoutes + peopleRoutes + topicRoutes
            + categoryRoutes + problemRoutes + appRoutes + keyRoutes + operatorRoutes + accountRoutes + auditRoutes
            + phoneRoutes
    }
}

extension ConsoleService {
    /// The path of every form that is no page: it leads to the page that the form stands on, for the switch of languages, and
    /// for who loads the answer again.
    var formRoutes: [ConsoleRoute] {
        let pages = Set(routes.filter { $0.method == .get }.map(\.path))
        return routes.filter { $0.method == .post && !pages.contains($0.path) }.map { route in
            let page = route.page(among: pages)
            return ConsoleRoute(method: .get, path: route.path, access: route.access) { call in
                .redirect(call.address(of: page))
            }
        }
    }

    /// Every other path that somebody may type: it has a page as well, which says that there is none. The router goes down no
    /// other way where a part of a path is known, so that these are the beginnings of all paths, and all else.
    var missingRoutes: [ConsoleRoute] {
        let pages = Set((routes + formRoutes).filter { $0.method == .get }.map(\.path))
        var paths: Set<String> = ["/**"]
        for route in routes {
            let parts = route.path.split(separator: "/")
            for count in parts.indices { paths.insert("/" + parts[...count].joined(separator: "/")) }
        }
        return paths.subtracting(pages).sorted().map { path in
            .get(path, .read) { _ in throw Failure(.notFound, "There is no such page.") }
        }
    }
}

/// The parts of the console that its head leads to, in their order.
enum ConsolePart: String, CaseIterable {
    case overview, compose, notifications, people, topics, categories, problems, apps, operators, audit, phones

    /// Its page's path below `/console`.
    var path: String { self == .overview ? "/" : "/\(rawValue)" }
}
