using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>A path. Use one again and again, with Engine.FindInto: its memory is kept.</summary>
    public sealed unsafe class Route : IDisposable
    {
        internal PathHandle Handle { get; }

        /// <summary>An empty path.</summary>
        public Route()
        {
            OctileException.Check(Native.octile_path_new(out var handle));
            Handle = handle;
        }

        private Route(PathHandle handle) => Handle = handle;

        /// <summary>A second path that is like this one.</summary>
        public Route Clone()
        {
            OctileException.Check(Native.octile_path_clone(Handle, out var copy));
            return new Route(copy);
        }

        /// <summary>Whether it goes in any direction, and so has points rather than waypoints and cells.</summary>
        public bool IsAnyAngle => Native.octile_path_is_any_angle(Handle);

        /// <summary>What it costs; nothing if it is empty.</summary>
        public Cost Cost
        {
            get
            {
                OctileException.Check(Native.octile_path_cost(Handle, out var cost));
                return cost;
            }
        }

        /// <summary>Its length, rounded; on a map with prices its cost.</summary>
        public double Length => Cost.Length;

        /// <summary>Start, turning points and goal of a path from cell to cell.</summary>
        public Cell[] Waypoints()
        {
            OctileException.Check(Native.octile_path_waypoints(Handle, null, UIntPtr.Zero, out var count));
            var cells = new Cell[count.Int()];
            fixed (Cell* items = cells)
            {
                OctileException.Check(Native.octile_path_waypoints(Handle, items, count, out count));
            }
            return cells;
        }

        /// <summary>Every cell of a path from cell to cell.</summary>
        public Cell[] Cells()
        {
            OctileException.Check(Native.octile_path_cells(Handle, null, UIntPtr.Zero, out var count));
            var cells = new Cell[count.Int()];
            fixed (Cell* items = cells)
            {
                OctileException.Check(Native.octile_path_cells(Handle, items, count, out count));
            }
            return cells;
        }

        /// <summary>The points of an any-angle path: its start, the corners where it turns, and its goal.</summary>
        public Point[] Points()
        {
            OctileException.Check(Native.octile_path_points(Handle, null, UIntPtr.Zero, out var count));
            var points = new Point[count.Int()];
            fixed (Point* items = points)
            {
                OctileException.Check(Native.octile_path_points(Handle, items, count, out count));
            }
            return points;
        }

        /// <summary>Frees it.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
