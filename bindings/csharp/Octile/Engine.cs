using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>A planner for a map, which may change. Any number of threads may use one at the same time.</summary>
    public sealed unsafe class Engine : IDisposable
    {
        internal EngineHandle Handle { get; }

        private Engine(EngineHandle handle) => Handle = handle;

        /// <summary>Makes the planner of a name for a map, with keys behind a colon: "jps:prune=gates".</summary>
        public Engine(Grid grid, string spec = "corner-sweep", BuildOptions options = null)
        {
            using (var build = new Build(options))
            {
                var native = build.Pinned();
                build.Check(Native.octile_engine_build(grid.Handle, Texts.Of(spec), &native, out var handle));
                Handle = handle;
            }
        }

        /// <summary>The same engine for a larger agent, "square:2" or "disc:1.5", on the same map.</summary>
        public Engine ForAgent(string agent)
        {
            OctileException.Check(Native.octile_engine_for_agent(Handle, Texts.Of(agent), out var sized));
            return new Engine(sized);
        }

        /// <summary>Whether its paths go in any direction.</summary>
        public bool IsAnyAngle => Native.octile_engine_is_any_angle(Handle);

        /// <summary>Which planner the engine "auto" has chosen; empty of all others.</summary>
        public string Chosen => Texts.Filled((byte[] text, UIntPtr capacity, out UIntPtr length) =>
            Native.octile_engine_chosen(Handle, text, capacity, out length));

        /// <summary>How much memory its index takes, in bytes.</summary>
        public long IndexBytes => (long)Native.octile_engine_index_bytes(Handle);

        /// <summary>The map as it is now, as a grid of your own.</summary>
        public Grid Grid() => Octile.Grid.Made(Native.octile_engine_grid(Handle, out var grid), grid);

        /// <summary>Whether a path leads from one cell to another on the map as it is now, without a search.</summary>
        public bool Connected(Cell a, Cell b) => Native.octile_engine_connected(Handle, a, b);

        /// <summary>Makes all changes to the map, or none. Whoever is asking finishes on the map as it was.</summary>
        public void Apply(Edits edits) => OctileException.Check(Native.octile_engine_apply(Handle, edits.Handle));

        /// <summary>Whether a path can still be walked on the map as it is now.</summary>
        public bool StillValid(Route route) => Native.octile_engine_still_valid(Handle, route.Handle);

        /// <summary>Whether its index is older than the map: answers are right, and may take longer.</summary>
        public bool IsStale => Native.octile_engine_is_stale(Handle);

        /// <summary>Builds the index anew for the map as it is and waits; others go on asking.</summary>
        public void Renew() => OctileException.Check(Native.octile_engine_renew(Handle));

        /// <summary>Builds the index anew by itself when no edit has come for so long; null for no more.</summary>
        public void KeepFresh(TimeSpan? quiet) =>
            OctileException.Check(Native.octile_engine_keep_fresh(Handle, quiet?.TotalSeconds ?? -1.0));

        /// <summary>Finds a shortest path, or null if there is none.</summary>
        public Route Find(Cell start, Cell goal)
        {
            var route = new Route();
            if (FindInto(start, goal, route)) return route;
            route.Dispose();
            return null;
        }

        /// <summary>Finds a shortest path into a path that is used again: whether there is one.</summary>
        public bool FindInto(Cell start, Cell goal, Route route) =>
            OctileException.IsFound(Native.octile_find_path(Handle, start, goal, route.Handle));

        /// <summary>Finds a path from cell to cell: start, turning points and goal in a buffer. Whether there is one;
        /// an empty buffer asks for the count alone. A warm call allocates nothing.</summary>
        public bool FindInto(Cell start, Cell goal, Span<Cell> buffer, out int count, out Cost cost)
        {
            fixed (Cell* cells = &MemoryMarshal.GetReference(buffer))
            {
                var status = Native.octile_find(Handle, start, goal, cells, buffer.Length.Size(), out var size, out cost);
                return IsFound(status, size, out count);
            }
        }

        /// <summary>Finds a path from cell to cell: every cell in a buffer.</summary>
        public bool FindCellsInto(Cell start, Cell goal, Span<Cell> buffer, out int count, out Cost cost)
        {
            fixed (Cell* cells = &MemoryMarshal.GetReference(buffer))
            {
                var status = Native.octile_find_cells(Handle, start, goal, cells, buffer.Length.Size(), out var size,
                    out cost);
                return IsFound(status, size, out count);
            }
        }

        /// <summary>Finds a path in any direction: its points in a buffer.</summary>
        public bool FindPointsInto(Cell start, Cell goal, Span<Point> buffer, out int count, out Cost cost)
        {
            fixed (Point* points = &MemoryMarshal.GetReference(buffer))
            {
                var status = Native.octile_find_points(Handle, start, goal, points, buffer.Length.Size(), out var size,
                    out cost);
                return IsFound(status, size, out count);
            }
        }

        /// <summary>Finds what a shortest path costs, without the path; null if there is none.</summary>
        public Cost? FindCost(Cell start, Cell goal) =>
            OctileException.IsFound(Native.octile_find_cost(Handle, start, goal, out var cost)) ? cost : (Cost?)null;

        /// <summary>Asks for a path to the nearest of many goals, on terms.</summary>
        public Answer Ask(Cell start, ReadOnlySpan<Cell> goals, Terms terms = null)
        {
            terms = terms ?? new Terms();
            var route = new Route();
            using (var pins = new Pins())
            using (var cancelling = new Cancelling(terms.Cancel))
            fixed (Cell* cells = &MemoryMarshal.GetReference(goals))
            {
                var native = terms.Pinned(pins, cancelling.Pointer);
                var status = Native.octile_ask(Handle, start, cells, goals.Length.Size(), &native, route.Handle,
                    out var reply);
                var answer = Answer.Of(status, reply, route);
                if (answer.Route == null) route.Dispose();
                return answer;
            }
        }

        /// <summary>Asks for a path to a goal, on terms.</summary>
        public Answer Ask(Cell start, Cell goal, Terms terms = null) => Ask(start, new[] { goal }, terms);

        /// <summary>Finds a path for each start and the goal at the same place, on all cores.</summary>
        public Routes FindMany(ReadOnlySpan<Cell> starts, ReadOnlySpan<Cell> goals, Terms terms = null)
        {
            var routes = new Routes();
            FindManyInto(starts, goals, routes, terms);
            return routes;
        }

        /// <summary>The same into routes that are used again.</summary>
        public void FindManyInto(ReadOnlySpan<Cell> starts, ReadOnlySpan<Cell> goals, Routes routes, Terms terms = null)
        {
            if (starts.Length != goals.Length) throw new ArgumentException("there are not as many goals as starts");
            terms = terms ?? new Terms();
            using (var pins = new Pins())
            using (var cancelling = new Cancelling(terms.Cancel))
            fixed (Cell* from = &MemoryMarshal.GetReference(starts))
            fixed (Cell* to = &MemoryMarshal.GetReference(goals))
            {
                var native = terms.Pinned(pins, cancelling.Pointer);
                OctileException.Check(Native.octile_find_many(Handle, from, to, starts.Length.Size(), &native,
                    routes.Handle));
            }
        }

        /// <summary>The nearest targets by the cost of the path, at most so many, the nearest first.</summary>
        public Near[] Nearest(Cell start, ReadOnlySpan<Cell> targets, int count = 1)
        {
            var places = new UIntPtr[count];
            var costs = new Cost[count];
            UIntPtr found;
            fixed (Cell* cells = &MemoryMarshal.GetReference(targets))
            fixed (UIntPtr* place = places)
            fixed (Cost* cost = costs)
            {
                OctileException.Check(Native.octile_find_nearest(Handle, start, cells, targets.Length.Size(), place, cost,
                    count.Size(), out found));
            }
            var nearest = new Near[found.Int()];
            for (var i = 0; i < nearest.Length; i++) nearest[i] = new Near(places[i].Int(), costs[i]);
            return nearest;
        }

        /// <summary>The costs from every source to every target, a row a source; infinite where there is no path.</summary>
        public Cost[,] Matrix(ReadOnlySpan<Cell> sources, ReadOnlySpan<Cell> targets)
        {
            var costs = new Cost[sources.Length, targets.Length];
            fixed (Cell* from = &MemoryMarshal.GetReference(sources))
            fixed (Cell* to = &MemoryMarshal.GetReference(targets))
            fixed (Cost* cost = costs)
            {
                OctileException.Check(Native.octile_find_costs(Handle, from, sources.Length.Size(), to,
                    targets.Length.Size(), cost, costs.Length.Size()));
            }
            return costs;
        }

        /// <summary>The field of some goals on the map as it is now, up to a cost.</summary>
        public Field Field(ReadOnlySpan<Cell> goals, double maxCost = double.PositiveInfinity)
        {
            fixed (Cell* cells = &MemoryMarshal.GetReference(goals))
            {
                OctileException.Check(Native.octile_engine_field(Handle, cells, goals.Length.Size(), maxCost,
                    out var field));
                return new Field(field);
            }
        }

        /// <summary>Frees it, when no call uses it any more.</summary>
        public void Dispose() => Handle.Dispose();

        private static bool IsFound(Status status, UIntPtr size, out int count)
        {
            var isFound = OctileException.IsFound(status);
            count = isFound ? size.Int() : 0;
            return isFound;
        }
    }
}
