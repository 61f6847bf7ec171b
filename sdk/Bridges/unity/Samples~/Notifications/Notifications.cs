// Put this on an object of the first scene, with your server's address and the app's client key.
using Martlet;
using UnityEngine;

public class Notifications : MonoBehaviour
{
    public string address = "https://push.example.com";
    public string clientKey = "client-key";
    public string appGroup = "group.com.example.game";

    [System.Serializable]
    private class Payload
    {
        public string title = "";
        public string body = "";
    }

    [System.Serializable]
    private class Options
    {
        public string appGroup = "";
        // Nothing is counted before the player's yes: PushNotificationSDK.SetTrackingEnabled(true).
        public bool tracksBeforeConsent = false;
    }

    private void Awake()
    {
        PushNotificationSDK.OnNotificationReceived = json => Debug.Log("received: " + Title(json));
        PushNotificationSDK.OnNotificationOpened = json => Debug.Log("tapped: " + Title(json));
        PushNotificationSDK.OnNotificationActionTapped = (action, json) => Debug.Log("button: " + action);
        PushNotificationSDK.OnDeepLink = (url, json) => Debug.Log("link: " + url);
        PushNotificationSDK.OnError = error => Debug.LogWarning(error.Message + " " + error.RecoverySuggestion);
        PushNotificationSDK.HandlerFailed = Debug.LogException;
        PushNotificationSDK.SetOptions(JsonUtility.ToJson(new Options { appGroup = appGroup }));
        PushNotificationSDK.Configure(address, clientKey);
    }

    // For a button of the game, when the player knows what the notifications are for.
    public void Ask()
    {
        PushNotificationSDK.RequestPermission(granted => Debug.Log(granted ? "allowed" : "refused"));
    }

    private static string Title(string json)
    {
        Payload payload = JsonUtility.FromJson<Payload>(json);
        return payload.title + " " + payload.body;
    }
}
