import Foundation
import Testing
import UserNotifications

@Suite("The stand-in of UNUserNotificationCenter asks as the system does")
struct PermissionTests {
    @Test("calls that come while the prompt shows share it and its answer")
    func oneQuestionForAll() async throws {
        let device = NotificationDevice()
        let prompt = Guarded<(@Sendable (Bool) -> Void)?>(nil)
        device.setPrompt { _, answer in prompt.write { $0 = answer } }
        let center = UNUserNotificationCenter(device: device)
        let answers = Guarded<[Bool]>([])

        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for _ in 1...3 {
                center.requestAuthorization(options: [.alert]) { granted, _ in
                    let count = answers.write { answers in
                        answers.append(granted)
                        return answers.count
                    }
                    if count == 3 { done.resume() }
                }
            }
            prompt.read { $0 }?(true)
        }

        #expect(answers.read { $0 } == [true, true, true])
        #expect(device.promptCount == 1)
        #expect(device.permission == NotificationPermission(status: .authorized, granted: [.alert]))
    }

    @Test("who said no is not asked again, and that is no error")
    func deniedOnce() async throws {
        let device = NotificationDevice()
        device.setPrompt { _, answer in answer(false) }
        let center = UNUserNotificationCenter(device: device)
        #expect(try await center.requestAuthorization(options: [.alert, .sound]) == false)
        #expect(try await center.requestAuthorization(options: [.alert]) == false)
        #expect(device.promptCount == 1)
        let settings = await center.notificationSettings()
        #expect(settings.authorizationStatus == .denied)
        #expect(settings.alertSetting == .disabled)
    }

    @Test("a trial asks nobody; asking for more then does")
    func provisional() async throws {
        let device = NotificationDevice()
        let center = UNUserNotificationCenter(device: device)
        #expect(try await center.requestAuthorization(options: [.alert, .provisional]))
        #expect(device.promptCount == 0)
        #expect(await center.notificationSettings().authorizationStatus == .provisional)
        #expect(try await center.requestAuthorization(options: [.alert]))
        #expect(device.promptCount == 1)
        #expect(await center.notificationSettings().authorizationStatus == .authorized)
    }

    @Test("an app without the entitlement gets the error")
    func fails() async {
        let device = NotificationDevice()
        device.failRequests(with: UNError(.notificationsNotAllowed))
        let center = UNUserNotificationCenter(device: device)
        await #expect(throws: UNError(.notificationsNotAllowed)) {
            try await center.requestAuthorization(options: [.alert])
        }
        #expect(device.permission.status == .notDetermined)
    }

    @Test("answers come on a thread that is not the main one")
    func answersElsewhere() async {
        let center = UNUserNotificationCenter(device: NotificationDevice())
        let onMain = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
            center.getNotificationSettings { _ in done.resume(returning: MainQueue.isCurrent) }
        }
        #expect(!onMain)
        #expect(await MainActor.run { MainQueue.isCurrent })
    }

    @Test("two devices in one process know nothing of each other")
    func severalDevices() async throws {
        let first = NotificationDevice()
        let second = NotificationDevice()
        second.setPrompt { _, answer in answer(false) }
        #expect(try await UNUserNotificationCenter(device: first).requestAuthorization(options: [.badge]))
        #expect(try await !UNUserNotificationCenter(device: second).requestAuthorization(options: [.badge]))
    }
}
