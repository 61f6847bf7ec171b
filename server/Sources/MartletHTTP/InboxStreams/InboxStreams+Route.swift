import HTTPTypes
import Hummingbird
import MartletCore
import MartletStore
import MartletWire
import NIOCore
import NIOHTTPTypes

/// The stream of a user's inbox: its state, and then each change as a hint to read again.
extension MartletAPI {
    func streamInbox(_ call: Call) async throws -> InboxEvents {
        guard case .user(let user, let app, let until) = call.caller else {
            throw Failure(.forbidden, "A stream is opened with a user's token.")
        }
        guard until > clock.now() else {
            throw Failure(.unauthorized, "The user token has expired.", field: HTTPField.Name.authorization.rawName)
        }
        let (owner, _) = try await inboxOwner(of: call)
        let first = try await change(since: call.lastEventID(), of: InboxOwner(app: app.row, user: user))
        let connection = call.connection
        let lease = try inboxStreams.open(owner, revision: first.revision, until: until) {
            connection?.close(promise: nil)
        }
        // A phone that is gone makes room at once, and not when it is written to next.
        connection?.closeFuture.whenComplete { [weak stream = lease.stream] _ in stream?.finish() }
        return InboxEvents(first: first.event("state"), lease: lease)
    }

    /// What a stream tells first: the counts, and for a client that knows a revision what changed since then.
    private func change(since known: Int64?, of owner: InboxOwner) async throws -> InboxChange {
        if let known, let change = try await store.inboxChanges(since: [owner: known])[owner] { return change }
        let counts = try await store.inboxCounts(of: owner)
        return InboxChange(unread: counts.unread, unseen: counts.unseen, revision: counts.revision)
    }
}

extension Call {
    /// The revision that a client knows from the stream before.
    ///
    /// - Throws: `Failure` naming the header field.
    fileprivate func lastEventID() throws(Failure) -> Int64? {
        guard let text = header(HeaderName.lastEventID), !text.isEmpty else { return nil }
        guard let revision = Int64(text), revision >= 0 else {
            throw .invalid(HeaderName.lastEventID, "It is not a revision.", hint: "Send the 'id' of an event, or none.")
        }
        return revision
    }
}

/// An answer that goes on: server-sent events until the stream ends.
struct InboxEvents: ResponseGenerator {
    /// The route that answers so.
    static let path = "/api/v1/inbox/stream"
    static var shape: AnswerShape { .events(InboxChange.schema) }
    let first: ByteBuffer
    let lease: InboxStreamLease

    func response(default status: HTTPResponse.Status) throws -> Response {
        var headers: HTTPFields = [.contentType: "text/event-stream"]
        // nginx would keep events back until it has a page of them.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        let body = ResponseBody.withoutTask { [first, lease] channel in
            // It lets go of this, and so of itself, when it has written its end.
            lease.stream.begin(with: first) { [stream = lease.stream] event in
                guard let event else { return channel.write(HTTPResponsePart.end(nil), promise: nil) }
                channel.writeAndFlush(HTTPResponsePart.body(event)).whenComplete { _ in stream.wrote() }
            }
        }
        return Response(status: status, headers: headers, body: body)
    }
}
