// What is asked beside the ends of a path, and how that is answered.

using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Octile
{
    /// <summary>Whether the nearest cell that can be reached will do.</summary>
    public enum Nearest
    {
        /// <summary>No: a blocked end is an error, and a goal that cannot be reached has no path.</summary>
        No,
        /// <summary>For the goal.</summary>
        Goal,
        /// <summary>For the goal, and for a start that is blocked.</summary>
        Both,
    }

    /// <summary>What is asked beside the ends of a path.</summary>
    public sealed class Terms
    {
        private static readonly string[] Names = { null, "goal", "both" };

        /// <summary>Whether the nearest cell that can be reached will do.</summary>
        public Nearest Nearest { get; set; }
        /// <summary>The greatest cost that will do.</summary>
        public double MaxCost { get; set; } = double.PositiveInfinity;
        /// <summary>The most steps of the search.</summary>
        public ulong MaxExpanded { get; set; } = ulong.MaxValue;
        /// <summary>How long the search may take.</summary>
        public TimeSpan? Timeout { get; set; }
        /// <summary>Ends the search; the outcome is then Limit.</summary>
        public CancellationToken Cancel { get; set; }

        internal unsafe Native.octile_terms Pinned(Pins pins, IntPtr cancel) => new Native.octile_terms
        {
            size = sizeof(Native.octile_terms).Size(),
            nearest = pins.Text(Names[(int)Nearest]),
            max_cost = MaxCost,
            max_expanded = MaxExpanded,
            timeout = Timeout?.TotalSeconds ?? double.PositiveInfinity,
            cancel = cancel,
        };
    }

    /// <summary>How a question was answered.</summary>
    public enum Outcome
    {
        /// <summary>By a path to a goal.</summary>
        Found,
        /// <summary>By a path to the cell nearest to a goal.</summary>
        Nearest,
        /// <summary>There is no path.</summary>
        NoPath,
        /// <summary>A limit ended the search.</summary>
        Limit,
    }

    /// <summary>An answer. Without a path there is nothing but the outcome and the limit.</summary>
    public sealed class Answer : IDisposable
    {
        /// <summary>How it ended.</summary>
        public Outcome Outcome { get; private set; } = Outcome.NoPath;
        /// <summary>The path, or null.</summary>
        public Route Route { get; private set; }
        /// <summary>Where it begins.</summary>
        public Cell Start { get; private set; }
        /// <summary>Where it ends.</summary>
        public Cell Goal { get; private set; }
        /// <summary>Which of the goals was reached, counted from 0.</summary>
        public int? Place { get; private set; }
        /// <summary>How far from the nearest goal it ends, in cells; 0 if it was reached.</summary>
        public double Away { get; private set; }
        /// <summary>What it costs.</summary>
        public Cost Cost { get; private set; }
        /// <summary>Which limit ended the search, in words, or null.</summary>
        public string Limit { get; private set; }

        private Answer() { }

        internal static Answer Of(Status status, Native.octile_reply reply, Route route)
        {
            if (status == Status.Limit)
            {
                return new Answer { Outcome = Outcome.Limit, Limit = Texts.From(Native.octile_error_message()) };
            }
            if (!OctileException.IsFound(status)) return new Answer();
            return new Answer
            {
                Outcome = reply.is_nearest != 0 ? Outcome.Nearest : Outcome.Found,
                Route = route,
                Start = reply.start,
                Goal = reply.goal,
                Place = reply.place == UIntPtr.Subtract(UIntPtr.Zero, 1) ? (int?)null : reply.place.Int(),
                Away = reply.away,
                Cost = reply.cost,
            };
        }

        /// <summary>Frees the path.</summary>
        public void Dispose() => Route?.Dispose();
    }

    /// <summary>One of the nearest targets.</summary>
    public readonly struct Near
    {
        /// <summary>Which target it is, counted from 0.</summary>
        public readonly int Place;
        /// <summary>What a path there costs.</summary>
        public readonly Cost Cost;

        internal Near(int place, Cost cost)
        {
            Place = place;
            Cost = cost;
        }
    }

    /// <summary>A flag of C that a token sets.</summary>
    internal sealed class Cancelling : IDisposable
    {
        private readonly FlagHandle flag;
        private readonly CancellationTokenRegistration registration;

        /// <summary>Needs no flag for a token that is never cancelled, unless somebody else sets it.</summary>
        internal Cancelling(CancellationToken token, bool isNeeded = false)
        {
            if (!token.CanBeCanceled && !isNeeded) return;
            OctileException.Check(Native.octile_flag_new(out flag));
            registration = token.Register(Set);
        }

        /// <summary>For C, as long as this is not disposed of.</summary>
        internal IntPtr Pointer => flag == null ? IntPtr.Zero : flag.DangerousGetHandle();

        internal void Set() => Native.octile_flag_set(flag, true);

        public void Dispose()
        {
            registration.Dispose(); // waits for a Set that runs
            flag?.Dispose();
        }
    }
}
