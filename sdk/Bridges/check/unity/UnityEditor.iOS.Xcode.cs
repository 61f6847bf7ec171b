// What of Unity's API for Xcode projects the package uses, with Unity's names, types and signatures (Unity 6). Where Unity
// writes a project file of Xcode's, this writes a list of what was done, one act a line, which it can read back; like
// Unity's, it does twice what it is told to do twice, but for what is said at a method.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml;

namespace UnityEditor.iOS.Xcode
{
    public enum PBXSourceTree { Absolute, Source, Group, Build, Developer, Sdk }

    public class PBXProject
    {
        internal List<string> Acts = new List<string>();

        public static string GetPBXProjectPath(string buildPath)
        {
            return buildPath + "/Unity-iPhone.xcodeproj/project.pbxproj";
        }

        public void ReadFromFile(string path) { Acts = File.ReadAllLines(path).ToList(); }
        public void WriteToFile(string path) { File.WriteAllLines(path, Acts); }
        public string WriteToString() { return string.Join("\n", Acts) + "\n"; }

        public string GetUnityMainTargetGuid() { return "Unity-iPhone"; }
        public string GetUnityFrameworkTargetGuid() { return "UnityFramework"; }

        public string TargetGuidByName(string name)
        {
            return Acts.Any(act => act.StartsWith("target " + name + " ")) ? name : null;
        }

        // Unity answers with the file that the project has, where it has it.
        public string AddFile(string path, string projectPath, PBXSourceTree sourceTree = PBXSourceTree.Source)
        {
            if (Path.GetExtension(path) != Path.GetExtension(projectPath)) throw new Exception("other extensions");
            if (FindFileGuidByProjectPath(projectPath) == null) Acts.Add("file " + projectPath);
            return projectPath;
        }

        public string FindFileGuidByProjectPath(string path) { return Acts.Contains("file " + path) ? path : null; }

        // Unity does nothing with an ending that it does not know, nor with a file that the target builds already.
        public void AddFileToBuild(string targetGuid, string fileGuid)
        {
            string act = "build " + fileGuid + " in " + targetGuid;
            if (fileGuid.EndsWith(".swift") && !Acts.Contains(act)) Acts.Add(act);
        }

        public void AddFileToBuildSection(string targetGuid, string sectionGuid, string fileGuid)
        {
            Acts.Add(sectionGuid + " " + fileGuid + " in " + targetGuid);
        }

        public string GetFrameworksBuildPhaseByTarget(string targetGuid) { return "link"; }

        public void SetBuildProperty(string targetGuid, string name, string value)
        {
            Acts.RemoveAll(act => act.StartsWith("set " + targetGuid + " " + name + " = "));
            Acts.Add("set " + targetGuid + " " + name + " = " + value);
        }

        // Unity adds a value that is not there yet.
        public void AddBuildProperty(string targetGuid, string name, string value)
        {
            string act = "add " + targetGuid + " " + name + " " + value;
            if (!Acts.Contains(act)) Acts.Add(act);
        }

        // Relative to the project's folder; null where the target has none.
        public string GetEntitlementFilePathForTarget(string targetGuid)
        {
            string start = "set " + targetGuid + " CODE_SIGN_ENTITLEMENTS = ";
            string found = Acts.FirstOrDefault(act => act.StartsWith(start));
            return found == null ? null : found.Substring(start.Length);
        }

        public string AddRemotePackageReferenceAtVersion(string url, string version)
        {
            // As Xcode's own file has it, because the package looks for it there.
            Acts.Add("\t\tAB12 /* XCRemoteSwiftPackageReference \"martlet\" */ = { isa = XCRemoteSwiftPackageReference; " +
                "repositoryURL = \"" + url + "\"; requirement = { kind = exactVersion; version = " + version + "; }; };");
            return "AB12";
        }

        public void AddRemotePackageFrameworkToProject(string targetGuid, string name, string packageGuid, bool weak)
        {
            Acts.Add("product " + name + " of " + packageGuid + " in " + targetGuid);
        }
    }

    public class PlistElement { }

    public class PlistElementString : PlistElement
    {
        public string value;
        public PlistElementString(string v) { value = v; }
    }

    public class PlistElementArray : PlistElement
    {
        public List<PlistElement> values = new List<PlistElement>();

        public void AddString(string val) { values.Add(new PlistElementString(val)); }

        public PlistElementDict AddDict()
        {
            PlistElementDict added = new PlistElementDict();
            values.Add(added);
            return added;
        }
    }

    public class PlistElementDict : PlistElement
    {
        private readonly SortedDictionary<string, PlistElement> members = new SortedDictionary<string, PlistElement>();
        public IDictionary<string, PlistElement> values { get { return members; } }

        // Null where there is none.
        public PlistElement this[string key]
        {
            get { return members.ContainsKey(key) ? members[key] : null; }
            set { members[key] = value; }
        }

        public void SetString(string key, string val) { members[key] = new PlistElementString(val); }

        public PlistElementArray CreateArray(string key)
        {
            PlistElementArray made = new PlistElementArray();
            members[key] = made;
            return made;
        }
    }

    public class PlistDocument
    {
        public PlistElementDict root = new PlistElementDict();

        public void ReadFromFile(string path)
        {
            // Without the DTD that the file names.
            string text = File.ReadAllText(path);
            XmlDocument document = new XmlDocument();
            document.LoadXml(text.Substring(text.IndexOf("<plist")));
            root = (PlistElementDict)Element(Children(document.DocumentElement).First());
        }

        public void WriteToFile(string path)
        {
            using (XmlWriter writer = XmlWriter.Create(path, new XmlWriterSettings { Indent = true }))
            {
                writer.WriteStartElement("plist");
                writer.WriteAttributeString("version", "1.0");
                Write(root, writer);
                writer.WriteEndElement();
            }
        }

        private static List<XmlElement> Children(XmlElement element)
        {
            return element.ChildNodes.OfType<XmlElement>().ToList();
        }

        private static PlistElement Element(XmlElement element)
        {
            List<XmlElement> children = Children(element);
            if (element.Name == "string") return new PlistElementString(element.InnerText);
            if (element.Name == "array") return new PlistElementArray { values = children.Select(Element).ToList() };
            PlistElementDict made = new PlistElementDict();
            for (int index = 0; index < children.Count; index += 2)
            {
                made[children[index].InnerText] = Element(children[index + 1]);
            }
            return made;
        }

        private static void Write(PlistElement element, XmlWriter writer)
        {
            PlistElementString text = element as PlistElementString;
            PlistElementArray array = element as PlistElementArray;
            writer.WriteStartElement(text != null ? "string" : array != null ? "array" : "dict");
            if (text != null) writer.WriteString(text.value);
            else if (array != null) array.values.ForEach(value => Write(value, writer));
            else
            {
                foreach (KeyValuePair<string, PlistElement> member in ((PlistElementDict)element).values)
                {
                    writer.WriteElementString("key", member.Key);
                    Write(member.Value, writer);
                }
            }
            writer.WriteEndElement();
        }
    }

    [Flags]
    public enum BackgroundModesOptions { None = 0, RemoteNotifications = 1 << 8 }

    public class ProjectCapabilityManager
    {
        private readonly string projectPath, folder, entitlementPath, target;
        private readonly PBXProject project = new PBXProject();
        private readonly PlistDocument entitlements = new PlistDocument(), information = new PlistDocument();

        // Exactly one of the last two.
        public ProjectCapabilityManager(
            string pbxProjectPath, string entitlementFilePath, string targetName = null, string targetGuid = null)
        {
            if ((targetName == null) == (targetGuid == null)) throw new Exception("Invalid targets");
            projectPath = pbxProjectPath;
            folder = Directory.GetParent(Path.GetDirectoryName(pbxProjectPath)).FullName;
            entitlementPath = entitlementFilePath;
            target = targetName ?? targetGuid;
            project.ReadFromFile(pbxProjectPath);
            string file = Path.Combine(folder, entitlementPath);
            if (File.Exists(file)) entitlements.ReadFromFile(file);
            information.ReadFromFile(Path.Combine(folder, "Info.plist"));
        }

        public void AddPushNotifications(bool development)
        {
            entitlements.root.SetString("aps-environment", development ? "development" : "production");
            Add("PushNotifications");
        }

        public void AddBackgroundModes(BackgroundModesOptions options)
        {
            PlistElementArray modes = information.root["UIBackgroundModes"] as PlistElementArray
                ?? information.root.CreateArray("UIBackgroundModes");
            bool isThere = modes.values.Cast<PlistElementString>().Any(mode => mode.value == "remote-notification");
            if ((options & BackgroundModesOptions.RemoteNotifications) != 0 && !isThere)
            {
                modes.AddString("remote-notification");
            }
            Add("BackgroundModes");
        }

        // These two put a new list in place of the one that there is.
        public void AddAppGroups(string[] groups) { Replace("com.apple.security.application-groups", groups, "AppGroups"); }

        public void AddAssociatedDomains(string[] domains)
        {
            Replace("com.apple.developer.associated-domains", domains, "AssociatedDomains");
        }

        public void WriteToFile()
        {
            project.WriteToFile(projectPath);
            entitlements.WriteToFile(Path.Combine(folder, entitlementPath));
            information.WriteToFile(Path.Combine(folder, "Info.plist"));
        }

        private void Replace(string key, string[] texts, string capability)
        {
            PlistElementArray list = entitlements.root.CreateArray(key);
            foreach (string text in texts) list.AddString(text);
            Add(capability);
        }

        private void Add(string capability)
        {
            string act = "capability " + capability + " in " + target;
            if (!project.Acts.Contains(act)) project.Acts.Add(act);
            project.SetBuildProperty(target, "CODE_SIGN_ENTITLEMENTS", entitlementPath);
        }
    }
}

namespace UnityEditor.iOS.Xcode.Extensions
{
    public static class PBXProjectExtensions
    {
        public static string AddAppExtension(
            this PBXProject proj, string mainTargetGuid, string name, string bundleId, string infoPlistPath)
        {
            proj.Acts.Add("target " + name + " of " + mainTargetGuid);
            proj.SetBuildProperty(name, "PRODUCT_BUNDLE_IDENTIFIER", bundleId);
            proj.SetBuildProperty(name, "INFOPLIST_FILE", infoPlistPath);
            return name;
        }

        // Unity embeds a file that is embedded already no second time.
        public static void AddFileToEmbedFrameworks(
            this PBXProject proj, string targetGuid, string fileGuid, string linkToTargetGuid = null)
        {
            string act = "embed " + fileGuid + " in " + targetGuid;
            if (!proj.Acts.Contains(act)) proj.Acts.Add(act);
        }
    }
}
