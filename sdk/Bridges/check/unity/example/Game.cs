// A game in Unity: everything that it has to write for notifications. In Unity this would be a MonoBehaviour's Awake.
using System;
using System.Collections.Generic;
using Martlet;

public sealed class Game
{
    public readonly List<bool> Answers = new List<bool>();
    public readonly List<string> Notifications = new List<string>();
    public readonly List<string> Opened = new List<string>();
    public readonly List<string> Actions = new List<string>();
    public readonly List<string> Payloads = new List<string>();
    public readonly List<NotificationPermission> Looks = new List<NotificationPermission>();
    public readonly List<NotificationPermission> Changes = new List<NotificationPermission>();
    public readonly List<bool> Settings = new List<bool>();
    public int LastRefusal;
    public readonly List<string> Links = new List<string>();
    public readonly List<int> Logins = new List<int>();
    public readonly List<PushNotificationException> Errors = new List<PushNotificationException>();
    public bool AlwaysOnMainThread = true;

    private readonly int mainThread = System.Threading.Thread.CurrentThread.ManagedThreadId;

    public void Start(string address, string key, string player)
    {
        // In Unity, JsonUtility.FromJson<T> reads title and body of the JSON; a JSON library reads customData.
        PushNotificationSDK.OnNotificationReceived = json => { Note(); Notifications.Add(json); };
        PushNotificationSDK.OnNotificationOpened = json => { Note(); Opened.Add(json); };
        PushNotificationSDK.OnPermissionChanged = permission => { Note(); Changes.Add(permission); };
        PushNotificationSDK.OnNotificationActionTapped = (action, json) => { Note(); Actions.Add(action); Payloads.Add(json); };
        PushNotificationSDK.OnDeepLink = (url, json) => { Note(); Links.Add(url + (json == null ? "" : " of a push")); };
        PushNotificationSDK.OnError = error => { Note(); Errors.Add(error); };
        PushNotificationSDK.InstallAppDelegate();
        PushNotificationSDK.SetOptions(Options);
        PushNotificationSDK.Configure(address, key, player);
    }

    private const string Options =
        "{\"appGroup\": \"group.com.example.game\"," +
        " \"categories\": [{\"identifier\": \"MISSION\", \"actions\": [" +
        "   {\"identifier\": \"CONFIRM\", \"title\": \"確認\", \"foreground\": true," +
        "    \"textInput\": {\"buttonTitle\": \"送信\"}}]}]," +
        " \"links\": [{\"scheme\": \"mygame\"}]," +
        " \"tracksBeforeConsent\": false}";   // Nothing is counted before the player's yes.

    public void Login(string player, string token = null)
    {
        PushNotificationSDK.Login(player, token, error => { Note(); Logins.Add(error == null ? 0 : error.Code); });
    }

    public void Logout()
    {
        PushNotificationSDK.Logout(error => { Note(); Logins.Add(error == null ? 0 : error.Code); });
    }

    public void Ask()
    {
        PushNotificationSDK.RequestPermission(granted => { Note(); Answers.Add(granted); });
    }

    public void AskQuietly()
    {
        PermissionOptions options = PermissionOptions.Alert | PermissionOptions.Provisional;
        PushNotificationSDK.RequestPermission(options, granted => { Note(); Answers.Add(granted); });
    }

    public void Look()
    {
        PushNotificationSDK.GetPermission((permission, error) =>
        {
            Note();
            Looks.Add(permission);
            LastRefusal = error == null ? 0 : error.Code;
        });
    }

    public void OpenSettings()
    {
        PushNotificationSDK.OpenSettings((opened, error) =>
        {
            Note();
            Settings.Add(opened);
            LastRefusal = error == null ? 0 : error.Code;
        });
    }

    public void Stop()
    {
        PushNotificationSDK.OnNotificationOpened = null;
        PushNotificationSDK.OnPermissionChanged = null;
        PushNotificationSDK.OnNotificationReceived = null;
        PushNotificationSDK.OnNotificationActionTapped = null;
        PushNotificationSDK.OnDeepLink = null;
        PushNotificationSDK.OnError = null;
    }

    private void Note()
    {
        AlwaysOnMainThread &= System.Threading.Thread.CurrentThread.ManagedThreadId == mainThread;
    }
}
