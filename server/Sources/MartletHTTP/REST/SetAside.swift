import MartletCore
import MartletWire

/// Work that crashed its worker again and again, or that cannot be read: looked at, and tried again by hand.
extension MartletAPI {
    func listSetAside(_ call: Call) async throws -> List<SetAsideItem> {
        let page = try call.page()
        let app = try await optionalApp(call.query("app"), for: call.caller)
        return call.list(try await store.setAside(app?.row, page), SetAsideItem.init)
    }

    func retrySetAside(_ call: Call) async throws -> Reply<SetAsideItem> {
        let id = try call.id("id", of: "set-aside work")
        guard let found = try await store.setAside(id), mayTouch(found.app, call.caller) else {
            throw Failure.notFound("set-aside work")
        }
        let retried = try await store.retrySetAside(id)
        bell.ring()
        return Reply(SetAsideItem(retried))
    }
}

extension SetAsideItem {
    init(_ work: SetAside) {
        self.init(
            id: work.id,
            notificationID: work.notification,
            kind: work.lane == nil ? .fanOut : .batch,
            platform: work.lane.map { PlatformName($0.platform) },
            environment: work.lane.map { EnvironmentName($0.environment) },
            deliveries: work.deliveries,
            reason: work.reason == .crashed ? .crashed : .unreadable,
            tries: work.tries,
            since: UTCTime(work.since)
        )
    }
}
