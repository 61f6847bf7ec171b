// swift-format-ignore-file
// The integration example of the specification, written as it stands there: it is what must compile, as Swift 5 and as
// Swift 6. The folder beside this one holds the same file.
import UIKit
import PushNotificationSDK

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    func application(_ application: UIApplication,
                     didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {

        // 1. SDK初期化（3行）
        let config = try! SDKConfiguration(
            apiURL: URL(string: "https://api.example.com")!,
            apiKey: "a1b2c3d4-e5f6-g7h8-i9j0-k1l2m3n4o5p6",
            playerAccountId: "player-12345"
        )
        try! PushNotificationSDK.configure(config)

        // 2. 通知許可リクエスト
        PushNotificationSDK.requestNotificationPermission { result in
            switch result {
            case .success(let granted):
                print("通知許可: \(granted)")
            case .failure(let error):
                print("エラー: \(error)")
            }
        }

        // 3. 通知受信ハンドラー設定
        PushNotificationSDK.onNotificationReceived = { payload in
            print("通知受信: \(payload.title)")

            // カスタムデータで画面遷移
            if let customData = payload.customData,
               let action = customData["action"] as? String {
                self.handleDeepLink(action)
            }
        }

        // 4. アクションハンドラー設定
        PushNotificationSDK.onNotificationActionTapped = { actionId, payload in
            print("アクションタップ: \(actionId)")
        }

        // 5. エラーハンドラー設定（オプション）
        PushNotificationSDK.onError = { error in
            print("SDKエラー: \(error.localizedDescription)")
        }

        return true
    }

    private func handleDeepLink(_ action: String) {
        // 画面遷移ロジック
    }
}
