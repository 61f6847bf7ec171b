import HTTPTypes
import MartletWire

@testable import MartletConsole
@testable import MartletCore

/// Who may ask for each path of the console, written down by hand: what the console's own routes say is held against it.
enum RouteTable {
    /// The least that somebody has to be.
    enum Who: String, CaseIterable {
        /// Nobody needs to be signed in.
        case anybody
        case viewer, sender, admin

        /// Whether it is enough to be an operator of a role.
        func includes(_ role: OperatorRole) -> Bool {
            switch (self, role) {
            case (.anybody, _), (.viewer, _), (.sender, .sender), (_, .admin): true
            default: false
            }
        }
    }

    struct Row: Hashable, CustomStringConvertible {
        var method: HTTPRequest.Method
        var path: String
        var who: Who

        var description: String { "\(method) \(path) \(who)" }
    }

    static let rows: [Row] = text.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        // The words are the literal's below.
        return Row(method: words[0] == "GET" ? .get : .post, path: words[1], who: Who(rawValue: words[2])!)
    }

    /// The row of a form, by its path.
    static let forms = Dictionary(uniqueKeysWithValues: rows.filter { $0.method == .post }.map { ($0.path, $0) })

    private static let text = """
        GET /sign-in anybody
        POST /sign-in anybody
        GET /invitations/{token} anybody
        POST /invitations/{token} anybody
        GET /assets/ASSET anybody
        GET / viewer
        GET /account viewer
        POST /account/password viewer
        POST /account/sessions/{id}/end viewer
        POST /account/end-others viewer
        POST /sign-out viewer
        GET /compose sender
        POST /compose sender
        POST /compose/preview sender
        POST /compose/count sender
        POST /compose/list sender
        GET /compose/reviews/{id} sender
        POST /compose/send sender
        GET /notifications viewer
        GET /notifications/{id} viewer
        GET /notifications/{id}/live viewer
        GET /notifications/{id}/missed viewer
        GET /notifications/{id}/resend sender
        POST /notifications/{id}/resend sender
        POST /notifications/{id}/cancel sender
        POST /notifications/{id}/recall sender
        GET /people viewer
        GET /people/{app}/{user} viewer
        GET /people/{app}/{user}/why/{notification} viewer
        GET /people/{app}/{user}/inbox viewer
        GET /people/{app}/{user}/devices viewer
        POST /people/{app}/{user}/devices/{id}/test sender
        POST /people/{app}/{user}/devices/{id}/switch admin
        POST /people/{app}/{user}/devices/{id}/remove admin
        GET /people/{app}/{user}/preferences viewer
        POST /people/{app}/{user}/preferences admin
        GET /people/{app}/{user}/erase admin
        POST /people/{app}/{user}/erase admin
        GET /topics viewer
        POST /topics admin
        GET /topics/{id} viewer
        POST /topics/{id}/attributes admin
        POST /topics/{id}/delete admin
        POST /topics/{id}/subscriptions admin
        GET /topics/{id}/subscriptions/{subscription} viewer
        POST /topics/{id}/subscriptions/{subscription} admin
        POST /topics/{id}/subscriptions/{subscription}/try viewer
        POST /topics/{id}/subscriptions/{subscription}/remove admin
        GET /categories viewer
        POST /categories admin
        GET /categories/{app}/{key} viewer
        POST /categories/{app}/{key} admin
        POST /categories/{app}/{key}/archive admin
        GET /problems viewer
        POST /problems/{kind}/{id}/retry admin
        POST /problems/{kind}/retry admin
        GET /apps viewer
        GET /apps/new admin
        POST /apps/new admin
        POST /apps/look admin
        GET /apps/{id} viewer
        GET /apps/{id}/findings admin
        POST /apps/{id}/rename admin
        POST /apps/{id}/identity admin
        POST /apps/{id}/delete admin
        POST /apps/{id}/queues/{platform}/{environment}/resume admin
        GET /apps/{id}/credentials/new admin
        POST /apps/{id}/credentials admin
        POST /apps/{id}/credentials/look admin
        POST /apps/{id}/credentials/{platform}/{environment}/delete admin
        GET /keys admin
        POST /keys admin
        POST /keys/{id}/revoke admin
        GET /access-keys admin
        POST /access-keys admin
        POST /access-keys/{id}/revoke admin
        GET /operators admin
        POST /operators admin
        POST /operators/{id} admin
        POST /operators/{id}/password-link admin
        POST /operators/{id}/end-sessions admin
        GET /sessions admin
        POST /sessions/{id}/end admin
        GET /audit admin
        GET /phones viewer
        GET /phones/live viewer
        POST /phones/tap sender
        POST /phones/dismiss sender
        """
}

extension RouteTable.Row {
    /// What a route's own table says of it. The names of assets have their contents' hash.
    init(_ route: ConsoleRoute) {
        method = route.method
        path = route.path.hasPrefix("/assets/") ? "/assets/ASSET" : route.path
        who =
            switch route.access {
            case .open: .anybody
            case .operators(let act):
                switch OperatorRole.allCases.filter({ $0.may(act) }) {
                case [.viewer, .sender, .admin]: .viewer
                case [.sender, .admin]: .sender
                default: .admin
                }
            }
    }
}
