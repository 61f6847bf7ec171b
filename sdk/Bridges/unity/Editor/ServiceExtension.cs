using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace MartletEditor
{
    /// <summary>The target of the service extension, as values: its files, build settings and frameworks.</summary>
    public sealed class ServiceExtension
    {
        /// <summary>The product of the Swift package, where there are no frameworks.</summary>
        public const string PackageProduct = "PushNotificationServiceExtension";

        /// <summary>The target, and the folder of its files.</summary>
        public readonly string Name;
        public readonly string BundleIdentifier;
        public readonly string[] Linked;

        /// <summary>Each file's text by its path in the project; the class comes from the package, as it is.</summary>
        public readonly Dictionary<string, string> Files = new Dictionary<string, string>();
        public readonly Dictionary<string, string> BuildSettings = new Dictionary<string, string>();

        public string InfoPlist { get { return Name + "/Info.plist"; } }
        public string Class { get { return Name + "/NotificationService.swift"; } }
        public string Settings { get { return Name + "/PushSettings.swift"; } }
        public string Entitlements { get { return Name + "/" + Name + ".entitlements"; } }

        internal ServiceExtension(PushNotificationSettings settings, BuildFacts facts, bool hasFrameworks)
        {
            Name = settings.extensionName.Trim();
            BundleIdentifier = facts.BundleIdentifier + "." + Name;
            Linked = hasFrameworks ? XcodeChanges.ExtensionModules : new string[0];
            string group = settings.appGroup.Trim();
            Files[InfoPlist] = PropertyList(Information(facts));
            Files[Settings] = SwiftSettings(settings);
            if (group.Length > 0)
            {
                Files[Entitlements] = PropertyList(
                    Key("com.apple.security.application-groups", "<array>" + Text(group) + "</array>"));
                BuildSettings["CODE_SIGN_ENTITLEMENTS"] = Entitlements;
            }
            BuildSettings["PRODUCT_BUNDLE_IDENTIFIER"] = BundleIdentifier;
            BuildSettings["INFOPLIST_FILE"] = InfoPlist;
            BuildSettings["IPHONEOS_DEPLOYMENT_TARGET"] = facts.MinimumOS;
            BuildSettings["TARGETED_DEVICE_FAMILY"] = "1,2";
            BuildSettings["SWIFT_VERSION"] = "5.0";
            BuildSettings["APPLICATION_EXTENSION_API_ONLY"] = "YES";
            BuildSettings["LD_RUNPATH_SEARCH_PATHS"] =
                "$(inherited) @executable_path/Frameworks @executable_path/../../Frameworks";
            BuildSettings["CODE_SIGN_STYLE"] = facts.SignsAutomatically ? "Automatic" : "Manual";
            if (facts.TeamID.Length > 0) BuildSettings["DEVELOPMENT_TEAM"] = facts.TeamID;
            if (!facts.SignsAutomatically && settings.extensionProfile.Trim().Length > 0)
            {
                BuildSettings["PROVISIONING_PROFILE_SPECIFIER"] = settings.extensionProfile.Trim();
            }
        }

        internal static IEnumerable<string> Problems(PushNotificationSettings settings, BuildFacts facts)
        {
            // It is a module of Swift, a folder and the end of a bundle id.
            if (!Regex.IsMatch(settings.extensionName.Trim(), "^[A-Za-z][A-Za-z0-9]*$"))
            {
                yield return "Extension Name: it has letters and digits, and begins with a letter.";
            }
            string url = settings.apiURL.Trim(), key = settings.clientKey.Trim();
            if ((url.Length == 0) != (key.Length == 0))
            {
                yield return "Api URL and Client Key: set both, or neither.";
            }
            else if (url.Length > 0)
            {
                Uri address;
                if (!Uri.TryCreate(url, UriKind.Absolute, out address) || address.Scheme != "https")
                {
                    yield return "Api URL: it is an address that begins with https://.";
                }
                if (!Regex.IsMatch(key, "^[!-~]{8,1024}$"))
                {
                    yield return "Client Key: it has 8 to 1,024 printable ASCII characters without spaces.";
                }
                if (settings.appGroup.Trim().Length == 0)
                {
                    yield return "App Group: without one the service extension cannot report deliveries; set it, or take " +
                        "Api URL and Client Key away.";
                }
            }
        }

        private static string Information(BuildFacts facts)
        {
            return Key("CFBundleDevelopmentRegion", Text("$(DEVELOPMENT_LANGUAGE)"))
                + Key("CFBundleDisplayName", Text("$(PRODUCT_NAME)"))
                + Key("CFBundleExecutable", Text("$(EXECUTABLE_NAME)"))
                + Key("CFBundleIdentifier", Text("$(PRODUCT_BUNDLE_IDENTIFIER)"))
                + Key("CFBundleInfoDictionaryVersion", Text("6.0"))
                + Key("CFBundleName", Text("$(PRODUCT_NAME)"))
                + Key("CFBundlePackageType", Text("XPC!"))
                // The App Store wants the app's own.
                + Key("CFBundleShortVersionString", Text(facts.Version))
                + Key("CFBundleVersion", Text(facts.BuildNumber))
                + Key("NSExtension",
                    "<dict>" + Key("NSExtensionPointIdentifier", Text("com.apple.usernotifications.service"))
                    + Key("NSExtensionPrincipalClass", Text("$(PRODUCT_MODULE_NAME).NotificationService")) + "</dict>");
        }

        private static string SwiftSettings(PushNotificationSettings settings)
        {
            return "// Written by each build of the game, from the asset of push notification settings.\n"
                + "nonisolated enum PushSettings {\n"
                + "    static let appGroup: String? = " + SwiftText(settings.appGroup) + "\n"
                + "    static let apiURL: String? = " + SwiftText(settings.apiURL) + "\n"
                + "    static let clientKey: String? = " + SwiftText(settings.clientKey) + "\n"
                + "    static let app: String? = " + SwiftText(settings.app) + "\n"
                + "    static let countsBadge = " + (settings.countsBadge ? "true" : "false") + "\n"
                + "}\n";
        }

        /// <summary>A text as Swift writes it; nil for none.</summary>
        public static string SwiftText(string text)
        {
            if (text.Trim().Length == 0) return "nil";
            StringBuilder written = new StringBuilder("\"");
            foreach (char unit in text.Trim())
            {
                if (unit == '"' || unit == '\\') written.Append('\\').Append(unit);
                else if (char.IsControl(unit))
                {
                    written.Append("\\u{").Append(((int)unit).ToString("X", CultureInfo.InvariantCulture)).Append('}');
                }
                else written.Append(unit);
            }
            return written.Append('"').ToString();
        }

        private static string PropertyList(string members)
        {
            return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
                + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
                + "<plist version=\"1.0\">\n<dict>\n" + members + "</dict>\n</plist>\n";
        }

        private static string Key(string name, string value)
        {
            return "<key>" + name + "</key>" + value + "\n";
        }

        private static string Text(string text)
        {
            return "<string>" + text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;") + "</string>";
        }
    }
}
