import PushNotificationSDK
import SwiftUI

final class AppDelegate: PushNotificationAppDelegate {}

struct ContentView: View {
    var body: Never { fatalError("nothing is shown") }  // compiled, never run
}

// the snippet
