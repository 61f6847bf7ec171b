// What of UnrealBuildTool the plugin's rules use, with its names and signatures (UE 5.5).
using System;
using System.Collections.Generic;

namespace UnrealBuildTool
{
    public class BuildException : Exception
    {
        public BuildException(string message) : base(message) { }
    }

    // A structure of the tool's own.
    public enum UnrealTargetPlatform { IOS, TVOS, VisionOS, Mac, Win64 }

    public class DirectoryReference
    {
        public DirectoryReference(string inPath) { FullName = inPath; }
        public string FullName { get; private set; }
    }

    public class FileReference
    {
        public FileReference(string inPath) { FullName = inPath; }
        public string FullName { get; private set; }
        public DirectoryReference Directory
        {
            get { return new DirectoryReference(System.IO.Path.GetDirectoryName(FullName)); }
        }
    }

    public class ReadOnlyTargetRules
    {
        public UnrealTargetPlatform Platform { get; set; }
        public FileReference ProjectFile { get; set; }
    }

    public enum ConfigHierarchyType { Game, Engine }

    public class ConfigHierarchy
    {
        // What the check wants a project's configuration to say.
        public static bool? StandInValue;

        public bool GetBool(string sectionName, string keyName, out bool value)
        {
            value = StandInValue ?? false;
            return StandInValue != null;
        }
    }

    public static class ConfigCache
    {
        public static ConfigHierarchy ReadHierarchy(
            ConfigHierarchyType type, DirectoryReference projectDir, UnrealTargetPlatform platform)
        {
            return new ConfigHierarchy();
        }
    }

    public class ModuleRules
    {
        public enum PCHUsageMode { Default, NoPCHs, UseExplicitOrSharedPCHs }

        public class Framework
        {
            public enum FrameworkMode { Link, Copy, LinkAndCopy }

            public Framework(
                string name, string path, string copyBundledAssets = null, bool bCopyFramework = false)
                : this(name, path, bCopyFramework ? FrameworkMode.LinkAndCopy : FrameworkMode.Link, copyBundledAssets)
            {
            }

            public Framework(string name, string path, FrameworkMode mode, string copyBundledAssets = null)
            {
                Name = name;
                Path = path;
                Mode = mode;
            }

            // The tool's are internal.
            public string Name { get; private set; }
            public string Path { get; private set; }
            public FrameworkMode Mode { get; private set; }
        }

        public ModuleRules(ReadOnlyTargetRules target)
        {
            PublicDependencyModuleNames = new List<string>();
            PublicDefinitions = new List<string>();
            PublicIncludePaths = new List<string>();
            PublicAdditionalFrameworks = new List<Framework>();
        }

        public PCHUsageMode PCHUsage { get; set; }
        // Where the .uplugin is; the tool knows it by itself.
        public static string StandInPluginDirectory;
        public string ModuleDirectory { get { return StandInPluginDirectory; } }
        public string PluginDirectory { get { return StandInPluginDirectory; } }
        public List<string> PublicDependencyModuleNames { get; private set; }
        public List<string> PublicDefinitions { get; private set; }
        public List<string> PublicIncludePaths { get; private set; }
        public List<Framework> PublicAdditionalFrameworks { get; private set; }
    }
}
