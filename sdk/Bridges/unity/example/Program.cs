// Runs the game on a phone of the tests, and looks at what it was told.
using System;
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
    private const int InvalidConfiguration = 1, PermissionDenied = 2;
    private const string Address = "https://api.example.test";
    private const string Gift =
        "{\"aps\":{\"alert\":{\"title\":\"ボーナス\",\"body\":\"100 coins\"}},\"message_id\":\"m-1\",\"missionId\":\"m7\"}";

    [DllImport(Library)] private static extern void PushHooks_Start(int person);
    [DllImport(Library)] private static extern void PushHooks_Deliver(byte[] payload);
    [DllImport(Library)] private static extern void PushHooks_Tap(byte[] actionId, byte[] payload);
    [DllImport(Library)] private static extern void PushHooks_FailRegistration();
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
        TellsOfARefusal(Denies, 0);
        TellsOfARefusal(HasDenied, 1);
        KeepsExceptionsOnItsSide();
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
