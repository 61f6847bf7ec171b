// What of Unity's C# the page uses, by name and type.
using System;

namespace UnityEngine
{
    public class Object { }

    public class MonoBehaviour : Object { }

    public static class Debug
    {
        public static void Log(object message) { }
        public static void LogWarning(object message) { }
        public static void LogException(Exception exception) { }
    }

    public static class JsonUtility
    {
        public static T FromJson<T>(string json) { return default(T); }
    }
}
