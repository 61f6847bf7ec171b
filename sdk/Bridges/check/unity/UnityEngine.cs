// What of UnityEngine the package and the pages use, with Unity's names, types and signatures.
using System;

namespace UnityEngine
{
    public class Object
    {
        public string name { get; set; }
    }

    public class MonoBehaviour : Object { }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject { return Activator.CreateInstance<T>(); }
    }

    public static class Debug
    {
        public static void Log(object message) { }
        public static void LogWarning(object message) { Console.WriteLine("warning: " + message); }
        public static void LogException(Exception exception) { }
    }

    public static class JsonUtility
    {
        public static T FromJson<T>(string json) { return default(T); }
        public static string ToJson(object obj) { return ""; }
    }

    [AttributeUsage(AttributeTargets.Class, Inherited = false)]
    public sealed class CreateAssetMenuAttribute : Attribute
    {
        public string menuName { get; set; }
        public string fileName { get; set; }
        public int order { get; set; }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public abstract class PropertyAttribute : Attribute { }

    public class TooltipAttribute : PropertyAttribute
    {
        public readonly string tooltip;
        public TooltipAttribute(string tooltip) { this.tooltip = tooltip; }
    }

    public class HeaderAttribute : PropertyAttribute
    {
        public readonly string header;
        public HeaderAttribute(string header) { this.header = header; }
    }
}
