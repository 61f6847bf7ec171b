using System.Collections.Generic;
using System.IO;

enum UnrealTargetPlatform { IOS, Mac }

class Framework
{
    public Framework(string name, string path, string bundle, bool copy) { }
}

class ReadOnlyTargetRules
{
    public UnrealTargetPlatform Platform { get { return UnrealTargetPlatform.IOS; } }
}

class ModuleRules
{
    protected string ModuleDirectory = "";
    public List<string> PublicIncludePaths = new List<string>();
    public List<Framework> PublicAdditionalFrameworks = new List<Framework>();
}

class Game : ModuleRules
{
    public Game(ReadOnlyTargetRules Target)
    {
        // the snippet
    }
}
