import Foundation
import UserNotifications

extension Phone {
    /// A push arrives.
    public func receive(_ push: Push) async {
        await turns.take { await arrive(push) }
    }

    private func arrive(_ push: Push) async {
        let payload = SystemPayload(push.payload)
        let plan = ArrivalPlan(
            payload,
            permission: parts.notifications.permission,
            state: state,
            hasExtension: app.makeExtension != nil
        )
        var record = NotificationRecord(
            identifier: push.collapseID ?? push.apnsID ?? UUID().uuidString,
            date: settings.now(),
            content: payload.content
        )
        if plan.runsExtension { record.content = await extended(record) }
        if plan.asksApp {
            await present(record)
        } else if plan.shows {
            show(record, setsBadge: plan.setsBadge)
        } else {
            if plan.setsBadge { setBadge(record.content.badge) }
            journal.add(.silent(id: record.identifier))
        }
        if plan.tellsApp { await tellApp(of: record, payload: payload.content.userInfo) }
    }

    private func extended(_ record: NotificationRecord) async -> ContentRecord {
        guard let make = app.makeExtension else { return record.content }
        let gate = ProcessGate()
        let process = ExtensionProcess(
            group: parts.groupFolder,
            folder: parts.extensionFolder,
            files: PhoneFiles(disk: disk, gate: gate),
            network: network,
            gate: gate,
            notifications: parts.notifications,
            settings: settings,
            journal: journal
        )
        let run = ExtensionRun(make: make, process: process, journal: journal)
        let result = await run.content(of: record)
        journal.add(.extensionRan(id: record.identifier, expired: result.expired))
        return result.content
    }

    /// The app is in front and says how it shows.
    private func present(_ record: NotificationRecord) async {
        let options = await process?.willPresent(record) ?? []
        // Before iOS 14 there was one option for banner and list; it still stands for both.
        let both = UNNotificationPresentationOptions(rawValue: 1 << 2)
        if options.contains(.badge) { setBadge(record.content.badge) }
        // Whatever the app answers, a push without an alert has nothing to show.
        guard record.content.hasAlert, !options.isDisjoint(with: [.banner, .list, both]) else {
            return journal.add(.silent(id: record.identifier))
        }
        if options.isDisjoint(with: [.list, both]) {
            banner = record
            journal.add(.shown(id: record.identifier))
        } else {
            show(record, setsBadge: false)
        }
    }

    private func show(_ record: NotificationRecord, setsBadge: Bool) {
        if setsBadge { setBadge(record.content.badge) }
        parts.notifications.deliver(record)
        journal.add(.shown(id: record.identifier))
    }

    private func setBadge(_ number: Int?) {
        if let number { _ = parts.notifications.setBadge(max(0, number)) }
    }

    private func tellApp(of record: NotificationRecord, payload: PayloadRecord) async {
        if process == nil { await startProcess(.background(payload.object)) }
        await process?.receive(payload)
        journal.add(.told(id: record.identifier))
    }
}
