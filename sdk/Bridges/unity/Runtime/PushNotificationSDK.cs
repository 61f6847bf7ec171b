// The push notification SDK for Unity.
//
// Every member may be used on any thread. Every delegate is called on the main thread of the app, which on iOS is
// Unity's. What a delegate throws does not cross into the SDK: it goes to HandlerFailed.
//
// In the editor and on platforms other than iOS there is nothing to call: IsAvailable is false, no handler is told of
// anything, and every completion is called at once, within the method, with the code Unavailable.

#if UNITY_EDITOR || (UNITY_5_3_OR_NEWER && !UNITY_IOS)
#define MARTLET_ABSENT
#endif

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using AOT;

namespace Martlet
{
    /// <summary>What the SDK reports; docs/sdk/c.md lists the codes.</summary>
    public sealed class PushNotificationException : Exception
    {
        /// <summary>The code of a call in the editor, or on a platform other than iOS: there is no library.</summary>
        public const int Unavailable = -2;

        /// <summary>One of the codes that never change.</summary>
        public int Code { get; private set; }

        /// <summary>What to do about it; never null.</summary>
        public string RecoverySuggestion { get; private set; }

        internal PushNotificationException(int code, string message, string recoverySuggestion) : base(message)
        {
            Code = code;
            RecoverySuggestion = recoverySuggestion;
        }
    }

    /// <summary>What the person allows. What a later system adds reads as Denied.</summary>
    public enum NotificationPermission
    {
        /// <summary>The person was not asked yet.</summary>
        NotDetermined = 0,
        /// <summary>The person refused; only the system's settings change that.</summary>
        Denied = 1,
        /// <summary>The person allowed notifications.</summary>
        Authorized = 2,
        /// <summary>Quiet notifications, on trial: asking without Provisional upgrades them.</summary>
        Provisional = 3,
        /// <summary>For the few hours of an App Clip.</summary>
        Ephemeral = 4
    }

    /// <summary>What a request for the permission asks for.</summary>
    [Flags]
    public enum PermissionOptions
    {
        /// <summary>The number on the app's icon.</summary>
        Badge = 1,
        /// <summary>Sounds.</summary>
        Sound = 2,
        /// <summary>Alerts.</summary>
        Alert = 4,
        /// <summary>Quiet notifications, without a prompt.</summary>
        Provisional = 64
    }

    /// <summary>The SDK as C# sees it.</summary>
    public static class PushNotificationSDK
    {
#if MARTLET_ABSENT
        /// <summary>Whether there is a library to call.</summary>
        public const bool IsAvailable = false;
#else
        /// <summary>Whether there is a library to call.</summary>
        public const bool IsAvailable = true;
#endif

        /// <summary>Told of a notification: one JSON object, whose members docs/sdk/c.md lists.</summary>
        public static Action<string> OnNotificationReceived
        {
            get { lock (gate) return notificationReceived; }
            set
            {
                lock (gate) notificationReceived = value;
                Native.SetNotificationHandler(value == null ? null : Notified);
            }
        }

        /// <summary>
        /// Told of a notification that the person tapped, as above. OnNotificationReceived is told as well, and cannot tell an
        /// arrival from a tap.
        /// </summary>
        public static Action<string> OnNotificationOpened
        {
            get { lock (gate) return notificationOpened; }
            set
            {
                lock (gate) notificationOpened = value;
                Native.SetOpenedHandler(value == null ? null : Opened);
            }
        }

        /// <summary>
        /// Told when the person allowed or refused notifications: at the prompt, or in the system's settings, which is noticed
        /// when the app comes to the front.
        /// </summary>
        public static Action<NotificationPermission> OnPermissionChanged
        {
            get { lock (gate) return permissionChanged; }
            set
            {
                lock (gate) permissionChanged = value;
                Native.SetPermissionHandler(value == null ? null : Changed);
            }
        }

        /// <summary>
        /// Told of a tapped action: its identifier, and the notification as above. What the person wrote, where the action takes
        /// text, is the member userText.
        /// </summary>
        public static Action<string, string> OnNotificationActionTapped
        {
            get { lock (gate) return actionTapped; }
            set
            {
                lock (gate) actionTapped = value;
                Native.SetActionHandler(value == null ? null : Acted);
            }
        }

        /// <summary>
        /// Told of links into the app that the options allow: the link, and the notification as above, or null where the
        /// system opened the app by it. While it is null the newest link of a tapped notification is kept for it, where the
        /// options have "links"; else the system opens it.
        /// </summary>
        public static Action<string, string> OnDeepLink
        {
            get { lock (gate) return deepLinkOpened; }
            set
            {
                lock (gate) deepLinkOpened = value;
                Native.SetLinkHandler(value == null ? null : Linked);
            }
        }

        /// <summary>
        /// Told when something changed in the inbox, while the app is in front: one JSON object, whose members docs/sdk/c.md
        /// lists.
        /// </summary>
        public static Action<string> OnInboxUpdate
        {
            get { lock (gate) return inboxUpdated; }
            set
            {
                lock (gate) inboxUpdated = value;
                Native.SetInboxHandler(IntPtr.Zero, value == null ? null : Updated, IntPtr.Zero);
            }
        }

        /// <summary>
        /// Told that a token is needed that speaks for a player; AnswerUserToken hands it over.
        /// </summary>
        public static Action<string> OnUserTokenNeeded
        {
            get { lock (gate) return userTokenNeeded; }
            set
            {
                lock (gate) userTokenNeeded = value;
                Native.SetUserTokenHandler(IntPtr.Zero, value == null ? null : Needed, IntPtr.Zero);
            }
        }

        /// <summary>Told of errors; also of those of Configure, SetOptions and RequestPermission.</summary>
        public static Action<PushNotificationException> OnError
        {
            get { lock (gate) return errorReported; }
            set
            {
                lock (gate) errorReported = value;
                Native.SetErrorHandler(value == null ? null : Failed);
            }
        }

        /// <summary>Told of what a delegate threw; where nobody is, it is written to the console.</summary>
        public static Action<Exception> HandlerFailed { get; set; }

        /// <summary>
        /// Hands the system's calls to the SDK from now on; the app's own delegates are told everything as well. A tap
        /// that starts the app comes before any of Unity's code: docs/sdk/unity.md says how it is not missed.
        /// </summary>
        public static void InstallAppDelegate()
        {
            Native.InstallAppDelegate();
        }

        /// <summary>
        /// Sets what Configure takes beside its arguments: one JSON object, whose members docs/sdk/c.md lists. Called first;
        /// null takes the options away. A refusal goes to OnError and changes nothing.
        /// </summary>
        public static void SetOptions(string jsonOptions)
        {
            Native.SetOptions(Passable(jsonOptions));
        }

        /// <summary>
        /// A player logged in, with the token that speaks for them where the server asks for one. The completion is called
        /// once, when the server knows; with null when it is done, else with why not.
        /// </summary>
        public static void Login(
            string playerAccountId, string userToken = null, Action<PushNotificationException> completion = null)
        {
            Native.Login(Await(WithoutValue(completion)), Passable(playerAccountId), Passable(userToken), Ended, IntPtr.Zero);
        }

        /// <summary>The player logged out: pushes for that player do not come to this device any more.</summary>
        public static void Logout(Action<PushNotificationException> completion = null)
        {
            Native.Logout(Await(WithoutValue(completion)), Ended, IntPtr.Zero);
        }

        /// <summary>
        /// Forgets this device: removes what the SDK keeps on it, but for the consent, and has the server delete the
        /// installation. The device is another installation from now on, which is registered when somebody logs in, or
        /// with the next launch. The completion is called once, when the server has deleted it; after an error of the
        /// network or the server it is deleted later.
        /// </summary>
        public static void ForgetDevice(Action<PushNotificationException> completion = null)
        {
            Native.ForgetDevice(Await(WithoutValue(completion)), Ended, IntPtr.Zero);
        }

        /// <summary>
        /// Has this install reached through Firebase Cloud Messaging instead of through Apple's service directly, by the
        /// registration token that Firebase gives; null goes back to Apple's token. It may be set before Configure, and outlives
        /// the app's launches. A text that cannot be such a token changes nothing and goes to OnError.
        /// </summary>
        public static void SetFCMToken(string token)
        {
            Native.SetFCMToken(Passable(token));
        }

        /// <summary>
        /// Hands over a link that the system opened the app by: whether the SDK took it. Always hand over those of
        /// Application.deepLinkActivated and, once at the start, Application.absoluteURL: Unity takes all links, universal
        /// links too, and the SDK is told of none otherwise.
        /// </summary>
        public static bool Open(string url)
        {
            return Native.OpenURL(Passable(url)) != 0;
        }

        /// <summary>Sets the number on the app's icon; 0 removes it.</summary>
        public static void SetBadge(int number)
        {
            Native.SetBadge(number);
        }

        /// <summary>
        /// Whether events are reported, the person's consent: so until it is switched off, which also discards what was not
        /// uploaded. It may be set before Configure, and outlives the app's launches. With the option tracksBeforeConsent set to
        /// false none are reported before it is switched on.
        /// </summary>
        public static void SetTrackingEnabled(bool isEnabled)
        {
            Native.SetTrackingEnabled(isEnabled ? 1 : 0);
        }

        /// <summary>Starts the SDK. The player may be null: none yet. A refusal goes to OnError.</summary>
        public static void Configure(string apiURL, string apiKey, string playerAccountId = null)
        {
            Native.Configure(Passable(apiURL), Passable(apiKey), Passable(playerAccountId));
        }

        /// <summary>
        /// Asks the person for the permission to notify; the answer comes once. Why nobody could be asked goes to OnError.
        /// </summary>
        public static void RequestPermission(Action<bool> completion = null)
        {
            lock (gate) waiting.Enqueue(completion);
            Native.RequestPermission(Answered);
        }

        /// <summary>The same with what is asked for; the method above asks for badge, sound and alert.</summary>
        public static void RequestPermission(PermissionOptions options, Action<bool> completion = null)
        {
            lock (gate) waiting.Enqueue(completion);
            Native.RequestPermissionWithOptions((int)options, Answered);
        }

        /// <summary>
        /// Asks the system what the person allows now, without a prompt. The completion is called once; before Configure with
        /// an error, which is null otherwise.
        /// </summary>
        public static void GetPermission(Action<NotificationPermission, PushNotificationException> completion)
        {
            Action<int, PushNotificationException> told = null;
            if (completion != null) told = (value, error) => completion((NotificationPermission)value, error);
            Native.GetPermission(Await(told), Valued, IntPtr.Zero);
        }

        /// <summary>
        /// Opens the app's page in the system's settings, where the person can allow what was refused. The completion is called
        /// once, with whether it opened; before Configure with an error, which is null otherwise.
        /// </summary>
        public static void OpenSettings(Action<bool, PushNotificationException> completion = null)
        {
            Action<int, PushNotificationException> told = null;
            if (completion != null) told = (value, error) => completion(value != 0, error);
            Native.OpenSettings(Await(told), Valued, IntPtr.Zero);
        }

        /// <summary>The device token that Apple gave the app last, in hexadecimal; null before one came.</summary>
        public static string DeviceToken
        {
            get { return Written(Native.GetDeviceToken); }
        }

        /// <summary>
        /// The id by which the server knows this install; null before Configure, and before the device's first unlock.
        /// </summary>
        public static string InstallationID
        {
            get { return Written(Native.GetInstallationID); }
        }

        /// <summary>
        /// Tells why pushes come to this device or do not, as a text for people. It holds no key, secret or user token, and
        /// names the player. The completion is called once, before Configure with an error, which is null otherwise.
        /// </summary>
        public static void GetDiagnostics(Action<string, PushNotificationException> completion)
        {
            Native.GetDiagnostics(AwaitText(completion), Texted, IntPtr.Zero);
        }

        /// <summary>
        /// Has the server send a notification to this device, and to no other, with a text of its own. The completion is called
        /// once, with the notification's id, which the payload has as messageId, or with an error.
        /// </summary>
        public static void SendTestNotification(Action<string, PushNotificationException> completion = null)
        {
            Native.SendTestNotification(AwaitText(completion), Texted, IntPtr.Zero);
        }

        /// <summary>
        /// Reads what the player who is logged in wants: one JSON object, whose members docs/sdk/c.md lists. As every call about
        /// preferences and inbox it needs a player whose token is known; the error is null where it was done, else the JSON is.
        /// </summary>
        public static void LoadPreferences(Action<string, PushNotificationException> completion)
        {
            Native.LoadPreferences(AwaitText(completion), Texted, IntPtr.Zero);
        }

        /// <summary>Changes what the JSON object names and nothing else; null takes a choice back.</summary>
        public static void SetPreferences(string jsonChange, Action<string, PushNotificationException> completion = null)
        {
            Native.SetPreferences(AwaitText(completion), Passable(jsonChange), Texted, IntPtr.Zero);
        }

        /// <summary>Switches pushes to this device on or off; inbox items stay.</summary>
        public static void SetPushEnabled(bool isEnabled, Action<PushNotificationException> completion = null)
        {
            Native.SetPushEnabled(Await(WithoutValue(completion)), isEnabled ? 1 : 0, Ended, IntPtr.Zero);
        }

        /// <summary>
        /// Reads a page of the inbox, newest items first. The query says which one; null is the newest of what is not archived.
        /// </summary>
        public static void GetInboxPage(string jsonQuery, Action<string, PushNotificationException> completion)
        {
            Native.GetInboxPage(AwaitText(completion), Passable(jsonQuery), Texted, IntPtr.Zero);
        }

        /// <summary>Reads how many items the player has not read.</summary>
        public static void GetInboxCounts(Action<string, PushNotificationException> completion)
        {
            Native.GetInboxCounts(AwaitText(completion), Texted, IntPtr.Zero);
        }

        /// <summary>
        /// Marks items, a JSON list of their ids, as seen, unseen, read, unread, archived or unarchived. Without a connection the
        /// mark is kept and sent later, which is no error.
        /// </summary>
        public static void MarkInbox(
            string jsonItemIDs, string mark, Action<PushNotificationException> completion = null)
        {
            Native.MarkInbox(
                Await(WithoutValue(completion)), Passable(jsonItemIDs), Passable(mark), Ended, IntPtr.Zero);
        }

        /// <summary>
        /// Marks all items up to the newest one that the player saw, as seen, read or archived; of a category, or of all.
        /// </summary>
        public static void MarkWholeInbox(
            string itemID, string mark = "read", string category = null, Action<PushNotificationException> completion = null)
        {
            Native.MarkWholeInbox(
                Await(WithoutValue(completion)), Passable(itemID), Passable(mark), Passable(category), Ended, IntPtr.Zero);
        }

        /// <summary>Puts an item away.</summary>
        public static void ArchiveInboxItem(string itemID, Action<PushNotificationException> completion = null)
        {
            Native.ArchiveInboxItem(Await(WithoutValue(completion)), Passable(itemID), Ended, IntPtr.Zero);
        }

        /// <summary>Hands over the token that OnUserTokenNeeded was asked for; null where there is none.</summary>
        public static void AnswerUserToken(string playerAccountId, string userToken)
        {
            Native.AnswerUserToken(Passable(playerAccountId), Passable(userToken));
        }

        // The library keeps the pointers that are made of these: they must never be collected, and so are static.
        private static readonly Native.PermissionCallback Answered = OnAnswer;
        private static readonly Native.NotificationCallback Notified = OnNotification;
        private static readonly Native.NotificationCallback Opened = OnOpen;
        private static readonly Native.PermissionCallback Changed = OnPermission;
        private static readonly Native.ActionCallback Acted = OnAction;
        private static readonly Native.ErrorCallback Failed = OnFailure;
        private static readonly Native.ActionCallback Linked = OnLink;
        private static readonly Native.ResultCallback Ended = OnEnd;
        private static readonly Native.ValueCallback Valued = OnValue;
        private static readonly Native.TextCallback Texted = OnText;
        private static readonly Native.ActionCallback Updated = OnInbox;
        private static readonly Native.ActionCallback Needed = OnTokenNeeded;

        private static readonly object gate = new object();
        private static readonly Queue<Action<bool>> waiting = new Queue<Action<bool>>();
        // Logins and the like may end in another order: each has a number, which crosses the border in place of a pointer.
        private static readonly Dictionary<long, Action<int, PushNotificationException>> unfinished =
            new Dictionary<long, Action<int, PushNotificationException>>();
        private static readonly Dictionary<long, Action<string, PushNotificationException>> textWaiters =
            new Dictionary<long, Action<string, PushNotificationException>>();
#if !MARTLET_ABSENT
        private static long lastNumber;
#endif
        private static Action<string> inboxUpdated;
        private static Action<string> userTokenNeeded;
        private static Action<string> notificationReceived;
        private static Action<string> notificationOpened;
        private static Action<NotificationPermission> permissionChanged;
        private static Action<string, string> actionTapped;
        private static Action<string, string> deepLinkOpened;
        private static Action<PushNotificationException> errorReported;

        // The answers come in the order of the questions, and while a person is being asked all get the same one.
        [MonoPInvokeCallback(typeof(Native.PermissionCallback))]
        private static void OnAnswer(int granted)
        {
            Guarded(() =>
            {
                Action<bool> completion = null;
                lock (gate)
                {
                    if (waiting.Count > 0) completion = waiting.Dequeue();
                }
                if (completion != null) completion(granted != 0);
            });
        }

        [MonoPInvokeCallback(typeof(Native.NotificationCallback))]
        private static void OnNotification(IntPtr jsonPayload)
        {
            Guarded(() =>
            {
                Action<string> handler = OnNotificationReceived;
                if (handler != null) handler(Text(jsonPayload));
            });
        }

        [MonoPInvokeCallback(typeof(Native.NotificationCallback))]
        private static void OnOpen(IntPtr jsonPayload)
        {
            Guarded(() =>
            {
                Action<string> handler = OnNotificationOpened;
                if (handler != null) handler(Text(jsonPayload));
            });
        }

        [MonoPInvokeCallback(typeof(Native.PermissionCallback))]
        private static void OnPermission(int permission)
        {
            Guarded(() =>
            {
                Action<NotificationPermission> handler = OnPermissionChanged;
                if (handler != null) handler((NotificationPermission)permission);
            });
        }

        [MonoPInvokeCallback(typeof(Native.ActionCallback))]
        private static void OnAction(IntPtr actionId, IntPtr jsonPayload)
        {
            Guarded(() =>
            {
                Action<string, string> handler = OnNotificationActionTapped;
                if (handler != null) handler(Text(actionId), Text(jsonPayload));
            });
        }

        [MonoPInvokeCallback(typeof(Native.ActionCallback))]
        private static void OnLink(IntPtr url, IntPtr jsonPayload)
        {
            Guarded(() =>
            {
                Action<string, string> handler = OnDeepLink;
                if (handler != null) handler(Text(url), jsonPayload == IntPtr.Zero ? null : Text(jsonPayload));
            });
        }

        private static Action<int, PushNotificationException> WithoutValue(Action<PushNotificationException> completion)
        {
            if (completion == null) return null;
            return (value, error) => completion(error);
        }

#if MARTLET_ABSENT
        private static PushNotificationException Absence()
        {
            return new PushNotificationException(
                PushNotificationException.Unavailable,
                "Push notifications are not available here.",
                "Run the game on iOS; IsAvailable says whether there is an SDK.");
        }

        // As the library does: a no, and why to the error handler.
        private static void Refuse()
        {
            OnAnswer(0);
            Guarded(() =>
            {
                Action<PushNotificationException> handler = OnError;
                if (handler != null) handler(Absence());
            });
        }

#endif
        private static IntPtr Await(Action<int, PushNotificationException> completion)
        {
#if MARTLET_ABSENT
            if (completion != null) Guarded(() => completion(0, Absence()));
            return IntPtr.Zero;
#else
            lock (gate)
            {
                lastNumber++;
                unfinished[lastNumber] = completion;
                return new IntPtr(lastNumber);
            }
#endif
        }

        private static IntPtr AwaitText(Action<string, PushNotificationException> completion)
        {
#if MARTLET_ABSENT
            if (completion != null) Guarded(() => completion(null, Absence()));
            return IntPtr.Zero;
#else
            lock (gate)
            {
                lastNumber++;
                textWaiters[lastNumber] = completion;
                return new IntPtr(lastNumber);
            }
#endif
        }

        [MonoPInvokeCallback(typeof(Native.TextCallback))]
        private static void OnText(IntPtr number, IntPtr json, IntPtr error)
        {
            Guarded(() =>
            {
                Action<string, PushNotificationException> completion;
                lock (gate)
                {
                    textWaiters.TryGetValue(number.ToInt64(), out completion);
                    textWaiters.Remove(number.ToInt64());
                }
                if (completion != null) completion(json == IntPtr.Zero ? null : Text(json), Reason(error));
            });
        }

        [MonoPInvokeCallback(typeof(Native.ActionCallback))]
        private static void OnInbox(IntPtr context, IntPtr jsonUpdate)
        {
            Guarded(() =>
            {
                Action<string> handler = OnInboxUpdate;
                if (handler != null) handler(Text(jsonUpdate));
            });
        }

        [MonoPInvokeCallback(typeof(Native.ActionCallback))]
        private static void OnTokenNeeded(IntPtr context, IntPtr playerAccountId)
        {
            Guarded(() =>
            {
                Action<string> handler = OnUserTokenNeeded;
                if (handler != null) handler(Text(playerAccountId));
            });
        }

        [MonoPInvokeCallback(typeof(Native.ResultCallback))]
        private static void OnEnd(IntPtr number, IntPtr error)
        {
            Guarded(() => Finish(number, 0, error));
        }

        [MonoPInvokeCallback(typeof(Native.ValueCallback))]
        private static void OnValue(IntPtr number, int value, IntPtr error)
        {
            Guarded(() => Finish(number, value, error));
        }

        private static void Finish(IntPtr number, int value, IntPtr error)
        {
            Action<int, PushNotificationException> completion;
            lock (gate)
            {
                unfinished.TryGetValue(number.ToInt64(), out completion);
                unfinished.Remove(number.ToInt64());
            }
            if (completion != null) completion(value, Reason(error));
        }

        // The members of PushSDKError: a number of four bytes and two texts of 512, each with its zero byte.
        private static PushNotificationException Reason(IntPtr error)
        {
            if (error == IntPtr.Zero) return null;
            IntPtr message = new IntPtr(error.ToInt64() + 4), suggestion = new IntPtr(error.ToInt64() + 4 + 512);
            return new PushNotificationException(Marshal.ReadInt32(error), Text(message), Text(suggestion));
        }

        [MonoPInvokeCallback(typeof(Native.ErrorCallback))]
        private static void OnFailure(int code, IntPtr message, IntPtr recoverySuggestion)
        {
            Guarded(() =>
            {
                Action<PushNotificationException> handler = OnError;
                if (handler != null)
                {
                    handler(new PushNotificationException(code, Text(message), Text(recoverySuggestion)));
                }
            });
        }

        // An exception that leaves a callback ends the app.
        private static void Guarded(Action call)
        {
            try
            {
                call();
            }
            catch (Exception exception)
            {
                try
                {
                    Action<Exception> handler = HandlerFailed;
                    if (handler != null) handler(exception); else Console.Error.WriteLine(exception);
                }
                catch (Exception)
                {
                    // The last one to be told failed itself.
                }
            }
        }

        // UTF-8 with a zero byte at its end. A text that cannot be passed on whole (a zero in it, half a surrogate pair)
        // becomes a byte that is never UTF-8, which the SDK refuses, instead of being cut in silence.
        private static byte[] Passable(string text)
        {
            if (text == null) return null;
            try
            {
                if (text.IndexOf('\0') < 0) return new UTF8Encoding(false, true).GetBytes(text + "\0");
            }
            catch (EncoderFallbackException)
            {
            }
            return new byte[] { 0xFF, 0 };
        }

        // A text that the library writes into our bytes; null where there is none.
        private static string Written(Func<byte[], int, int> write)
        {
            byte[] text = new byte[512];
            int length = write(text, text.Length);
            return length > 0 && length < text.Length ? Encoding.UTF8.GetString(text, 0, length) : null;
        }

        // A copy, because the library's text is valid only until the callback returns.
        private static string Text(IntPtr utf8)
        {
            if (utf8 == IntPtr.Zero) return "";
            int length = 0;
            while (Marshal.ReadByte(utf8, length) != 0) length++;
            byte[] bytes = new byte[length];
            Marshal.Copy(utf8, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        private static class Native
        {
            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void PermissionCallback(int value);

            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void NotificationCallback(IntPtr jsonPayload);

            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void ActionCallback(IntPtr actionId, IntPtr jsonPayload);

            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void ErrorCallback(int code, IntPtr message, IntPtr recoverySuggestion);

            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void ResultCallback(IntPtr context, IntPtr error);

            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void ValueCallback(IntPtr context, int value, IntPtr error);

            [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
            internal delegate void TextCallback(IntPtr context, IntPtr json, IntPtr error);

#if MARTLET_ABSENT
            internal static void InstallAppDelegate() { }
            internal static void Configure(byte[] apiURL, byte[] apiKey, byte[] playerAccountId) { }
            internal static void RequestPermission(PermissionCallback callback) { Refuse(); }
            internal static void RequestPermissionWithOptions(int options, PermissionCallback callback) { Refuse(); }
            internal static void GetPermission(IntPtr context, ValueCallback callback, IntPtr release) { }
            internal static void SetPermissionHandler(PermissionCallback handler) { }
            internal static void OpenSettings(IntPtr context, ValueCallback callback, IntPtr release) { }
            internal static int GetDeviceToken(byte[] text, int size) { return 0; }
            internal static int GetInstallationID(byte[] text, int size) { return 0; }
            internal static void SetNotificationHandler(NotificationCallback handler) { }
            internal static void SetOpenedHandler(NotificationCallback handler) { }
            internal static void SetActionHandler(ActionCallback handler) { }
            internal static void SetErrorHandler(ErrorCallback handler) { }
            internal static void SetOptions(byte[] jsonOptions) { }
            internal static void SetLinkHandler(ActionCallback handler) { }
            internal static int OpenURL(byte[] url) { return 0; }
            internal static void SetBadge(int number) { }
            internal static void SetFCMToken(byte[] token) { }
            internal static void SetTrackingEnabled(int isEnabled) { }
            internal static void Login(
                IntPtr context, byte[] playerAccountId, byte[] userToken, ResultCallback callback, IntPtr release) { }
            internal static void Logout(IntPtr context, ResultCallback callback, IntPtr release) { }
            internal static void ForgetDevice(IntPtr context, ResultCallback callback, IntPtr release) { }
            internal static void GetDiagnostics(IntPtr context, TextCallback callback, IntPtr release) { }
            internal static void SendTestNotification(IntPtr context, TextCallback callback, IntPtr release) { }
            internal static void LoadPreferences(IntPtr context, TextCallback callback, IntPtr release) { }
            internal static void SetPreferences(IntPtr context, byte[] jsonChange, TextCallback callback, IntPtr release) { }
            internal static void SetPushEnabled(IntPtr context, int isEnabled, ResultCallback callback, IntPtr release) { }
            internal static void GetInboxPage(IntPtr context, byte[] jsonQuery, TextCallback callback, IntPtr release) { }
            internal static void GetInboxCounts(IntPtr context, TextCallback callback, IntPtr release) { }
            internal static void MarkInbox(
                IntPtr context, byte[] jsonItemIDs, byte[] mark, ResultCallback callback, IntPtr release) { }
            internal static void MarkWholeInbox(
                IntPtr context, byte[] itemID, byte[] mark, byte[] category, ResultCallback callback, IntPtr release) { }
            internal static void ArchiveInboxItem(IntPtr context, byte[] itemID, ResultCallback callback, IntPtr release) { }
            internal static void SetInboxHandler(IntPtr context, ActionCallback handler, IntPtr release) { }
            internal static void SetUserTokenHandler(IntPtr context, ActionCallback handler, IntPtr release) { }
            internal static void AnswerUserToken(byte[] playerAccountId, byte[] userToken) { }
#else
#if UNITY_IOS
            // On iOS the library is a part of the program.
            private const string Library = "__Internal";
#else
            private const string Library = "PushNotificationSDKC";
#endif

            [DllImport(Library, EntryPoint = "PushSDK_InstallAppDelegate", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void InstallAppDelegate();

            [DllImport(Library, EntryPoint = "UnityPushSDK_Configure", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void Configure(byte[] apiURL, byte[] apiKey, byte[] playerAccountId);

            [DllImport(Library, EntryPoint = "UnityPushSDK_RequestPermission", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void RequestPermission(PermissionCallback callback);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetNotificationHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetNotificationHandler(NotificationCallback handler);

            [DllImport(Library, EntryPoint = "UnityPushSDK_RequestPermissionWithOptions", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void RequestPermissionWithOptions(int options, PermissionCallback callback);

            [DllImport(Library, EntryPoint = "PushSDK_GetPermission", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void GetPermission(IntPtr context, ValueCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetPermissionHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetPermissionHandler(PermissionCallback handler);

            [DllImport(Library, EntryPoint = "PushSDK_OpenSettings", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void OpenSettings(IntPtr context, ValueCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "UnityPushSDK_GetDeviceToken", CallingConvention = CallingConvention.Cdecl)]
            internal static extern int GetDeviceToken([Out] byte[] text, int size);

            [DllImport(Library, EntryPoint = "UnityPushSDK_GetInstallationID", CallingConvention = CallingConvention.Cdecl)]
            internal static extern int GetInstallationID([Out] byte[] text, int size);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetOpenedHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetOpenedHandler(NotificationCallback handler);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetActionHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetActionHandler(ActionCallback handler);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetErrorHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetErrorHandler(ErrorCallback handler);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetOptions", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetOptions(byte[] jsonOptions);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetLinkHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetLinkHandler(ActionCallback handler);

            [DllImport(Library, EntryPoint = "UnityPushSDK_OpenURL", CallingConvention = CallingConvention.Cdecl)]
            internal static extern int OpenURL(byte[] url);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetBadge", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetBadge(int number);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetFCMToken", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetFCMToken(byte[] token);

            [DllImport(Library, EntryPoint = "UnityPushSDK_SetTrackingEnabled", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetTrackingEnabled(int isEnabled);

            [DllImport(Library, EntryPoint = "PushSDK_Login", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void Login(
                IntPtr context, byte[] playerAccountId, byte[] userToken, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_Logout", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void Logout(IntPtr context, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_ForgetDevice", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void ForgetDevice(IntPtr context, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_GetDiagnostics", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void GetDiagnostics(IntPtr context, TextCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_SendTestNotification", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SendTestNotification(IntPtr context, TextCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_LoadPreferences", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void LoadPreferences(IntPtr context, TextCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_SetPreferences", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetPreferences(IntPtr context, byte[] jsonChange, TextCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_SetPushEnabled", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetPushEnabled(IntPtr context, int isEnabled, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_GetInboxPage", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void GetInboxPage(IntPtr context, byte[] jsonQuery, TextCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_GetInboxCounts", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void GetInboxCounts(IntPtr context, TextCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_MarkInbox", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void MarkInbox(
                IntPtr context, byte[] jsonItemIDs, byte[] mark, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_MarkWholeInbox", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void MarkWholeInbox(
                IntPtr context, byte[] itemID, byte[] mark, byte[] category, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_ArchiveInboxItem", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void ArchiveInboxItem(IntPtr context, byte[] itemID, ResultCallback callback, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_SetInboxHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetInboxHandler(IntPtr context, ActionCallback handler, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_SetUserTokenHandler", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void SetUserTokenHandler(IntPtr context, ActionCallback handler, IntPtr release);

            [DllImport(Library, EntryPoint = "PushSDK_AnswerUserToken", CallingConvention = CallingConvention.Cdecl)]
            internal static extern void AnswerUserToken(byte[] playerAccountId, byte[] userToken);
#endif
        }
    }
}

#if !UNITY_5_3_OR_NEWER
namespace AOT
{
    // Unity has this one; elsewhere it says nothing.
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type) { }
    }
}
#endif
