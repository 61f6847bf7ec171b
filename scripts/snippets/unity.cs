using Martlet;
using UnityEngine;

class Snippet
{
    void Method(string url)
    {
        // the snippet
    }
}
