using System;
using System.Collections.Generic;

namespace Octile
{
    /// <summary>What the library has.</summary>
    public static class Library
    {
        /// <summary>The version of octile, such as "0.1.0".</summary>
        public static string Version => Texts.From(Native.octile_version());

        /// <summary>The planners that there are, by name, and what each is.</summary>
        public static IReadOnlyDictionary<string, string> Planners()
        {
            var planners = new Dictionary<string, string>();
            foreach (var line in Texts.Lines(Texts.Filled(Native.octile_planners)))
            {
                var parts = line.Split('\t');
                planners.Add(parts[0], parts[1]);
            }
            return planners;
        }

        /// <summary>Tries planners on a map and says which is the fastest that fits: what Engine takes, and why.
        /// Needs are keys of the planner "auto", such as "memory=100MB,changes=yes".</summary>
        public static (string Spec, string[] Reasons) Advise(Grid grid, string needs = null)
        {
            OctileException.Check(Native.octile_advise(grid.Handle, Texts.Of(needs), out var advice));
            var lines = Texts.Lines(Texts.From(advice));
            Native.octile_string_free(advice);
            return (lines[0], lines.AsSpan(1).ToArray());
        }
    }
}
