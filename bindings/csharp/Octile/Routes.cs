using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>Paths of a batch. Use one again and again: its memory is kept.</summary>
    public sealed unsafe class Routes : IDisposable
    {
        internal RoutesHandle Handle { get; }

        /// <summary>No paths.</summary>
        public Routes()
        {
            OctileException.Check(Native.octile_routes_new(out var handle));
            Handle = handle;
        }

        /// <summary>How many queries there were.</summary>
        public int Count => Native.octile_routes_count(Handle).Int();

        /// <summary>The lengths of all paths: infinity where there is none, NaN where the query is an error.</summary>
        public double[] Lengths()
        {
            var lengths = new ReadOnlySpan<double>(Native.octile_routes_lengths(Handle), Count).ToArray();
            GC.KeepAlive(this);
            return lengths;
        }

        /// <summary>How a query ended: Ok, NoPath, Limit, or why it could not be asked.</summary>
        public Status Status(int query) => Native.octile_routes_status(Handle, query.Size());

        /// <summary>What there is to say of a query that has no path; empty of one that has.</summary>
        public string Message(int query) =>
            Status(query) == Octile.Status.Ok ? "" : Texts.From(Native.octile_error_message());

        /// <summary>Whether the path of a query leads only to the cell nearest to its goal.</summary>
        public bool IsNearest(int query) => Native.octile_routes_is_nearest(Handle, query.Size());

        /// <summary>What a path costs, or null; throws if the query could not be asked.</summary>
        public Cost? Cost(int query)
        {
            var status = Native.octile_routes_cost(Handle, query.Size(), out var cost);
            return status != Octile.Status.Limit && OctileException.IsFound(status) ? cost : (Cost?)null;
        }

        /// <summary>Start, turning points and goal of a path from cell to cell; empty if there is none.</summary>
        public Cell[] Cells(int query)
        {
            var (begin, count) = Part(query);
            var all = Native.octile_routes_cells(Handle);
            var cells = all == null ? Array.Empty<Cell>() : new ReadOnlySpan<Cell>(all + begin, count).ToArray();
            GC.KeepAlive(this);
            return cells;
        }

        /// <summary>The points of an any-angle path; empty if there is none.</summary>
        public Point[] Points(int query)
        {
            var (begin, count) = Part(query);
            var all = Native.octile_routes_points(Handle);
            var points = all == null ? Array.Empty<Point>() : new ReadOnlySpan<Point>(all + begin, count).ToArray();
            GC.KeepAlive(this);
            return points;
        }

        /// <summary>Frees it.</summary>
        public void Dispose() => Handle.Dispose();

        private (long Begin, int Count) Part(int query)
        {
            if (query < 0 || query >= Count) throw new ArgumentOutOfRangeException(nameof(query));
            var offsets = Native.octile_routes_offsets(Handle);
            var (begin, end) = ((long)offsets[query], (long)offsets[query + 1]);
            GC.KeepAlive(this);
            return (begin, checked((int)(end - begin)));
        }
    }
}
