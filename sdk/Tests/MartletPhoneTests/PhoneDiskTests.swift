import Foundation
import MartletPhone
import PushNotificationSDKCore
import Testing
import UIKit

@Suite("A phone's disk") struct PhoneDiskTests {
    private let folder = Disk()
    private let disk = PhoneDisk()

    @Test("a file that is being written is not listed by its beginning or its ending")
    func part() throws {
        let files = PhoneFiles(disk: disk, gate: ProcessGate())
        // A folder in its place keeps it from being renamed.
        let file = folder.folder.appendingPathComponent("event-1.event")
        files.makeFolder(file, isBackedUp: true)
        #expect(throws: StorageUnreadable.self) { try files.write(Data("x".utf8), to: file) }
        let parts = files.names(in: folder.folder).filter { $0 != "event-1.event" }
        #expect(parts.count == 1)
        #expect(!parts.contains { $0.hasPrefix("event") || $0.hasSuffix(".event") })
    }

    private func defaults() -> PhoneDefaults {
        PhoneDefaults(file: folder.folder.appendingPathComponent("app/defaults.json"), disk: disk, gate: ProcessGate())
    }

    @Test("UserDefaults of a process that started before the first unlock are empty for as long as it lives")
    func defaultsBeforeUnlock() {
        defaults().set("kept", forKey: "key")
        disk.isUnlocked = false
        let early = defaults()
        #expect(early.object(forKey: "key") == nil)
        disk.isUnlocked = true
        #expect(early.object(forKey: "key") == nil)
        early.set("lost", forKey: "key")
        #expect(defaults().object(forKey: "key") as? Data == Data("kept".utf8))
    }

    @Test("before the first unlock files can be seen, and neither read nor written")
    func filesBeforeUnlock() throws {
        let files = PhoneFiles(disk: disk, gate: ProcessGate())
        let file = folder.folder.appendingPathComponent("file")
        files.makeFolder(folder.folder, isBackedUp: true)
        try files.write(Data([1]), to: file)
        disk.isUnlocked = false
        #expect(files.names(in: folder.folder) == ["file"])
        #expect(throws: StorageUnreadable()) { try files.data(of: file) }
        #expect(throws: StorageUnreadable()) { try files.write(Data([2]), to: file) }
        disk.isUnlocked = true
        #expect(try files.data(of: file) == Data([1]))
    }

    @Test("a dead process writes nothing")
    func deadProcess() throws {
        let gate = ProcessGate()
        let files = PhoneFiles(disk: disk, gate: gate)
        files.makeFolder(folder.folder, isBackedUp: true)
        gate.close()
        #expect(throws: StorageUnreadable()) {
            try files.write(Data(), to: folder.folder.appendingPathComponent("file"))
        }
    }
}

@Suite("Backups and background time of a phone", .timeLimit(.minutes(1)))
@MainActor
struct PhoneBackupTests {
    private let folder = Disk()
    private let other = Disk()

    /// An app that writes two files, and begins a background task that it ends or not.
    private func app(endsTasks: Bool = true) -> PhoneApp {
        PhoneApp(
            bundleID: "com.example.files",
            start: { process in
                let kept = process.folder.appendingPathComponent("kept")
                let left = process.folder.appendingPathComponent("left")
                process.files.makeFolder(kept, isBackedUp: true)
                process.files.makeFolder(left, isBackedUp: false)
                try? process.files.write(Data([1]), to: kept.appendingPathComponent("file"))
                try? process.files.write(Data([1]), to: left.appendingPathComponent("file"))
                process.defaults.set("value", forKey: "key")
                return PhoneApp.Objects(delegate: Delegate(endsTasks))
            }
        )
    }

    @Test("a backup holds UserDefaults and files, less what is excluded, and comes to another phone")
    func backup() async {
        let phone = Phone(PhoneSettings(folder: folder.folder), app: app())
        await phone.launch()
        let backup = phone.backUp()
        #expect(backup.paths == ["app/Library/Preferences/defaults.json", "app/kept/file"])
        let next = Phone(PhoneSettings(folder: other.folder), app: DiaryApp().installed())
        await next.restore(backup)
        #expect(next.backUp(2).paths == backup.paths)
        #expect(next.token == nil)
    }

    @Test("an app that does not end its background task in time is killed", arguments: [true, false])
    func backgroundTime(endsTasks: Bool) async {
        let phone = Phone(PhoneSettings(folder: folder.folder), app: app(endsTasks: endsTasks))
        await phone.launch()
        await phone.goHome()
        await phone.endBackgroundTime()
        #expect(phone.state == (endsTasks ? .background : .notRunning))
        #expect(phone.journal.faults.count == (endsTasks ? 0 : 1))
    }
}

private final class Delegate: UIResponder, UIApplicationDelegate {
    private let endsTasks: Bool

    init(_ endsTasks: Bool) {
        self.endsTasks = endsTasks
        super.init()
    }

    func applicationDidEnterBackground(_ application: UIApplication) { begin(application) }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        begin(application)
        return true
    }

    private func begin(_ application: UIApplication) {
        let task = Locked(UIBackgroundTaskIdentifier.invalid)
        let begun = application.beginBackgroundTask(withName: "work") { [endsTasks] in
            if endsTasks { application.endBackgroundTask(task.with(\.self)) }
        }
        task.with { $0 = begun }
    }
}
