// What of UnityEditor the package uses, with Unity's names, types and signatures. What the check decides stands in
// UnityProject, which Unity does not have.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;

/// A project of Unity's, as the check wants it.
public static class UnityProject
{
    public static readonly Dictionary<string, UnityEngine.Object> Assets = new Dictionary<string, UnityEngine.Object>();
    public static string PackageFolder, PackageVersion = "0.0.0";
}

namespace UnityEditor
{
    // Unity's number for iOS.
    public enum BuildTarget { iOS = 9, Android = 13 }

    [Flags]
    public enum BuildOptions { None = 0, Development = 1, AcceptExternalModificationsToPlayer = 32 }

    public sealed class AssetDatabase
    {
        public static string[] FindAssets(string filter)
        {
            return UnityProject.Assets.Where(asset => filter == "t:" + asset.Value.GetType().Name)
                .Select(asset => "guid of " + asset.Key).ToArray();
        }

        public static string GUIDToAssetPath(string guid) { return guid.Substring("guid of ".Length); }

        public static T LoadAssetAtPath<T>(string assetPath) where T : UnityEngine.Object
        {
            return UnityProject.Assets[assetPath] as T;
        }

        public static string GetAssetPath(UnityEngine.Object assetObject)
        {
            return UnityProject.Assets.First(asset => asset.Value == assetObject).Key;
        }
    }

    public class FileUtil
    {
        public static void ReplaceDirectory(string src, string dst)
        {
            if (Directory.Exists(dst)) Directory.Delete(dst, true);
            Directory.CreateDirectory(dst);
            foreach (string folder in Directory.GetDirectories(src))
            {
                ReplaceDirectory(folder, Path.Combine(dst, Path.GetFileName(folder)));
            }
            foreach (string file in Directory.GetFiles(src)) File.Copy(file, Path.Combine(dst, Path.GetFileName(file)));
        }
    }

    public sealed class PlayerSettings : UnityEngine.Object
    {
        public static string applicationIdentifier { get; set; }
        public static string bundleVersion { get; set; }

        public sealed class iOS
        {
            public static string buildNumber { get; set; }
            public static string targetOSVersionString { get; set; }
            public static string appleDeveloperTeamID { get; set; }
            public static bool appleEnableAutomaticSigning { get; set; }
        }
    }
}

namespace UnityEditor.Build
{
    public interface IOrderedCallback
    {
        int callbackOrder { get; }
    }

    public interface IPostprocessBuildWithReport : IOrderedCallback
    {
        void OnPostprocessBuild(Reporting.BuildReport report);
    }

    public class BuildFailedException : Exception
    {
        public BuildFailedException(string message) : base(message) { }
    }
}

namespace UnityEditor.Build.Reporting
{
    // Unity's members can only be read.
    public struct BuildSummary
    {
        public BuildTarget platform { get; set; }
        public BuildOptions options { get; set; }
        public string outputPath { get; set; }
    }

    public sealed class BuildReport : UnityEngine.Object
    {
        public BuildSummary summary { get; set; }
    }
}

namespace UnityEditor.PackageManager
{
    public class PackageInfo
    {
        public string version { get; private set; }
        public string resolvedPath { get; private set; }

        public static PackageInfo FindForAssembly(Assembly assembly)
        {
            if (UnityProject.PackageFolder == null) return null;
            return new PackageInfo { version = UnityProject.PackageVersion, resolvedPath = UnityProject.PackageFolder };
        }
    }
}
