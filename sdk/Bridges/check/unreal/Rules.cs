// Makes the plugin's build rules for the platforms, and looks at what they say.
using System;
using System.IO;
using System.Linq;
using UnrealBuildTool;

public static class Rules
{
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

    // The rules, and what they print.
    private static PushNotificationSDK Made(UnrealTargetPlatform platform, bool? isEnabled, out string printed)
    {
        ConfigHierarchy.StandInValue = isEnabled;
        TextWriter console = Console.Out;
        StringWriter writer = new StringWriter();
        Console.SetOut(writer);
        try
        {
            return new PushNotificationSDK(
                new ReadOnlyTargetRules { Platform = platform, ProjectFile = new FileReference("/game/Game.uproject") });
        }
        finally
        {
            Console.SetOut(console);
            printed = writer.ToString();
        }
    }

    // The plugin's folder, and one like it with frameworks.
    public static int Main(string[] arguments)
    {
        string printed;
        ModuleRules.StandInPluginDirectory = arguments[0];
        PushNotificationSDK rules;
        foreach (UnrealTargetPlatform platform in Enum.GetValues(typeof(UnrealTargetPlatform)))
        {
            if (platform == UnrealTargetPlatform.IOS) continue;
            rules = Made(platform, null, out printed);
            Check(rules.PublicAdditionalFrameworks.Count == 0 && printed == "", "nothing is linked for " + platform);
            Check(rules.PublicDefinitions.Single() == "WITH_PUSH_SDK=0", "and the sources know it for " + platform);
        }
        string refusal = "";
        try
        {
            Made(UnrealTargetPlatform.IOS, true, out printed);
        }
        catch (BuildException exception)
        {
            refusal = exception.Message;
        }
        Check(refusal.Contains("scripts/package-engines"), "without frameworks a build says where they come from");
        ModuleRules.StandInPluginDirectory = arguments[1];
        rules = Made(UnrealTargetPlatform.IOS, true, out printed);
        Check(printed == "", "nothing is wrong with a game that has the capability");
        Check(rules.PublicAdditionalFrameworks.Count == 6, "a game links six frameworks");
        Check(rules.PublicDefinitions.Single() == "WITH_PUSH_SDK=1", "the sources use them");
        Check(
            rules.PublicAdditionalFrameworks.All(
                framework => Directory.Exists(framework.Path)
                    && framework.Mode == ModuleRules.Framework.FrameworkMode.LinkAndCopy),
            "which are there, and are copied into it");
        Check(rules.PublicIncludePaths.Single().EndsWith("PushNotificationSDKC.framework/Headers"),
            "and sees C's headers");
        foreach (bool? value in new bool?[] { null, false })
        {
            Made(UnrealTargetPlatform.IOS, value, out printed);
            Check(printed.StartsWith("warning: ") && printed.Contains("bEnableRemoteNotificationsSupport"),
                "one without is warned");
        }
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
