#if UNITY_IOS
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using UnityEditor;
using UnityEditor.Build;
using UnityEditor.Build.Reporting;
using UnityEditor.iOS.Xcode;
using UnityEditor.iOS.Xcode.Extensions;
using UnityEngine;
using PackageInfo = UnityEditor.PackageManager.PackageInfo;

namespace MartletEditor
{
    /// <summary>
    /// Makes the changes of XcodeChanges in the Xcode project that Unity has written. A build that appends to a project
    /// finds what an earlier one added, and adds nothing twice.
    /// </summary>
    public sealed class XcodePostProcess : IPostprocessBuildWithReport
    {
        // Where the frameworks are in the Xcode project.
        private const string Folder = "Martlet";

        // After those that add pods or capabilities of their own: what they added is kept.
        public int callbackOrder { get { return 100; } }

        public void OnPostprocessBuild(BuildReport report)
        {
            if (report.summary.platform != BuildTarget.iOS) return;
            PushNotificationSettings settings = TheSettings();
            if (settings == null) return;
            PackageInfo package = PackageInfo.FindForAssembly(typeof(XcodePostProcess).Assembly);
            if (package == null)
            {
                throw new BuildFailedException("Push notifications: add the SDK with the Package Manager, not under Assets.");
            }
            BuildFacts facts = Facts(report, package);
            List<string> problems = XcodeChanges.Problems(settings, facts);
            if (problems.Count > 0)
            {
                throw new BuildFailedException(
                    "Push notifications, " + AssetDatabase.GetAssetPath(settings) + ":\n" + string.Join("\n", problems));
            }
            Apply(XcodeChanges.Of(settings, facts), report.summary.outputPath, package.resolvedPath);
        }

        private static PushNotificationSettings TheSettings()
        {
            string[] paths = AssetDatabase.FindAssets("t:" + typeof(PushNotificationSettings).Name)
                .Select(guid => AssetDatabase.GUIDToAssetPath(guid)).ToArray();
            if (paths.Length > 1)
            {
                throw new BuildFailedException(
                    "Push notifications: there is more than one settings asset: " + string.Join(", ", paths));
            }
            if (paths.Length == 1) return AssetDatabase.LoadAssetAtPath<PushNotificationSettings>(paths[0]);
            Debug.LogWarning(
                "Push notifications: the Xcode project was left as it is. Make the settings with Assets > Create > " +
                "Push Notifications > Settings.");
            return null;
        }

        private static BuildFacts Facts(BuildReport report, PackageInfo package)
        {
            return new BuildFacts
            {
                BundleIdentifier = PlayerSettings.applicationIdentifier,
                Version = PlayerSettings.bundleVersion,
                BuildNumber = PlayerSettings.iOS.buildNumber,
                MinimumOS = PlayerSettings.iOS.targetOSVersionString,
                TeamID = PlayerSettings.iOS.appleDeveloperTeamID ?? "",
                SignsAutomatically = PlayerSettings.iOS.appleEnableAutomaticSigning,
                IsDevelopment = (report.summary.options & BuildOptions.Development) != 0,
                SDKVersion = package.version,
                Frameworks = FrameworksOf(package.resolvedPath)
            };
        }

        private static string[] FrameworksOf(string package)
        {
            string folder = Path.Combine(package, "Frameworks~");
            if (!Directory.Exists(folder)) return new string[0];
            return Directory.GetDirectories(folder, "*.xcframework")
                .Select(path => Path.GetFileNameWithoutExtension(path)).ToArray();
        }

        private static void Apply(XcodeChanges changes, string build, string package)
        {
            string path = PBXProject.GetPBXProjectPath(build);
            PBXProject project = new PBXProject();
            project.ReadFromFile(path);
            string app = project.GetUnityMainTargetGuid(), framework = project.GetUnityFrameworkTargetGuid();
            Set(project, app, changes.AppBuildSettings);
            Set(project, framework, changes.FrameworkBuildSettings);
            foreach (string folder in changes.LibrarySearchPaths)
            {
                project.AddBuildProperty(framework, "LIBRARY_SEARCH_PATHS", folder);
            }
            bool isNewExtension = false;
            string extension = null;
            if (changes.Extension != null)
            {
                extension = project.TargetGuidByName(changes.Extension.Name);
                isNewExtension = extension == null;
                extension = AddExtension(project, app, extension, changes.Extension, build, package);
            }
            AddFrameworks(project, changes, build, package, app, framework, isNewExtension ? extension : null);
            AddPackage(project, changes, framework, isNewExtension ? extension : null);
            project.WriteToFile(path);
            AddCapabilities(changes, path, build, app, project.GetEntitlementFilePathForTarget(app));
            AddSchemes(changes, Path.Combine(build, "Info.plist"));
        }

        private static string AddExtension(
            PBXProject project, string app, string target, ServiceExtension extension, string build, string package)
        {
            Directory.CreateDirectory(Path.Combine(build, extension.Name));
            File.Copy(
                Path.Combine(package, "Extension~/NotificationService.swift"), Path.Combine(build, extension.Class), true);
            foreach (KeyValuePair<string, string> file in extension.Files)
            {
                File.WriteAllText(Path.Combine(build, file.Key), file.Value);
            }
            target = target
                ?? project.AddAppExtension(app, extension.Name, extension.BundleIdentifier, extension.InfoPlist);
            Set(project, target, extension.BuildSettings);
            foreach (string source in new[] { extension.Class, extension.Settings })
            {
                project.AddFileToBuild(target, project.AddFile(source, source));
            }
            foreach (string other in extension.Files.Keys.Except(new[] { extension.Settings }))
            {
                project.AddFile(other, other);
            }
            return target;
        }

        // What 'newExtension' links is added where the extension is new; null where there is nothing to add.
        private static void AddFrameworks(
            PBXProject project, XcodeChanges changes, string build, string package, string app, string framework,
            string newExtension)
        {
            if (changes.Embedded.Length > 0) Directory.CreateDirectory(Path.Combine(build, Folder));
            foreach (string module in changes.Embedded)
            {
                string file = Folder + "/" + module + ".xcframework";
                FileUtil.ReplaceDirectory(
                    Path.Combine(package, "Frameworks~/" + module + ".xcframework"), Path.Combine(build, file));
                string found = project.FindFileGuidByProjectPath(file);
                string guid = found ?? project.AddFile(file, file);
                if (found == null && changes.Linked.Contains(module)) Link(project, framework, guid);
                if (newExtension != null && changes.Extension.Linked.Contains(module)) Link(project, newExtension, guid);
                project.AddFileToEmbedFrameworks(app, guid);
            }
        }

        // Into the phase by name, because AddFileToBuild goes by the ending, and does nothing with one that it does not know.
        private static void Link(PBXProject project, string target, string file)
        {
            project.AddFileToBuildSection(target, project.GetFrameworksBuildPhaseByTarget(target), file);
        }

        private static void AddPackage(PBXProject project, XcodeChanges changes, string framework, string newExtension)
        {
            if (changes.PackageURL == null) return;
#if UNITY_2022_3_OR_NEWER
            string found = XcodeChanges.PackageReference(project.WriteToString(), changes.PackageURL);
            string guid = found ?? project.AddRemotePackageReferenceAtVersion(changes.PackageURL, changes.PackageVersion);
            if (found == null)
            {
                project.AddRemotePackageFrameworkToProject(framework, "PushNotificationSDKCStatic", guid, false);
            }
            if (newExtension != null)
            {
                project.AddRemotePackageFrameworkToProject(newExtension, ServiceExtension.PackageProduct, guid, false);
            }
#else
            throw new BuildFailedException(
                "Push notifications: Unity adds Swift packages from 2022.3 on; take the package with the frameworks in it.");
#endif
        }

        private static void AddCapabilities(
            XcodeChanges changes, string path, string build, string app, string entitlements)
        {
            entitlements = string.IsNullOrEmpty(entitlements) ? "PushNotifications.entitlements" : entitlements;
            PlistDocument present = new PlistDocument();
            string file = Path.Combine(build, entitlements);
            if (File.Exists(file)) present.ReadFromFile(file);
            ProjectCapabilityManager manager = new ProjectCapabilityManager(path, entitlements, null, app);
            manager.AddPushNotifications(changes.APSEnvironment == "development");
            if (changes.RemoteNotifications) manager.AddBackgroundModes(BackgroundModesOptions.RemoteNotifications);
            // The manager puts a new list in place of the one that another plugin may have made.
            string[] groups = With(present, "com.apple.security.application-groups", changes.AppGroups);
            if (groups != null) manager.AddAppGroups(groups);
            string[] domains = With(present, "com.apple.developer.associated-domains", changes.AssociatedDomains);
            if (domains != null) manager.AddAssociatedDomains(domains);
            manager.WriteToFile();
        }

        // What there is and what is new; null where there is nothing new.
        private static string[] With(PlistDocument document, string key, string[] wanted)
        {
            string[] present = Strings(document.root[key]);
            string[] missing = XcodeChanges.Missing(wanted, present);
            return missing.Length == 0 ? null : present.Concat(missing).ToArray();
        }

        private static void AddSchemes(XcodeChanges changes, string file)
        {
            PlistDocument information = new PlistDocument();
            information.ReadFromFile(file);
            PlistElementArray types = information.root["CFBundleURLTypes"] as PlistElementArray
                ?? information.root.CreateArray("CFBundleURLTypes");
            IEnumerable<string> present = types.values.OfType<PlistElementDict>()
                .SelectMany(type => Strings(type["CFBundleURLSchemes"]));
            string[] missing = XcodeChanges.Missing(changes.URLSchemes, present);
            if (missing.Length == 0) return;
            PlistElementDict added = types.AddDict();
            added.SetString("CFBundleURLName", PlayerSettings.applicationIdentifier);
            PlistElementArray schemes = added.CreateArray("CFBundleURLSchemes");
            foreach (string scheme in missing) schemes.AddString(scheme);
            information.WriteToFile(file);
        }

        private static string[] Strings(PlistElement element)
        {
            PlistElementArray array = element as PlistElementArray;
            if (array == null) return new string[0];
            return array.values.OfType<PlistElementString>().Select(text => text.value).ToArray();
        }

        private static void Set(PBXProject project, string target, Dictionary<string, string> settings)
        {
            foreach (KeyValuePair<string, string> setting in settings)
            {
                project.SetBuildProperty(target, setting.Key, setting.Value);
            }
        }
    }
}
#endif
