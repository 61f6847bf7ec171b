import PushNotificationSDK
import PushNotificationSDKUI
import SwiftUI

@available(iOS 15.0, *)
private struct Screens: View {
    let user = "player-12345"

    var body: some View {
        // the snippet
    }
}
