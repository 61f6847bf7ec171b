package import MartletCore
import MartletStore
import MartletWire

/// What one platform would get of a submission, or why it would get nothing.
package struct MessagePreview: Sendable, Hashable {
    package var platform: Platform
    package var result: Result<Message, Failure>

    package init(_ platform: Platform, _ result: Result<Message, Failure>) {
        (self.platform, self.result) = (platform, result)
    }
}

extension Submitter {
    /// What each platform that the app has a credential for would get, as its provider renders it. Nothing is written, and
    /// nothing but the content is looked at.
    package func preview(_ submission: Submission) async throws -> [MessagePreview] {
        let credentials = try await store.credentials(submission.app.row)
        let id = makeID()
        return Platform.allCases.compactMap { platform in
            let summaries = credentials.filter { $0.platform == platform }.map(\.summary)
            guard !summaries.isEmpty, let provider = providers[platform] else { return nil }
            let context = RenderContext(notification: id, credentials: summaries)
            do throws(Failure) {
                try submission.validateContent()
                return MessagePreview(platform, .success(try provider.render(submission, context: context)))
            } catch {
                return MessagePreview(platform, .failure(error.naming(largestFieldOf: submission.content)))
            }
        }
    }
}
