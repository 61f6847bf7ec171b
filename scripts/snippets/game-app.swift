import PushNotificationSDK
import SwiftUI

final class AppDelegate: PushNotificationAppDelegate {}

struct ContentView: View {
    var body: Never { fatalError("nothing is shown") }  // compiled, never run
}

@MainActor
private func finishLogin(_ url: URL) {}

// the snippet
