import Foundation
import MartletCore

/// `NextToken`: where a list goes on, as text that means nothing to the caller.
enum PageToken {
    /// How many items a page of a list has (Amazon SNS, `ListTopics` and the others).
    static let pageSize = 100

    /// The page that a call asks for.
    ///
    /// - Throws: `InvalidParameter` for a text that is no token.
    static func request(_ form: FormParameters) throws(SNSError) -> PageRequest {
        guard let text = try form.string("NextToken"), !text.isEmpty else { return PageRequest(count: pageSize) }
        guard let data = Data(base64Encoded: text), let row = Int64(String(decoding: data, as: UTF8.self)), row > 0
        else { throw .invalidParameter("NextToken") }
        return PageRequest(after: row, count: pageSize)
    }

    /// The token of the page after this one; `nil` after the last.
    static func next<Item>(_ page: Page<Item>) -> String? {
        page.next.map { Data(String($0).utf8).base64EncodedString() }
    }
}
