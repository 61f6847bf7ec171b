// Calls every method that has a completion where there is no SDK: each is called once, with why.
using System;
using System.Reflection;
using Martlet;

public static class Absent
{
    private static int ended, code;

    private static void End(PushNotificationException error)
    {
        ended++;
        code = error == null ? 0 : error.Code;
    }

    private static Delegate Completion(Type type)
    {
        if (type == typeof(Action<bool>)) return new Action<bool>(granted => { if (!granted) ended++; });
        if (type == typeof(Action<PushNotificationException>)) return new Action<PushNotificationException>(End);
        if (type == typeof(Action<bool, PushNotificationException>))
        {
            return new Action<bool, PushNotificationException>((opened, error) => { if (!opened) End(error); });
        }
        if (type == typeof(Action<NotificationPermission, PushNotificationException>))
        {
            return new Action<NotificationPermission, PushNotificationException>((permission, error) => End(error));
        }
        if (type == typeof(Action<string, PushNotificationException>))
        {
            return new Action<string, PushNotificationException>((json, error) => { if (json == null) End(error); });
        }
        return null;
    }

    public static int Main()
    {
        int passed = 0, failed = 0;
        // A completion that is only told whether: why goes here.
        PushNotificationSDK.OnError = error => code = error.Code;
        foreach (MethodInfo method in typeof(PushNotificationSDK).GetMethods(BindingFlags.Public | BindingFlags.Static))
        {
            ParameterInfo[] parameters = method.GetParameters();
            if (parameters.Length == 0 || parameters[parameters.Length - 1].Name != "completion") continue;
            object[] arguments = new object[parameters.Length];
            for (int index = 0; index < arguments.Length; index++)
            {
                Type type = parameters[index].ParameterType;
                arguments[index] = type.IsValueType ? Activator.CreateInstance(type) : Completion(type);
            }
            ended = code = 0;
            method.Invoke(null, arguments);
            if (ended == 1 && code == PushNotificationException.Unavailable) passed++;
            else
            {
                failed++;
                Console.Error.WriteLine("not so: " + method + " ends with Unavailable");
            }
        }
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
