// A game in Unity: everything that it has to write for notifications. In Unity this would be a MonoBehaviour's Awake.
using System;
using System.Collections.Generic;
using Martlet;

public sealed class Game
{
    public readonly List<bool> Answers = new List<bool>();
    public readonly List<string> Notifications = new List<string>();
    public readonly List<string> Actions = new List<string>();
    public readonly List<string> Links = new List<string>();
    public readonly List<int> Logins = new List<int>();
    public readonly List<PushNotificationException> Errors = new List<PushNotificationException>();
    public bool AlwaysOnMainThread = true;

    private readonly int mainThread = System.Threading.Thread.CurrentThread.ManagedThreadId;

    public void Start(string address, string key, string player)
    {
        // In Unity, JsonUtility.FromJson<T> reads title and body of the JSON; a JSON library reads customData.
        PushNotificationSDK.OnNotificationReceived = json => { Note(); Notifications.Add(json); };
        PushNotificationSDK.OnNotificationActionTapped = (action, json) => { Note(); Actions.Add(action); };
        PushNotificationSDK.OnDeepLink = (url, json) => { Note(); Links.Add(url + (json == null ? "" : " of a push")); };
        PushNotificationSDK.OnError = error => { Note(); Errors.Add(error); };
        PushNotificationSDK.InstallAppDelegate();
        PushNotificationSDK.SetOptions(Options);
        PushNotificationSDK.Configure(address, key, player);
    }

    private const string Options =
        "{\"appGroup\": \"group.com.example.game\"," +
        " \"categories\": [{\"identifier\": \"MISSION\", \"actions\": [" +
        "   {\"identifier\": \"CONFIRM\", \"title\": \"確認\", \"foreground\": true}]}]," +
        " \"links\": [{\"scheme\": \"mygame\"}]}";

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

    public void Stop()
    {
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
