import MartletCore
import MartletPipeline
import MartletStore
import MartletWire

/// What each platform gets of a notification: before it is sent, and after.
extension MartletAPI {
    /// Reads a request as ``send(_:_:)`` does, renders it, and writes and sends nothing.
    func preview(_ request: NotificationRequest, _ call: Call) async throws -> List<RenderedMessage> {
        let submission = try await submission(request, call)
        let previews = try await submitter.preview(submission)
        return List(
            previews.map { preview in
                switch preview.result {
                case .success(let message): rendered(message)
                case .failure(let failure):
                    RenderedMessage(platform: preview.platform, error: failure.detail)
                }
            },
            next: nil
        )
    }

    func listMessages(_ call: Call) async throws -> List<RenderedMessage> {
        let notification = try await notification(of: call)
        return List(try await store.messages(of: notification.row).map(rendered), next: nil)
    }

    private func rendered(_ message: Message) -> RenderedMessage {
        let platform = message.platform
        if let refusal = message.refusal { return RenderedMessage(platform: platform, refusal: refusal) }
        let size = providers[message.platform]?.size(of: message)
        return RenderedMessage(
            platform: platform,
            payload: message.shownPayload,
            headers: message.headers,
            bytes: size?.bytes,
            limit: size?.limit
        )
    }

    func showReasons(_ call: Call) async throws -> Reply<ReasonsResponse> {
        let notification = try await notification(of: call)
        var found = try await store.missedReasons(of: notification.row, limit: MissedReasons.usualLimit)
        if !found.waiting.isEmpty { found.countWaiting(try await stops(of: notification)) }
        return Reply(ReasonsResponse(found))
    }
}

extension Message {
    /// The payload without what is each device's own; a delivery's id is all zeros there.
    fileprivate var shownPayload: [String: JSONValue]? {
        let bytes = payload.filled(badge: nil, deliveryID: PublicID(high: 0, low: 0))
        return (try? JSONReader.read(bytes))?.objectValue
    }
}

extension ReasonsResponse {
    fileprivate init(_ found: MissedReasons) {
        let counts = found.counts.sorted { first, second in
            (second.value, first.key.word) < (first.value, second.key.word)
        }
        self.init(
            reasons: counts.map { reason, count in
                var one = ReasonCount(
                    state: reason.state,
                    reason: reason.word,
                    detail: reason.statement,
                    count: count
                )
                one.reasonCode = ReasonCode.text(of: reason.word)
                return one
            },
            isExact: found.isWhole && found.isWaitingWhole
        )
    }
}
