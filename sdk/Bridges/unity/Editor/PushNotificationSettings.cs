using UnityEngine;

namespace MartletEditor
{
    /// <summary>Which of Apple's two worlds the game gets its device tokens from.</summary>
    public enum APSEnvironment
    {
        /// <summary>Development in development builds, else production.</summary>
        Automatic,
        Development,
        Production
    }

    /// <summary>
    /// What the Xcode project of an iOS build gets for push notifications. A project has one asset of this kind; it stays
    /// in the editor, and nothing of it is in the game but the service extension.
    /// </summary>
    [CreateAssetMenu(menuName = "Push Notifications/Settings", fileName = "PushNotificationSettings")]
    public sealed class PushNotificationSettings : ScriptableObject
    {
        [Tooltip("The entitlement aps-environment. When Xcode exports an archive, the profile decides.")]
        public APSEnvironment apsEnvironment = APSEnvironment.Automatic;

        [Tooltip("Background Modes > Remote notifications: pushes with content-available wake the game.")]
        public bool remoteNotifications = true;

        [Tooltip("The group that the game shares with its service extension, such as group.com.example.game; also the " +
                 "option appGroup of the game.")]
        public string appGroup = "";

        [Tooltip("Schemes of links into the game, without ://.")]
        public string[] urlSchemes = new string[0];

        [Tooltip("Domains of universal links, such as applinks:example.com.")]
        public string[] associatedDomains = new string[0];

        [Header("Service extension: pictures, sounds and movies, and deliveries while the game does not run")]
        public bool serviceExtension = true;

        [Tooltip("The target's name; its bundle id is the game's, a dot and this name.")]
        public string extensionName = "NotificationService";

        [Tooltip("With manual signing, the name of the extension's provisioning profile.")]
        public string extensionProfile = "";

        [Tooltip("The server's address, with which the extension itself reports deliveries. Empty: the game does.")]
        public string apiURL = "";

        [Tooltip("The app's client key. It is compiled into the extension.")]
        public string clientKey = "";

        [Tooltip("The app's name at the server, where the game's options have one.")]
        public string app = "";

        [Tooltip("Whether a push without a number counts the icon's number up.")]
        public bool countsBadge = false;

        [Header("Where the SDK comes from when this package has no frameworks in it")]
        [Tooltip("The address of the Swift package; its version is this package's.")]
        public string swiftPackageURL = "";
    }
}
