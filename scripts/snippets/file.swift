import Foundation
import PushNotificationSDK

// the snippet
