// Cells, points and costs, as C has them.

using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>A cell of a map: its column from the left and its row from the top, both from 0.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Cell : IEquatable<Cell>
    {
        /// <summary>The column.</summary>
        public readonly int X;
        /// <summary>The row.</summary>
        public readonly int Y;

        /// <summary>The cell in a column and a row.</summary>
        public Cell(int x, int y)
        {
            X = x;
            Y = y;
        }

        /// <summary>Makes a cell of a pair, so that (3, 4) is one.</summary>
        public static implicit operator Cell((int X, int Y) pair) => new Cell(pair.X, pair.Y);

        /// <summary>Whether two cells are the same.</summary>
        public static bool operator ==(Cell a, Cell b) => a.X == b.X && a.Y == b.Y;
        /// <summary>Whether two cells are not the same.</summary>
        public static bool operator !=(Cell a, Cell b) => !(a == b);
        /// <summary>Whether two cells are the same.</summary>
        public bool Equals(Cell other) => this == other;
        /// <summary>Whether two cells are the same.</summary>
        public override bool Equals(object other) => other is Cell cell && this == cell;
        /// <summary>A number that the same cells share.</summary>
        public override int GetHashCode() => unchecked(X * 31337 + Y);
        /// <summary>As "3,4".</summary>
        public override string ToString() => X + "," + Y;
    }

    /// <summary>A place on the map, in cells: the centre of the cell x, y is at x + 0.5, y + 0.5.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Point
    {
        /// <summary>To the right.</summary>
        public readonly double X;
        /// <summary>Downwards.</summary>
        public readonly double Y;

        /// <summary>A place.</summary>
        public Point(double x, double y)
        {
            X = x;
            Y = y;
        }
    }

    /// <summary>What a path costs: (Straight + Diagonal * √2) / Parts exactly, and its length, rounded.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Cost : IEquatable<Cost>, IComparable<Cost>
    {
        /// <summary>Moves along rows and columns; with prices what they cost, in parts. 0 of an any-angle path.</summary>
        public readonly uint Straight;
        /// <summary>Moves along diagonals, in the same way.</summary>
        public readonly uint Diagonal;
        /// <summary>What the two are counted in: 1, or 4 with prices by "average". 0 of an any-angle path.</summary>
        public readonly uint Parts;
        /// <summary>The length; on a map with prices the cost.</summary>
        public readonly double Length;

        /// <summary>Whether two costs on one map are the same.</summary>
        public bool Equals(Cost other) =>
            Straight == other.Straight && Diagonal == other.Diagonal && Parts == other.Parts && Length.Equals(other.Length);
        /// <summary>Whether two costs on one map are the same.</summary>
        public override bool Equals(object other) => other is Cost cost && Equals(cost);
        /// <summary>A number that the same costs share.</summary>
        public override int GetHashCode() => Length.GetHashCode();
        /// <summary>Which of two costs is less.</summary>
        public int CompareTo(Cost other) => Length.CompareTo(other.Length);

        /// <summary>As "2+2√2", or "4.2426" of an any-angle path.</summary>
        public override string ToString()
        {
            var cost = this;
            return Texts.Filled((byte[] text, UIntPtr capacity, out UIntPtr length) =>
                Native.octile_cost_text(ref cost, text, capacity, out length));
        }
    }
}
