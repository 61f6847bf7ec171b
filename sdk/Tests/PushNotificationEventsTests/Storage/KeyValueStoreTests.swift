import Foundation
import PushNotificationSDKCore
import PushNotificationSDKTesting
import Testing

@Suite("Stores of small values") struct KeyValueStoreTests {
    /// What every store does, whatever it is kept in.
    private func exercise(_ store: some KeyValueStore) throws {
        #expect(try store.data(for: "a.one") == nil)
        try store.set(Data([1, 2]), for: "a.one")
        try store.set("two", for: "a.two")
        try store.set("three", for: "b.three")
        #expect(try store.data(for: "a.one") == Data([1, 2]))
        #expect(try store.string(for: "a.two") == "two")
        #expect(try store.string(for: "a.one") == "\u{1}\u{2}")
        #expect(try store.keys(prefix: "a.").sorted() == ["a.one", "a.two"])
        for bytes in [Data([0, 9, 10, 13, 255]), Data("値\n\t".utf8), Data([0]), Data("é".utf8.prefix(1))] {
            try store.set(bytes, for: "a.one")
            #expect(try store.data(for: "a.one") == bytes)
        }
        try store.set(Data(), for: "a.one")
        #expect(try store.data(for: "a.one") == Data())
        try store.remove("a.one")
        try store.remove("a.never")
        #expect(try store.data(for: "a.one") == nil)
        #expect(store.isReadable)
    }

    @Test("the memory store does what a store does") func memory() throws {
        try exercise(MemoryStore())
    }

    @Test("UserDefaults do what a store does") func userDefaults() throws {
        let name = "martlet.test.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        try exercise(UserDefaultsStore(defaults, marker: nil))
    }

    @Test("a value of another type under a key reads as none") func foreignType() throws {
        let name = "martlet.test.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        defaults.set(7, forKey: "key")
        #expect(try UserDefaultsStore(defaults, marker: nil).data(for: "key") == nil)
    }

    @Test("before the first unlock every call fails and nothing reads as empty") func locked() throws {
        let name = "martlet.test.\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let folder = Sample.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // A folder in the marker's place is there and cannot be read, as the file is then.
        let file = folder.appendingPathComponent("marker")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let store = UserDefaultsStore(defaults, marker: ProtectedMarker(file: file))

        #expect(!store.isReadable)
        #expect(throws: StorageUnreadable()) { try store.data(for: "key") }
        #expect(throws: StorageUnreadable()) { try store.set(Data(), for: "key") }
        #expect(throws: StorageUnreadable()) { try store.remove("key") }
        #expect(throws: StorageUnreadable()) { try store.keys(prefix: "") }

        // What this process has read as empty stays so; the next one reads what is there.
        try FileManager.default.removeItem(at: file)
        #expect(!store.isReadable)
        #expect(UserDefaultsStore(defaults, marker: ProtectedMarker(file: file)).isReadable)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("files do what a store does, and another process finds what they hold") func files() throws {
        let folder = Sample.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try exercise(FileStore(folder: folder))
        #expect(try FileStore(folder: folder).string(for: "b.three") == "three")
    }

    @Test("files cannot be read before the first unlock, and can in the same process after it")
    func lockedFiles() throws {
        let folder = Sample.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let marker = folder.appendingPathComponent("unlocked")
        try FileManager.default.createDirectory(at: marker, withIntermediateDirectories: true)
        let store = FileStore(folder: folder)
        #expect(throws: StorageUnreadable()) { try store.data(for: "martlet.key") }
        #expect(throws: StorageUnreadable()) { try store.keys(prefix: "") }
        try FileManager.default.removeItem(at: marker)
        #expect(try store.keys(prefix: "martlet.") == [])
    }

    @Test("a full disk can be read, though it has no room for the marker or its folder", arguments: [true, false])
    func fullDisk(hasFolder: Bool) throws {
        let folder = Sample.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        if hasFolder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        let isFull = Locked(true)
        var files = SystemFiles()
        files.put = { data, file, options in
            if isFull.with({ $0 }) {
                if !hasFolder { try FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
                throw CocoaError(hasFolder ? .fileWriteOutOfSpace : .fileNoSuchFile)
            }
            try data.write(to: file, options: options)
        }
        let store = FileStore(folder: folder, files: files)
        #expect(store.isReadable)
        #expect(try store.data(for: "key") == nil)
        #expect(throws: StorageUnreadable(isFull: true)) { try store.set(Data([1]), for: "key") }
        isFull.with { $0 = false }
        try store.set(Data([1]), for: "key")
        #expect(try FileStore(folder: folder).data(for: "key") == Data([1]))
    }

    @Test("what is written can be read after the first unlock, and only a store that asks for it is backed up")
    func protection() throws {
        let written = Journal<Data.WritingOptions>()
        let marked = Journal<URL>()
        var files = SystemFiles()
        files.put = { data, file, options in
            written.add(options)
            try data.write(to: file)
        }
        files.mark = { folder, values in if values.isExcludedFromBackup == true { marked.add(folder) } }
        let (own, backedUp) = (Sample.folder(), Sample.folder())
        defer { for folder in [own, backedUp] { try? FileManager.default.removeItem(at: folder) } }
        try FileStore(folder: own, files: files).set("one", for: "key")
        try FileStore(folder: backedUp, files: files, isBackedUp: true).set("two", for: "key")
        // Each store has its value, and a file that says whether it can be read.
        #expect(written.entries.count == 4)
        #expect(
            written.entries.allSatisfy { $0 == [.atomic, .completeFileProtectionUntilFirstUserAuthentication] }
        )
        #expect(marked.entries.map(\.standardizedFileURL.path) == [own.standardizedFileURL.path])
    }

    @Test("making stores touches no disk") func lazy() {
        let file = Sample.folder().appendingPathComponent("marker")
        let marker = ProtectedMarker(file: file)
        #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
        withExtendedLifetime(marker) {}
    }
}
