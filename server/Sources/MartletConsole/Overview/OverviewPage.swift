import MartletCore

/// The first page: whether everything is all right.
extension ConsoleService {
    var overviewRoutes: [ConsoleRoute] {
        [
            .get("/", .read) { call in
                .page(Page(template: "overview", part: .overview, title: call.texts["nav.overview"]))
            }
        ]
    }
}
