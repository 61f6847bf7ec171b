import HTTPTypes
import Hummingbird
import MartletCore
import MartletPipeline
import MartletWire
import NIOCore

/// What a template is filled with: texts, numbers, flags, and lists of the same.
typealias PageValues = [String: any Sendable]

/// A page: a template and what it is filled with, beside what every page has.
struct Page: Sendable {
    /// The template's name: its file's without the ending.
    var template: String
    /// The part of the console that it belongs to.
    var part: ConsolePart?
    /// What stands in the browser's title bar.
    var title: String
    var values: PageValues = [:]
    var status: HTTPResponse.Status = .ok
}

/// How a route answers.
enum ConsoleReply: Sendable {
    case page(Page)
    /// To another page (303): what was sent by a form is not sent again by loading the page anew.
    case redirect(String)
    /// Something other than a page, such as a style sheet or a list as CSV.
    case other(Response)
    /// To what a form sent.
    case sent(PublicID)
    /// To another page, with a session that begins there.
    case signedIn(OperatorService.SignedIn, redirect: String)
    /// To another page, without a session.
    case signedOut(redirect: String)
}
