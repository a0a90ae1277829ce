using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>The cost from every cell to the nearest of some goals, for many who go there.</summary>
    public sealed unsafe class Field : IDisposable
    {
        internal FieldHandle Handle { get; }

        internal Field(FieldHandle handle) => Handle = handle;

        /// <summary>The field of a map, up to a cost.</summary>
        public Field(Grid grid, ReadOnlySpan<Cell> goals, double maxCost = double.PositiveInfinity)
        {
            fixed (Cell* cells = &MemoryMarshal.GetReference(goals))
            {
                OctileException.Check(Native.octile_field_new(grid.Handle, cells, goals.Length.Size(), maxCost,
                    out var handle));
                Handle = handle;
            }
        }

        /// <summary>Takes other goals.</summary>
        public void SetGoals(ReadOnlySpan<Cell> goals)
        {
            fixed (Cell* cells = &MemoryMarshal.GetReference(goals))
            {
                OctileException.Check(Native.octile_field_set_goals(Handle, cells, goals.Length.Size()));
            }
        }

        /// <summary>Makes all changes to the map of the field, or none, and finds anew what they touch.</summary>
        public void Apply(Edits edits) => OctileException.Check(Native.octile_field_apply(Handle, edits.Handle));

        /// <summary>The length of a path from a cell; infinity where there is none.</summary>
        public double Length(Cell cell) => Native.octile_field_length(Handle, cell);

        /// <summary>What a path from a cell costs, or null.</summary>
        public Cost? Cost(Cell cell) =>
            OctileException.IsFound(Native.octile_field_cost(Handle, cell, out var cost)) ? cost : (Cost?)null;

        /// <summary>The cell to go to from a cell, or null; at a goal the goal itself.</summary>
        public Cell? Step(Cell cell) =>
            OctileException.IsFound(Native.octile_field_step(Handle, cell, out var next)) ? next : (Cell?)null;

        /// <summary>Where to go from a place between cells, as a vector of length 1, or null; 0, 0 at a goal.</summary>
        public Point? Direction(Point place) =>
            OctileException.IsFound(Native.octile_field_direction(Handle, place, out var way)) ? way : (Point?)null;

        /// <summary>The path from a cell, or null.</summary>
        public Route RouteFrom(Cell start)
        {
            var route = new Route();
            if (OctileException.IsFound(Native.octile_field_path(Handle, start, route.Handle))) return route;
            route.Dispose();
            return null;
        }

        /// <summary>The lengths from all cells, row by row; infinity where there is no path.</summary>
        public double[] Lengths()
        {
            OctileException.Check(Native.octile_field_lengths(Handle, null, UIntPtr.Zero, out var count));
            var lengths = new double[count.Int()];
            fixed (double* items = lengths)
            {
                OctileException.Check(Native.octile_field_lengths(Handle, items, count, out count));
            }
            return lengths;
        }

        /// <summary>Frees it.</summary>
        public void Dispose() => Handle.Dispose();
    }
}
