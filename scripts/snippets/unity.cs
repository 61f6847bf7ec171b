using Martlet;
using UnityEngine;

class Snippet
{
    void Method(string url, string token)
    {
        // the snippet
    }
}
