using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace MartletEditor
{
    /// <summary>What a build says of itself, and what the package has.</summary>
    public sealed class BuildFacts
    {
        public string BundleIdentifier = "";
        public string Version = "";
        public string BuildNumber = "";
        public string MinimumOS = "";
        public string TeamID = "";
        public bool SignsAutomatically = true;
        public bool IsDevelopment;

        /// <summary>The version of this package, which is the SDK's.</summary>
        public string SDKVersion = "";

        /// <summary>The modules of which the package has an XCFramework.</summary>
        public string[] Frameworks = new string[0];
    }

    /// <summary>
    /// What an Xcode project gets, as values: made of the settings alone, so that it can be looked at without Unity and
    /// without Xcode. XcodePostProcess does it.
    /// </summary>
    public sealed class XcodeChanges
    {
        /// <summary>What a game links and embeds; docs/sdk/c.md lists them.</summary>
        public static readonly string[] GameModules =
        {
            "PushNotificationSDKC", "PushNotificationSDKApple", "PushNotificationSDKCore", "PushNotificationSDKBase",
            "MartletWire", "MartletWireBase"
        };

        /// <summary>What the service extension links; the game embeds it.</summary>
        public static readonly string[] ExtensionModules =
        {
            "PushNotificationServiceExtension", "PushNotificationSDKBase", "MartletWireBase"
        };

        /// <summary>The value of aps-environment.</summary>
        public string APSEnvironment;

        /// <summary>Whether UIBackgroundModes has remote-notification.</summary>
        public bool RemoteNotifications;

        public string[] AppGroups;
        public string[] AssociatedDomains;
        public string[] URLSchemes;

        /// <summary>The frameworks of UnityFramework, and those that the app's target embeds; none with a package.</summary>
        public string[] Linked;
        public string[] Embedded;

        /// <summary>The Swift package in place of frameworks; null with frameworks.</summary>
        public string PackageURL;
        public string PackageVersion;

        /// <summary>Build settings of the app's target and of UnityFramework.</summary>
        public Dictionary<string, string> AppBuildSettings;
        public Dictionary<string, string> FrameworkBuildSettings;

        /// <summary>Where Swift's own libraries are, which a static library of Swift needs.</summary>
        public string[] LibrarySearchPaths;

        /// <summary>Null without one.</summary>
        public ServiceExtension Extension;

        /// <summary>What follows from the settings, once Problems has found none.</summary>
        public static XcodeChanges Of(PushNotificationSettings settings, BuildFacts facts)
        {
            bool hasFrameworks = facts.Frameworks.Length > 0;
            string[] needed = Needed(settings);
            return new XcodeChanges
            {
                APSEnvironment = IsDevelopment(settings, facts) ? "development" : "production",
                RemoteNotifications = settings.remoteNotifications,
                AppGroups = Filled(settings.appGroup),
                AssociatedDomains = Filled(settings.associatedDomains),
                URLSchemes = Filled(settings.urlSchemes),
                Linked = hasFrameworks ? GameModules : new string[0],
                Embedded = hasFrameworks ? needed : new string[0],
                PackageURL = hasFrameworks ? null : settings.swiftPackageURL.Trim(),
                PackageVersion = hasFrameworks ? null : facts.SDKVersion,
                // The app has no Swift of its own, and iOS 13 and 14 have not all of its libraries; a framework in an app
                // must not carry frameworks.
                AppBuildSettings = new Dictionary<string, string> { { "ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES", "YES" } },
                FrameworkBuildSettings = new Dictionary<string, string>
                {
                    { "ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES", "NO" }
                },
                LibrarySearchPaths = hasFrameworks
                    ? new string[0]
                    : new[] { "$(TOOLCHAIN_DIR)/usr/lib/swift/$(PLATFORM_NAME)", "$(SDKROOT)/usr/lib/swift" },
                Extension = settings.serviceExtension ? new ServiceExtension(settings, facts, hasFrameworks) : null
            };
        }

        /// <summary>What is wrong with the settings; each says what to do.</summary>
        public static List<string> Problems(PushNotificationSettings settings, BuildFacts facts)
        {
            List<string> problems = new List<string>();
            if (settings.appGroup.Trim().Length > 0 && !Regex.IsMatch(settings.appGroup.Trim(), "^group\\.[A-Za-z0-9.-]+$"))
            {
                problems.Add("App Group: it begins with group. and has letters, digits, dots and hyphens.");
            }
            foreach (string scheme in Filled(settings.urlSchemes))
            {
                if (!Regex.IsMatch(scheme, "^[A-Za-z][A-Za-z0-9+.-]*$"))
                {
                    problems.Add("Url Schemes: '" + scheme + "' is none; write it without ://.");
                }
            }
            foreach (string domain in Filled(settings.associatedDomains))
            {
                if (!Regex.IsMatch(domain, "^[a-z]+:[A-Za-z0-9.*-]+(\\?mode=[a-z+]+)?$"))
                {
                    problems.Add("Associated Domains: '" + domain + "' is none; write it as applinks:example.com.");
                }
            }
            if (OlderThan13(facts.MinimumOS))
            {
                problems.Add("Player Settings, Target minimum iOS Version: the SDK needs 13.0 or later.");
            }
            problems.AddRange(LibraryProblems(settings, facts));
            if (settings.serviceExtension) problems.AddRange(ServiceExtension.Problems(settings, facts));
            return problems;
        }

        private static IEnumerable<string> LibraryProblems(PushNotificationSettings settings, BuildFacts facts)
        {
            if (facts.Frameworks.Length == 0 && settings.swiftPackageURL.Trim().Length == 0)
            {
                yield return "This package has no frameworks in it: set Swift Package URL, or take the package from " +
                    "scripts/package-engines, which puts them into Frameworks~.";
            }
            else if (facts.Frameworks.Length > 0)
            {
                string[] missing = Needed(settings).Except(facts.Frameworks).ToArray();
                if (missing.Length > 0) yield return "Frameworks~ of this package has no " + string.Join(", ", missing) + ".";
            }
        }

        /// <summary>What of 'wanted' is to be added to what there is, each once and in its order.</summary>
        public static string[] Missing(IEnumerable<string> wanted, IEnumerable<string> present)
        {
            return wanted.Except(present).ToArray();
        }

        /// <summary>
        /// The id of a Swift package that a project already has, or null: a build that appends to an existing project must
        /// not add it again.
        /// </summary>
        public static string PackageReference(string project, string url)
        {
            Match match = Regex.Match(
                project,
                "(\\w+)\\s*(?:/\\*[^*]*\\*/)?\\s*=\\s*\\{\\s*isa = XCRemoteSwiftPackageReference;\\s*repositoryURL = \"?" +
                Regex.Escape(url) + "\"?;");
            return match.Success ? match.Groups[1].Value : null;
        }

        internal static string[] Filled(params string[] texts)
        {
            return texts.Where(text => text != null).Select(text => text.Trim()).Where(text => text.Length > 0)
                .Distinct().ToArray();
        }

        private static string[] Needed(PushNotificationSettings settings)
        {
            return settings.serviceExtension ? GameModules.Union(ExtensionModules).ToArray() : GameModules;
        }

        private static bool IsDevelopment(PushNotificationSettings settings, BuildFacts facts)
        {
            if (settings.apsEnvironment == MartletEditor.APSEnvironment.Automatic) return facts.IsDevelopment;
            return settings.apsEnvironment == MartletEditor.APSEnvironment.Development;
        }

        private static bool OlderThan13(string version)
        {
            int major;
            return int.TryParse(version.Split('.')[0], out major) && major < 13;
        }
    }
}
