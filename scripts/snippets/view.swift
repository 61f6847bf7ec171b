import PushNotificationSDK
import PushNotificationSDKUI
import SwiftUI

@available(iOS 15.0, *)
private struct Screens: View {
    var body: some View {
        // the snippet
    }
}
