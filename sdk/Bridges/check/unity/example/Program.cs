// Runs the game on a phone of the tests, and looks at what it was told.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using Martlet;

public static class Program
{
#if UNITY_IOS
    private const string Library = "__Internal";
#else
    private const string Library = "PushNotificationSDKC";
#endif
    private const int Denies = 0, Allows = 1, HasDenied = 2;
    private const int InvalidConfiguration = 1, PermissionDenied = 2, NotConfigured = 6, LinkRefused = 8;
    private const int RegistrationFailed = 7, LoginRequired = 11;
    private const string Item = "01920000-0000-7000-8000-000000000001";
    private const string Address = "https://api.example.test";
    private const string Gift =
        "{\"aps\":{\"alert\":{\"title\":\"ボーナス\",\"body\":\"100 coins\"}},\"message_id\":\"m-1\",\"missionId\":\"m7\"}";

    [DllImport(Library)] private static extern void PushHooks_Start(int person);
    [DllImport(Library)] private static extern void PushHooks_Deliver(byte[] payload);
    [DllImport(Library)] private static extern void PushHooks_Tap(byte[] actionId, byte[] payload);
    [DllImport(Library)] private static extern void PushHooks_FailRegistration();
    [DllImport(Library)] private static extern void PushHooks_Open(byte[] payload);
    [DllImport(Library)] private static extern void PushHooks_Register();
    [DllImport(Library)] private static extern IntPtr PushHooks_LastUser();
    [DllImport(Library)] private static extern int PushHooks_Buttons(byte[] category);
    [DllImport(Library)] private static extern IntPtr PushHooks_AppGroup();
    [DllImport(Library)] private static extern void PushHooks_Write(byte[] actionId, byte[] userText, byte[] payload);
    [DllImport(Library)] private static extern IntPtr PushHooks_Field(byte[] category, byte[] actionId);
    [DllImport(Library)] private static extern IntPtr PushHooks_LastToken();
    [DllImport(Library)] private static extern IntPtr PushHooks_LastInstallation();
    [DllImport(Library)] private static extern void PushHooks_ChangePermission(int isAllowed);
    [DllImport(Library)] private static extern int PushHooks_Granted();
    [DllImport(Library)] private static extern IntPtr PushHooks_LastOpened();
    [DllImport(Library)] private static extern int PushHooks_Badge();
    [DllImport(Library)] private static extern int PushHooks_IsTracking();
    [DllImport(Library)] private static extern IntPtr PushHooks_LastRequest();
    [DllImport(Library)] private static extern void PushHooks_AllowToken(byte[] userToken);
    [DllImport(Library)] private static extern void PushHooks_ServeMainQueue();

    private static int passed, failed;

    private static void Check(bool fact, string what)
    {
        if (fact) passed++;
        else
        {
            failed++;
            Console.Error.WriteLine("not so: " + what);
        }
    }

    private static void CheckSoon(Func<bool> fact, string what)
    {
        DateTime end = DateTime.UtcNow.AddSeconds(10);
        while (!fact() && DateTime.UtcNow < end) PushHooks_ServeMainQueue();
        Check(fact(), what);
    }

    private static byte[] Bytes(string text)
    {
        return Encoding.UTF8.GetBytes(text + "\0");
    }

    private static void RefusesBadConfigurations()
    {
        PushHooks_Start(Allows);
        Game game = new Game();
        game.Start("http://api.example.test", "validkey123", null);
        CheckSoon(() => game.Errors.Count == 1, "an address without https is refused");
        Check(game.Errors[0].Code == InvalidConfiguration, "its code");
        Check(game.Errors[0].Message != "" && game.Errors[0].RecoverySuggestion != "", "its texts");
        PushNotificationSDK.Configure(null, null);
        CheckSoon(() => game.Errors.Count == 2, "null is refused");
        PushNotificationSDK.Configure(Address, "validkey\0123");
        CheckSoon(() => game.Errors.Count == 3, "a zero in a text is refused");
        PushNotificationSDK.Configure(Address, "validkey\ud800");
        CheckSoon(() => game.Errors.Count == 4, "half a surrogate pair is refused");
        game.Stop();
    }

    private static void TellsTheGame()
    {
        PushHooks_Start(Allows);
        Game game = new Game();
        game.Start(Address, "validkey123", "player-12345");
        game.Ask();
        game.Ask();
        CheckSoon(() => game.Answers.Count == 2, "both questions are answered");
        Check(game.Answers[0] && game.Answers[1], "with yes");
        // The delegates that the library holds must outlive a collection.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        PushHooks_Deliver(Bytes(Gift));
        CheckSoon(() => game.Notifications.Count == 1, "the notification comes");
        Check(game.Notifications[0].Contains("\"title\":\"ボーナス\""), "with its title in UTF-8");
        Check(game.Notifications[0].Contains("\"missionId\":\"m7\""), "with its own data");
        PushHooks_Tap(Bytes("CONFIRM"), Bytes(Gift));
        CheckSoon(() => game.Actions.Count == 1 && game.Actions[0] == "CONFIRM", "the action comes");
        PushHooks_FailRegistration();
        CheckSoon(() => game.Errors.Count == 1, "a failed registration is an error");
        Check(game.AlwaysOnMainThread, "always on the main thread");
        game.Stop();
        PushHooks_FailRegistration();
        for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
        Check(game.Errors.Count == 1, "nobody is told after the handlers are taken away");
    }

    private static string LastUser()
    {
        return Marshal.PtrToStringAnsi(PushHooks_LastUser());
    }

    private static void TellsWhoLogsIn()
    {
        PushHooks_Start(Allows);
        Game game = new Game();
        game.Login("player-1");
        CheckSoon(() => game.Logins.Count == 1 && game.Logins[0] == NotConfigured, "nobody logs in before the start");
        game.Start(Address, "validkey123", null);
        PushHooks_Register();
        CheckSoon(() => LastUser() == "-", "nobody is logged in at first");
        game.Login("player-1");
        CheckSoon(() => game.Logins.Count == 2 && LastUser() == "player-1", "the server knows the player");
        game.Login("player-2", "token.of.two");
        CheckSoon(() => game.Logins.Count == 3 && LastUser() == "player-2/token.of.two", "and the one with a token");
        game.Logout();
        CheckSoon(() => game.Logins.Count == 4 && LastUser() == "-", "and that nobody is left");
        Check(game.Logins[1] == 0 && game.Logins[2] == 0 && game.Logins[3] == 0, "all without an error");
        game.Login(null);
        game.Login("player\0cut");
        CheckSoon(() => game.Logins.Count == 6, "what cannot be a player is answered");
        Check(game.Logins[4] == InvalidConfiguration && game.Logins[5] == InvalidConfiguration, "with why");
        PushNotificationSDK.Login("player-3");
        CheckSoon(() => LastUser() == "player-3", "nobody has to wait for the answer");
        string before = PushNotificationSDK.InstallationID;
        bool isForgotten = false;
        PushNotificationSDK.ForgetDevice(error => isForgotten = error == null);
        CheckSoon(() => isForgotten, "the device is forgotten");
        Check(LastRequest() == "DELETE installations/" + before, "and deleted at the server");
        Check(PushNotificationSDK.InstallationID != before, "and another one");
        Check(game.Errors.Count == 0 && game.AlwaysOnMainThread, "always on the main thread");
        game.Stop();
    }

    private static void OpensLinks()
    {
        PushHooks_Start(Allows);
        Game game = new Game();
        game.Start(Address, "validkey123", null);
        Check(Marshal.PtrToStringAnsi(PushHooks_AppGroup()) == "group.com.example.game", "the app group is taken");
        CheckSoon(() => PushHooks_Buttons(Bytes("MISSION")) == 1, "the category is there");
        PushHooks_Open(Bytes("{\"aps\":{\"alert\":\"x\"},\"message_id\":\"l-1\",\"deeplink\":\"mygame://mission/7\"}"));
        CheckSoon(() => game.Links.Count == 1, "the link of a notification comes");
        Check(game.Links[0] == "mygame://mission/7 of a push", "with its notification");
        Check(PushNotificationSDK.Open("mygame://shop"), "a link that the game hands over is taken");
        CheckSoon(() => game.Links.Count == 2 && game.Links[1] == "mygame://shop", "and comes alone");
        Check(!PushNotificationSDK.Open("file:///etc/passwd") && !PushNotificationSDK.Open(null), "others are not");
        CheckSoon(() => game.Errors.Count == 1 && game.Errors[0].Code == LinkRefused, "and a refusal is an error");
        PushNotificationSDK.SetFCMToken("f:cm");
        CheckSoon(() => Marshal.PtrToStringAnsi(PushHooks_LastToken()) == "fcm f:cm", "Firebase's token is registered");
        PushHooks_Register();
        PushNotificationSDK.SetFCMToken(null);
        CheckSoon(() => Marshal.PtrToStringAnsi(PushHooks_LastToken()).StartsWith("apns "), "and Apple's in place of it");
        PushNotificationSDK.SetBadge(3);
        CheckSoon(() => PushHooks_Badge() == 3, "the badge is set");
        Check(PushHooks_IsTracking() == 0, "nothing is counted before the player was asked");
        PushNotificationSDK.SetTrackingEnabled(true);
        Check(PushHooks_IsTracking() == 1, "the consent is given");
        PushNotificationSDK.SetTrackingEnabled(false);
        Check(PushHooks_IsTracking() == 0, "the consent is taken back");
        PushNotificationSDK.SetOptions("{\"links\":7}");
        CheckSoon(() => game.Errors.Count == 2 && game.Errors[1].Code == InvalidConfiguration, "so are bad options");
        Check(game.AlwaysOnMainThread, "always on the main thread");
        game.Stop();
    }

    private static void TellsOfThePermission()
    {
        PushHooks_Start(Denies);
        Game game = new Game();
        game.Look();
        CheckSoon(() => game.Looks.Count == 1 && game.LastRefusal == NotConfigured, "nobody looks before the start");
        game.OpenSettings();
        CheckSoon(() => game.Settings.Count == 1 && !game.Settings[0] && game.LastRefusal == NotConfigured, "or opens settings");
        Check(PushNotificationSDK.DeviceToken == null && PushNotificationSDK.InstallationID == null, "or has a token or an id");
        game.Start(Address, "validkey123", null);
        CheckSoon(() => PushHooks_Buttons(Bytes("MISSION")) == 1, "the launch is over");
        game.Look();
        CheckSoon(() => game.Looks.Count == 2 && game.LastRefusal == 0, "what is allowed now is there to look at");
        Check(game.Looks[1] == NotificationPermission.NotDetermined, "nobody was asked yet");
        game.AskQuietly();
        CheckSoon(() => game.Answers.Count == 1 && game.Changes.Count == 1, "a quiet permission is a change");
        Check(game.Answers[0] && game.Changes[0] == NotificationPermission.Provisional, "without a prompt");
        Check(PushHooks_Granted() == (int)(PermissionOptions.Alert | PermissionOptions.Provisional), "for what was asked");
        PushHooks_ChangePermission(0);
        CheckSoon(() => game.Changes.Count == 2, "a change in the settings is told");
        Check(game.Changes[1] == NotificationPermission.Denied, "as what it is");
        game.Look();
        CheckSoon(() => game.Looks.Count == 3 && game.Looks[2] == NotificationPermission.Denied, "and is there to look at");
        Check(game.LastRefusal == 0, "without an error");
        game.OpenSettings();
        CheckSoon(() => game.Settings.Count == 2 && game.Settings[1] && game.LastRefusal == 0, "the settings open");
        Check((Marshal.PtrToStringAnsi(PushHooks_LastOpened()) ?? "").Contains("settings"), "which are the system's");
        PushHooks_Register();
        CheckSoon(() => PushHooks_LastInstallation() != IntPtr.Zero, "the server knows the installation");
        string known = Marshal.PtrToStringAnsi(PushHooks_LastInstallation());
        Check(PushNotificationSDK.InstallationID == known && known.Length == 36, "by the id that the game reads");
        string token = PushNotificationSDK.DeviceToken;
        Check(token != null && token.Length == 64 && token.StartsWith("abab"), "and its token is Apple's");
        PushNotificationSDK.OpenSettings();
        Check(game.Errors.Count == 0 && game.AlwaysOnMainThread, "always on the main thread");
        game.Stop();
    }

    private static void TellsATapFromAnArrival()
    {
        PushHooks_Start(Allows);
        Game game = new Game();
        game.Start(Address, "validkey123", null);
        PushHooks_Deliver(Bytes(Gift));
        CheckSoon(() => game.Notifications.Count == 1 && game.Opened.Count == 0, "an arrival is no tap");
        PushHooks_Open(Bytes("{\"aps\":{\"alert\":\"tapped\"},\"message_id\":\"m-9\"}"));
        CheckSoon(() => game.Notifications.Count == 2 && game.Opened.Count == 1, "a tap is both");
        Check(game.Opened[0].Contains("tapped"), "with its notification");
        CheckSoon(() => PushHooks_Field(Bytes("MISSION"), Bytes("CONFIRM")) != IntPtr.Zero, "the button takes text");
        PushHooks_Write(Bytes("CONFIRM"), Bytes("明日"), Bytes(Gift));
        CheckSoon(() => game.Actions.Count == 1 && game.Actions[0] == "CONFIRM", "the action comes");
        Check(game.Payloads[0].Contains("\"userText\":\"明日\""), "with what the person wrote");
        Check(game.Opened.Count == 1 && game.AlwaysOnMainThread, "and is no tap on the notification");
        game.Stop();
    }

    private static void SaysWhyPushesComeOrDoNot()
    {
        PushHooks_Start(Allows);
        string text = "";
        int answers = 0, error = 0;
        Action<string, PushNotificationException> read = (known, reason) =>
        {
            text = known;
            error = reason == null ? 0 : reason.Code;
            answers++;
        };
        PushNotificationSDK.GetDiagnostics(read);
        CheckSoon(() => answers == 1 && error == NotConfigured && text == null, "before the start nothing is known");
        PushNotificationSDK.Configure(Address, "validkey123");
        PushNotificationSDK.SendTestNotification(read);
        CheckSoon(() => answers == 2 && error == RegistrationFailed, "no test comes to a device that is not registered");
        PushNotificationSDK.GetDiagnostics(read);
        CheckSoon(() => answers == 3 && error == 0, "what is known is told");
        PushHooks_Register();
        CheckSoon(() => PushHooks_LastInstallation() != IntPtr.Zero, "the server knows the installation");
        for (int turn = 0; turn < 5; turn++) PushHooks_ServeMainQueue();
        PushNotificationSDK.SendTestNotification(read);
        CheckSoon(() => answers == 4 && error == 0 && text.Length == 36, "a test comes");
        Check(LastRequest().Contains("POST installations/"), "which the server sends");
        PushNotificationSDK.GetDiagnostics(read);
        CheckSoon(() => answers == 5 && error == 0 && text.Contains("abababab"), "and the token is known");
        Check(!text.Contains("validkey123"), "without the key");
        PushNotificationSDK.SendTestNotification();
    }

    private static void KeepsPreferencesAndInbox()
    {
        PushHooks_Start(Allows);
        List<string> texts = new List<string>(), updates = new List<string>();
        int answers = 0, error = 0;
        Action<string, PushNotificationException> read = (json, reason) =>
        {
            texts.Add(json);
            error = reason == null ? 0 : reason.Code;
            answers++;
        };
        Action<PushNotificationException> end = reason => read(null, reason);
        PushNotificationSDK.OnInboxUpdate = updates.Add;
        PushNotificationSDK.OnUserTokenNeeded = player => PushNotificationSDK.AnswerUserToken(player, "token.new");
        PushNotificationSDK.Configure(Address, "validkey123");
        PushNotificationSDK.LoadPreferences(read);
        CheckSoon(() => answers == 1 && error == LoginRequired && texts[0] == null, "nobody's preferences are not read");
        PushHooks_AllowToken(Bytes("token.new"));
        PushNotificationSDK.Login("player-1", "token.old");
        PushNotificationSDK.LoadPreferences(read);
        CheckSoon(() => answers == 2 && error == 0, "a player's are, with a token that is asked for");
        Check(texts[1].Contains("コメント"), "as they are");
        CheckSoon(() => updates.Count == 1 && updates[0].Contains("\"unread\":4"), "the inbox tells of a change");
        PushNotificationSDK.SetPreferences("{\"master\":{\"push\":null}}", read);
        CheckSoon(() => answers == 3 && error == 0, "a change is made");
        Check(LastRequest() == "PATCH preferences {\"master\":{\"push\":null}}", "of what it names");
        PushNotificationSDK.GetInboxPage(null, read);
        CheckSoon(() => answers == 4 && error == 0 && texts[3].Contains(Item), "a page is read");
        PushNotificationSDK.GetInboxCounts(read);
        CheckSoon(() => answers == 5 && texts[4].Contains("\"unread\":2"), "and the counts");
        PushNotificationSDK.MarkInbox("[\"" + Item + "\"]", "read", end);
        CheckSoon(() => answers == 6 && error == 0 && LastRequest().Contains("\"read\""), "an item is read");
        PushNotificationSDK.MarkWholeInbox(Item, "seen", null, end);
        CheckSoon(() => answers == 7 && error == 0 && LastRequest().Contains("up_to"), "all are seen");
        PushNotificationSDK.ArchiveInboxItem(Item, end);
        CheckSoon(() => answers == 8 && error == 0 && LastRequest().Contains("archive"), "one is put away");
        PushNotificationSDK.SetPushEnabled(false, end);
        CheckSoon(() => answers == 9 && error == RegistrationFailed, "a device that is not registered has no switch");
        PushNotificationSDK.OnInboxUpdate = null;
        PushNotificationSDK.OnUserTokenNeeded = null;
    }

    private static string LastRequest()
    {
        string text = Marshal.PtrToStringAnsi(PushHooks_LastRequest());
        return text ?? "";
    }

    private static void TellsOfARefusal(int person, int errors)
    {
        PushHooks_Start(person);
        Game game = new Game();
        game.Start(Address, "validkey123", null);
        game.Ask();
        CheckSoon(() => game.Answers.Count == 1 && game.Errors.Count == errors, "the refusal comes");
        Check(!game.Answers[0], "as a no");
        if (errors > 0) Check(game.Errors[0].Code == PermissionDenied, "and as the error that it is");
        game.Stop();
    }

    private static void KeepsExceptionsOnItsSide()
    {
        PushHooks_Start(Allows);
        Game game = new Game();
        game.Start(Address, "validkey123", null);
        Exception seen = null;
        PushNotificationSDK.HandlerFailed = exception => seen = exception;
        PushNotificationSDK.OnNotificationReceived = json => { throw new InvalidOperationException("the game's own"); };
        PushHooks_Deliver(Bytes(Gift));
        CheckSoon(() => seen is InvalidOperationException, "what a delegate throws goes to HandlerFailed");
        game.Stop();
    }

    public static int Main()
    {
        RefusesBadConfigurations();
        TellsTheGame();
        TellsWhoLogsIn();
        OpensLinks();
        TellsOfThePermission();
        TellsATapFromAnArrival();
        SaysWhyPushesComeOrDoNot();
        KeepsPreferencesAndInbox();
        TellsOfARefusal(Denies, 0);
        TellsOfARefusal(HasDenied, 1);
        KeepsExceptionsOnItsSide();
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
