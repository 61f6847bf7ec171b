import Foundation
import UserNotifications

/// What a backup of a phone holds of the app: its files, by their paths.
public struct PhoneBackup: Sendable {
    let files: [String: Data]

    /// The paths of what it holds, sorted.
    public var paths: [String] { files.keys.sorted() }
}

extension Phone {
    /// The phone is switched off and on again, and nobody has unlocked it yet.
    public func restart() async {
        await turns.take {
            endProcess()
            state = .notRunning
            banner = nil
            disk.isUnlocked = false
        }
    }

    /// The user unlocks the phone. A running app is told that its files can be read now.
    public func unlock() async {
        await turns.take {
            disk.isUnlocked = true
            process?.becomeReadable()
        }
    }

    /// Makes a backup: what the app stored, less what it excluded.
    public nonisolated func backUp(_ install: Int = 1) -> PhoneBackup {
        let root = settings.folder.appendingPathComponent("installs/\(install)", isDirectory: true).path
        var files: [String: Data] = [:]
        for folder in ["app", "group"] {
            let paths = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
            while let path = paths?.nextObject() as? String {
                let file = URL(fileURLWithPath: "\(root)/\(folder)/\(path)")
                guard !disk.isExcluded(file), let bytes = try? Data(contentsOf: file) else { continue }
                files["\(folder)/\(path)"] = bytes
            }
        }
        return PhoneBackup(files: files)
    }

    /// The app is installed from a backup, of this phone or of another one.
    public func restore(_ backup: PhoneBackup) async {
        await reinstall()
        await turns.take {
            for (path, bytes) in backup.files {
                let file = parts.root.appendingPathComponent(path)
                let folder = file.deletingLastPathComponent()
                do {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try bytes.write(to: file)
                } catch {
                    journal.add(.fault("\(path) could not be restored"))
                }
            }
        }
    }

    /// The system takes away the time that a background task was given: the app is told, has to say that it is done
    /// before it returns, and is killed where it does not. An app that did is suspended.
    public func endBackgroundTime() async {
        await turns.take {
            guard state == .background, let process else { return }
            let left = process.expireTasks()
            guard left.isEmpty else {
                for name in left { journal.add(.fault("the background task \(name) was not ended in time")) }
                endProcess()
                return state = .notRunning
            }
            process.gate.suspend()
        }
    }
}
