// Octile.Native is what octile.h says: every function with its parameters and result, every struct with its fields, every status.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Octile;

internal static class Header
{
    private static readonly string[] Handles = { "flag", "grid", "edits", "path", "index", "engine", "routes", "field" };

    private static readonly Dictionary<string, string> Plain = new Dictionary<string, string>
    {
        ["void"] = "Void", ["bool"] = "Boolean", ["double"] = "Double", ["uint8_t"] = "Byte", ["uint32_t"] = "UInt32",
        ["uint64_t"] = "UInt64", ["size_t"] = "UIntPtr", ["octile_status"] = "Status", ["octile_cell"] = "Cell",
        ["octile_point"] = "Point", ["octile_cost"] = "Cost", ["octile_terms"] = "octile_terms",
        ["octile_reply"] = "octile_reply", ["octile_load_options"] = "octile_load_options",
        ["octile_build_options"] = "octile_build_options",
    };

    internal static void Compare(string file)
    {
        var text = Regex.Replace(File.ReadAllText(file), @"/\*.*?\*/|//[^\n]*|^#[^\n]*", "", RegexOptions.Singleline | RegexOptions.Multiline);
        Functions(text);
        Structs(text);
        var statuses = Regex.Matches(text, @"OCTILE_(\w+) = (\d+)").Cast<Match>();
        var expected = statuses.ToDictionary(m => m.Groups[1].Value.Replace("_", ""), m => int.Parse(m.Groups[2].Value));
        var names = Enum.GetNames(typeof(Status)).ToDictionary(name => name.ToUpperInvariant(), name => (int)Enum.Parse(typeof(Status), name));
        Check.That(expected.OrderBy(p => p.Key).SequenceEqual(names.OrderBy(p => p.Key)), "statuses");
        var version = Regex.Match(File.ReadAllText(file), @"#define OCTILE_ABI_VERSION (\d+)").Groups[1].Value;
        Check.That(version == Native.AbiVersion.ToString(), "the version of the interface");
    }

    private static void Functions(string text)
    {
        var methods = typeof(Native).GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly).ToList();
        var declared = Regex.Matches(text, @"^([a-z][\w \*]*?)\b(octile_\w+)\(([^;]*)\);", RegexOptions.Multiline);
        Check.That(declared.Count > 80, "functions are found");
        foreach (Match function in declared)
        {
            var name = function.Groups[2].Value;
            var alike = methods.Where(method => method.Name == name).ToList();
            Check.That(alike.Count > 0, name + " is there");
            foreach (var method in alike) CompareFunction(function, method);
            methods.RemoveAll(alike.Contains);
        }
        Check.That(methods.Count == 0, "nothing else is there: " + string.Join(" ", methods));
    }

    private static void CompareFunction(Match function, MethodInfo method)
    {
        var name = function.Groups[2].Value;
        var result = function.Groups[1].Value.Trim();
        Check.That(IsSame(result, method.ReturnType), $"{name} gives {result}, not {method.ReturnType}");
        Check.That(method.ReturnType != typeof(bool) || IsOneByte(method.ReturnParameter), $"{name}: bool is a byte");
        var parameters = function.Groups[3].Value.Split(',').Select(p => Regex.Replace(p, @"\s+", " ").Trim()).Where(p => p != "void").ToList();
        var types = method.GetParameters();
        Check.That(parameters.Count == types.Length, $"{name} has {parameters.Count} parameters");
        for (var i = 0; i < types.Length; i++)
        {
            var parts = Regex.Match(parameters[i], @"^(.*?)(\w+)$");
            Check.That(parts.Groups[2].Value == types[i].Name, $"{name}: {parameters[i]} is called {types[i].Name}");
            Check.That(IsSame(parts.Groups[1].Value, types[i].ParameterType), $"{name}: {parameters[i]} is {types[i].ParameterType}");
            Check.That(types[i].ParameterType != typeof(bool) || IsOneByte(types[i]), $"{name}: bool is a byte");
        }
    }

    private static bool IsOneByte(ParameterInfo parameter) =>
        parameter.GetCustomAttributes(typeof(MarshalAsAttribute), false).Cast<MarshalAsAttribute>().Any(a => a.Value == UnmanagedType.I1);

    private static void Structs(string text)
    {
        var declared = Regex.Matches(text, @"typedef struct \{([^}]*)\} (\w+);");
        Check.That(declared.Count == 7, "structs are found");
        foreach (Match match in declared)
        {
            var name = Plain[match.Groups[2].Value];
            var type = typeof(Native).GetNestedType(name) ?? typeof(Native).Assembly.GetType("Octile." + name);
            var fields = type.GetFields(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance);
            var lines = match.Groups[1].Value.Split(';').Select(line => line.Trim()).Where(line => line != "").ToList();
            Check.That(lines.Count == fields.Length, name + " has as many fields");
            for (var i = 0; i < fields.Length; i++)
            {
                var parts = Regex.Match(lines[i], @"^(.*?)(\w+)$");
                Check.That(string.Equals(parts.Groups[2].Value, fields[i].Name, StringComparison.OrdinalIgnoreCase), $"{name}.{fields[i].Name} is {lines[i]}");
                Check.That(IsSameField(parts.Groups[1].Value.Trim(), fields[i].FieldType), $"{name}.{fields[i].Name} is {lines[i]}");
            }
        }
    }

    /// <summary>Whether a type of C is passed on as this one. Pointers to one thing may be out or ref.</summary>
    private static bool IsSame(string declared, Type type)
    {
        var name = declared.Replace("const ", "").Replace(" ", "").TrimEnd('*');
        var stars = declared.Count(letter => letter == '*');
        if (name == "char") return stars == 2 ? type == typeof(IntPtr).MakeByRefType() : type == typeof(byte[]) || type == typeof(IntPtr);
        var handle = Handles.FirstOrDefault(h => name == "octile_" + h);
        if (handle != null)
        {
            var expected = char.ToUpperInvariant(handle[0]) + handle.Substring(1) + "Handle";
            return stars == 2 ? type.Name == expected + "&" : type.Name == expected || type == typeof(IntPtr);
        }
        return type.Name == Plain[name] + (stars == 1 ? "*" : "") || (stars == 1 && type.Name == Plain[name] + "&");
    }

    /// <summary>Whether a field of C is this one: what is passed on by address there is a pointer here.</summary>
    private static bool IsSameField(string declared, Type type)
    {
        if (declared.Contains("*const *")) return type == typeof(IntPtr*);
        if (declared == "const char *") return type == typeof(byte*);
        if (declared.EndsWith("*") || declared == "octile_progress") return type == typeof(IntPtr);
        if (declared == "bool") return type == typeof(byte);
        return type.Name == Plain[declared] || (declared == "uint32_t" && type == typeof(int));
    }
}
