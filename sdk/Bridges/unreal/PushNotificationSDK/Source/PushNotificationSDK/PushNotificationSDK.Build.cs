using System;
using System.IO;
using UnrealBuildTool;

// The module compiles on every platform, so that games and Blueprints need no conditions; the SDK is there on iOS.
public class PushNotificationSDK : ModuleRules
{
    // What a game links and embeds; docs/sdk/c.md lists them.
    private static readonly string[] Frameworks =
    {
        "PushNotificationSDKC", "PushNotificationSDKApple", "PushNotificationSDKCore", "PushNotificationSDKBase",
        "MartletWire", "MartletWireBase"
    };

    public PushNotificationSDK(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine" });
        // PLATFORM_IOS does not say it: it is 1 on tvOS and visionOS too.
        bool bHasSDK = Target.Platform == UnrealTargetPlatform.IOS;
        PublicDefinitions.Add(bHasSDK ? "WITH_PUSH_SDK=1" : "WITH_PUSH_SDK=0");
        if (!bHasSDK)
        {
            return;
        }
        string Folder = Path.Combine(PluginDirectory, "ThirdParty", "IOS");
        foreach (string Name in Frameworks)
        {
            string Place = Path.Combine(Folder, Name + ".xcframework");
            if (!Directory.Exists(Place))
            {
                throw new BuildException(
                    "There is no " + Place + ": take the plugin from scripts/package-engines, or copy the frameworks of " +
                    "scripts/build-xcframework there.");
            }
            PublicAdditionalFrameworks.Add(new Framework(Name, Place, Framework.FrameworkMode.LinkAndCopy));
        }
        // The C headers; those of the simulator's framework are the same.
        PublicIncludePaths.Add(Path.Combine(
            Folder, "PushNotificationSDKC.xcframework", "ios-arm64", "PushNotificationSDKC.framework", "Headers"));
        WarnWithoutCapability(Target);
    }

    // Without the entitlement there is no token, and nothing says so before the app runs.
    private static void WarnWithoutCapability(ReadOnlyTargetRules Target)
    {
        if (Target.ProjectFile == null)
        {
            return;
        }
        const string Section = "/Script/IOSRuntimeSettings.IOSRuntimeSettings";
        bool bIsEnabled;
        ConfigHierarchy Ini = ConfigCache.ReadHierarchy(
            ConfigHierarchyType.Engine, Target.ProjectFile.Directory, UnrealTargetPlatform.IOS);
        if (!Ini.GetBool(Section, "bEnableRemoteNotificationsSupport", out bIsEnabled) || !bIsEnabled)
        {
            Console.WriteLine(
                "warning: PushNotificationSDK: Config/DefaultEngine.ini has no bEnableRemoteNotificationsSupport=True in [" +
                Section + "]: the device gives no token.");
        }
    }
}
