// Looks at the changes of an Xcode project as values, then makes them in a folder with the stand-ins for Unity's API:
// once, and once more, as a build that appends. The folders stay for a look at the files: scripts/check-bridges.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using MartletEditor;
using UnityEditor;
using UnityEditor.Build;
using UnityEditor.Build.Reporting;
using UnityEngine;

public static class PostProcess
{
    private static int passed, failed;
    private static string folder, expected;

    private static void Check(bool fact, string what)
    {
        if (fact) passed++;
        else
        {
            failed++;
            Console.Error.WriteLine("not so: " + what);
        }
    }

    private static PushNotificationSettings Settings()
    {
        PushNotificationSettings settings = ScriptableObject.CreateInstance<PushNotificationSettings>();
        settings.appGroup = "group.com.example.game";
        settings.urlSchemes = new[] { "mygame", " mygame ", "" };
        settings.associatedDomains = new[] { "applinks:example.com" };
        settings.apiURL = "https://push.example.com";
        settings.clientKey = "key-with-\"-and-\\";
        return settings;
    }

    private static BuildFacts Facts(params string[] frameworks)
    {
        return new BuildFacts
        {
            BundleIdentifier = "com.example.game",
            Version = "2.1 <beta>",
            BuildNumber = "7",
            MinimumOS = "13.0",
            TeamID = "ABCDE12345",
            SDKVersion = "1.2.3",
            Frameworks = frameworks
        };
    }

    private static string[] AllFrameworks
    {
        get { return XcodeChanges.GameModules.Union(XcodeChanges.ExtensionModules).ToArray(); }
    }

    private static void ChangesFollowFromSettings()
    {
        PushNotificationSettings settings = Settings();
        XcodeChanges changes = XcodeChanges.Of(settings, Facts(AllFrameworks));
        Check(changes.APSEnvironment == "production" && changes.RemoteNotifications,
            "a release gets production tokens");
        Check(changes.AppGroups.SequenceEqual(new[] { "group.com.example.game" }), "the group is a capability");
        Check(changes.URLSchemes.SequenceEqual(new[] { "mygame" }), "schemes come once, and without blanks");
        Check(changes.AssociatedDomains.SequenceEqual(new[] { "applinks:example.com" }), "so do domains");
        Check(changes.Linked.Length == 6 && changes.Embedded.Length == 7, "six frameworks are linked, seven embedded");
        Check(changes.PackageURL == null && changes.LibrarySearchPaths.Length == 0, "and no package is added");
        Check(changes.AppBuildSettings["ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES"] == "YES",
            "the app carries Swift's libraries");
        Check(changes.FrameworkBuildSettings["ALWAYS_EMBED_SWIFT_STANDARD_LIBRARIES"] == "NO",
            "and its framework none");
        BuildFacts development = Facts(AllFrameworks);
        development.IsDevelopment = true;
        Check(XcodeChanges.Of(settings, development).APSEnvironment == "development", "a development build the others");
        settings.apsEnvironment = APSEnvironment.Production;
        Check(XcodeChanges.Of(settings, development).APSEnvironment == "production",
            "unless the settings say otherwise");
        settings.apsEnvironment = APSEnvironment.Development;
        Check(XcodeChanges.Of(settings, Facts(AllFrameworks)).APSEnvironment == "development", "either way");
        settings.remoteNotifications = false;
        Check(!XcodeChanges.Of(settings, development).RemoteNotifications, "background pushes can be left out");
    }

    private static void WithoutFrameworksAPackageIsAdded()
    {
        PushNotificationSettings settings = Settings();
        settings.swiftPackageURL = " https://github.com/example/martlet ";
        XcodeChanges changes = XcodeChanges.Of(settings, Facts());
        Check(changes.PackageURL == "https://github.com/example/martlet", "the package's address is the settings'");
        Check(changes.PackageVersion == "1.2.3", "and its version this package's");
        Check(changes.Linked.Length == 0 && changes.Embedded.Length == 0, "and there are no frameworks");
        Check(changes.Extension.Linked.Length == 0 && changes.LibrarySearchPaths.Length == 2,
            "for the extension neither");
    }

    private static void TheExtensionHasItsFiles()
    {
        ServiceExtension extension = XcodeChanges.Of(Settings(), Facts(AllFrameworks)).Extension;
        Check(extension.BundleIdentifier == "com.example.game.NotificationService", "its id begins with the game's");
        Check(extension.Linked.SequenceEqual(XcodeChanges.ExtensionModules), "it links the SDK for extensions");
        string plist = extension.Files[extension.InfoPlist], swift = extension.Files[extension.Settings];
        Check(plist.Contains("<string>2.1 &lt;beta&gt;</string>"), "its version is the game's, as XML has it");
        Check(plist.Contains("$(PRODUCT_MODULE_NAME).NotificationService"), "it names the class");
        Check(swift == File.ReadAllText(expected), "its settings are what scripts/check-ios compiles");
        Check(ServiceExtension.SwiftText("a\nb\\(c)") == "\"a\\u{A}b\\\\(c)\"", "no text leaves its quotes");
        Check(extension.BuildSettings["CODE_SIGN_STYLE"] == "Automatic", "it is signed as the game is");
        Check(extension.BuildSettings["DEVELOPMENT_TEAM"] == "ABCDE12345", "by the same team");
        Check(extension.BuildSettings["IPHONEOS_DEPLOYMENT_TARGET"] == "13.0", "for the same iOS");
        Check(extension.BuildSettings["LD_RUNPATH_SEARCH_PATHS"].EndsWith("@executable_path/../../Frameworks"),
            "it finds the frameworks of the game");
        PushNotificationSettings settings = Settings();
        settings.appGroup = settings.apiURL = settings.clientKey = "";
        settings.extensionProfile = "Game Extension";
        BuildFacts facts = Facts(AllFrameworks);
        facts.SignsAutomatically = false;
        extension = XcodeChanges.Of(settings, facts).Extension;
        Check(!extension.Files.ContainsKey(extension.Entitlements), "without a group it has no entitlements");
        Check(!extension.BuildSettings.ContainsKey("CODE_SIGN_ENTITLEMENTS"), "nor names any");
        Check(extension.BuildSettings["PROVISIONING_PROFILE_SPECIFIER"] == "Game Extension",
            "and takes the profile named");
        settings.serviceExtension = false;
        XcodeChanges changes = XcodeChanges.Of(settings, facts);
        Check(changes.Extension == null && changes.Embedded.SequenceEqual(XcodeChanges.GameModules),
            "it can be left out");
    }

    private static void Refused(Action<PushNotificationSettings> worse, string reason, params string[] frameworks)
    {
        PushNotificationSettings settings = Settings();
        worse(settings);
        List<string> problems = XcodeChanges.Problems(settings, Facts(frameworks));
        Check(problems.Count == 1 && problems[0].Contains(reason),
            reason + " is the one problem: " + string.Join(" ", problems));
    }

    private static void BadSettingsAreRefused()
    {
        string[] all = AllFrameworks;
        Check(XcodeChanges.Problems(Settings(), Facts(all)).Count == 0, "good settings are taken");
        Check(XcodeChanges.Problems(ScriptableObject.CreateInstance<PushNotificationSettings>(), Facts(all)).Count == 0,
            "and untouched ones");
        Refused(settings => settings.appGroup = "com.example.game", "App Group", all);
        Refused(settings => settings.appGroup = "", "cannot report deliveries", all);
        Refused(settings => settings.urlSchemes = new[] { "mygame://" }, "Url Schemes", all);
        Refused(settings => settings.associatedDomains = new[] { "https://example.com" }, "Associated Domains", all);
        Refused(settings => settings.extensionName = "My Extension", "Extension Name", all);
        Refused(settings => settings.apiURL = "http://push.example.com", "Api URL", all);
        Refused(settings => settings.apiURL = "", "set both, or neither", all);
        Refused(settings => settings.clientKey = "short", "Client Key", all);
        Refused(settings => { }, "has no frameworks");
        Refused(settings => { }, "has no PushNotificationServiceExtension", XcodeChanges.GameModules);
        BuildFacts old = Facts(all);
        old.MinimumOS = "12.0";
        Check(XcodeChanges.Problems(Settings(), old).Single().Contains("13.0"), "the SDK needs iOS 13");
    }

    private static void PackagesAreFound()
    {
        const string project = "\t\t0A1B /* XCRemoteSwiftPackageReference \"martlet\" */ = {\n\t\t\tisa = " +
            "XCRemoteSwiftPackageReference;\n\t\t\trepositoryURL = \"https://github.com/example/martlet\";\n";
        Check(XcodeChanges.PackageReference(project, "https://github.com/example/martlet") == "0A1B",
            "a package is found");
        Check(XcodeChanges.PackageReference(project, "https://github.com/example/other") == null, "and no other one");
    }

    // The Xcode project that Unity writes, as far as the step looks at it.
    private static string Build(string name)
    {
        string build = Path.Combine(folder, name);
        if (Directory.Exists(build)) Directory.Delete(build, true);
        Directory.CreateDirectory(Path.Combine(build, "Unity-iPhone.xcodeproj"));
        File.WriteAllText(Path.Combine(build, "Unity-iPhone.xcodeproj/project.pbxproj"), "");
        File.WriteAllText(
            Path.Combine(build, "Info.plist"),
            "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>CFBundleURLTypes</key><array><dict>" +
            "<key>CFBundleURLSchemes</key><array><string>other</string></array></dict></array></dict></plist>");
        return build;
    }

    private static string[] Run(string build, BuildOptions options = BuildOptions.None)
    {
        BuildSummary summary = new BuildSummary { platform = BuildTarget.iOS, options = options, outputPath = build };
        new XcodePostProcess().OnPostprocessBuild(new BuildReport { summary = summary });
        return File.ReadAllLines(Path.Combine(build, "Unity-iPhone.xcodeproj/project.pbxproj"));
    }

    private static void ChangesAreMadeOnce(string package)
    {
        UnityProject.PackageFolder = package;
        UnityProject.PackageVersion = "1.2.3";
        UnityProject.Assets["Assets/PushNotificationSettings.asset"] = Settings();
        string build = Build("frameworks");
        // What another plugin did before.
        File.WriteAllText(
            Path.Combine(build, "Other.entitlements"),
            "<plist version=\"1.0\"><dict><key>com.apple.security.application-groups</key><array>" +
            "<string>group.com.example.other</string></array></dict></plist>");
        File.WriteAllText(
            Path.Combine(build, "Unity-iPhone.xcodeproj/project.pbxproj"),
            "set Unity-iPhone CODE_SIGN_ENTITLEMENTS = Other.entitlements\n");
        string[] acts = Run(build, BuildOptions.Development);
        Check(acts.Contains("target NotificationService of Unity-iPhone"), "the extension has a target");
        foreach (string source in new[] { "NotificationService", "PushSettings" })
        {
            Check(acts.Contains("build NotificationService/" + source + ".swift in NotificationService"),
                source + " is compiled");
        }
        foreach (string module in AllFrameworks)
        {
            string file = "Martlet/" + module + ".xcframework";
            Check(acts.Contains("embed " + file + " in Unity-iPhone"), module + " is embedded");
            Check(acts.Contains("link " + file + " in UnityFramework") == XcodeChanges.GameModules.Contains(module),
                module + " is linked where it belongs");
            Check(acts.Contains("link " + file + " in NotificationService") == XcodeChanges.ExtensionModules.Contains(module),
                module + " in the extension too");
            Check(Directory.GetFiles(Path.Combine(build, file), "*", SearchOption.AllDirectories).Length > 0,
                module + " is there");
        }
        foreach (string capability in new[] { "PushNotifications", "BackgroundModes", "AppGroups", "AssociatedDomains" })
        {
            Check(acts.Contains("capability " + capability + " in Unity-iPhone"), "the game has " + capability);
        }
        string entitlements = File.ReadAllText(Path.Combine(build, "Other.entitlements"));
        Check(entitlements.Contains("group.com.example.other"), "what another plugin added is kept");
        Check(entitlements.Contains("group.com.example.game") && entitlements.Contains("development"),
            "beside what is new");
        string information = File.ReadAllText(Path.Combine(build, "Info.plist"));
        Check(information.Contains("other") && information.Contains("mygame"),
            "schemes are added to those that there are");
        Dictionary<string, string> before = Texts(build);
        acts = Run(build, BuildOptions.Development);
        Check(acts.Length == acts.Distinct().Count(), "a second build does nothing twice");
        Check(Texts(build).All(text => before[text.Key] == text.Value), "and changes nothing");
    }

    private static Dictionary<string, string> Texts(string build)
    {
        // The list of acts has its settings in another order.
        return Directory.GetFiles(build, "*", SearchOption.AllDirectories).ToDictionary(
            file => file, file => string.Join("\n", File.ReadAllLines(file).OrderBy(line => line, StringComparer.Ordinal)));
    }

    private static void APackageIsAddedOnce(string package)
    {
        UnityProject.PackageFolder = package;
        PushNotificationSettings settings = Settings();
        settings.swiftPackageURL = "https://github.com/example/martlet";
        settings.serviceExtension = false;
        UnityProject.Assets["Assets/PushNotificationSettings.asset"] = settings;
        string build = Build("package");
        string[] acts = Run(build);
        Check(acts.Contains("product PushNotificationSDKCStatic of AB12 in UnityFramework"),
            "the game gets the library for C");
        Check(acts.Count(act => act.Contains("version = 1.2.3;")) == 1, "in this version");
        settings.serviceExtension = true;
        Run(build);
        acts = Run(build);
        Check(acts.Count(act => act.Contains("repositoryURL")) == 1, "a package is added once");
        Check(acts.Count(act => act == "product PushNotificationServiceExtension of AB12 in NotificationService") == 1,
            "an extension that comes later gets its product once");
        Check(acts.Count(act => act.StartsWith("product PushNotificationSDKCStatic")) == 1, "and the game none again");
    }

    private static string Failure(string build)
    {
        try
        {
            Run(build);
            return "";
        }
        catch (BuildFailedException failure)
        {
            return failure.Message;
        }
    }

    private static void WhatIsWrongStopsTheBuild(string package)
    {
        string build = Build("refused");
        UnityProject.Assets.Clear();
        Check(Failure(build) == "" && Run(build).Length == 0, "without settings a project stays as it is");
        PushNotificationSettings settings = Settings();
        settings.appGroup = "game";
        UnityProject.Assets["Assets/Push.asset"] = settings;
        UnityProject.PackageFolder = package;
        Check(Failure(build).Contains("Assets/Push.asset") && Failure(build).Contains("App Group"),
            "bad settings are named");
        UnityProject.PackageFolder = null;
        Check(Failure(build).Contains("Package Manager"), "so is a copy under Assets");
        UnityProject.Assets["Assets/Other.asset"] = Settings();
        Check(Failure(build).Contains("more than one"), "and a second asset");
        Check(File.ReadAllText(Path.Combine(build, "Unity-iPhone.xcodeproj/project.pbxproj")) == "",
            "and nothing was changed");
        BuildSummary other = new BuildSummary { platform = BuildTarget.Android, outputPath = build };
        new XcodePostProcess().OnPostprocessBuild(new BuildReport { summary = other });
        Check(true, "other platforms are left alone");
    }

    // The package's folder, one like it with frameworks, where builds are written, and the extension's settings.
    public static int Main(string[] arguments)
    {
        folder = arguments[2];
        expected = arguments[3];
        PlayerSettings.applicationIdentifier = "com.example.game";
        PlayerSettings.bundleVersion = "2.1";
        PlayerSettings.iOS.buildNumber = "7";
        PlayerSettings.iOS.targetOSVersionString = "13.0";
        PlayerSettings.iOS.appleDeveloperTeamID = "ABCDE12345";
        PlayerSettings.iOS.appleEnableAutomaticSigning = true;
        ChangesFollowFromSettings();
        WithoutFrameworksAPackageIsAdded();
        TheExtensionHasItsFiles();
        BadSettingsAreRefused();
        PackagesAreFound();
        ChangesAreMadeOnce(arguments[1]);
        APackageIsAddedOnce(arguments[0]);
        WhatIsWrongStopsTheBuild(arguments[1]);
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
