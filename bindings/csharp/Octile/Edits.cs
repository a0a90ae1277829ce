using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>Changes of a map, to be made all at once. The last word about a cell counts.</summary>
    public sealed unsafe class Edits : IDisposable
    {
        internal EditsHandle Handle { get; }

        /// <summary>No changes.</summary>
        public Edits()
        {
            OctileException.Check(Native.octile_edits_new(out var handle));
            Handle = handle;
        }

        /// <summary>Blocks every cell of the rectangle between two corners, both of which belong to it.</summary>
        public Edits Block(Cell a, Cell b) => Added(Native.octile_edits_block(Handle, a, b));
        /// <summary>Blocks a cell.</summary>
        public Edits Block(Cell cell) => Block(cell, cell);

        /// <summary>Frees every cell of a rectangle. With prices they cost what they did before.</summary>
        public Edits Unblock(Cell a, Cell b) => Added(Native.octile_edits_unblock(Handle, a, b));
        /// <summary>Frees a cell.</summary>
        public Edits Unblock(Cell cell) => Unblock(cell, cell);

        /// <summary>Gives every cell of a rectangle a price, on a map that has prices.</summary>
        public Edits Price(Cell a, Cell b, byte price) => Added(Native.octile_edits_price(Handle, a, b, price));
        /// <summary>Gives a cell a price.</summary>
        public Edits Price(Cell cell, byte price) => Price(cell, cell, price);

        /// <summary>Makes a rectangle what an array of bits says, 1 for free, as in Grid.FromFreeBits.</summary>
        public Edits Patch(Cell upperLeft, int width, int height, ReadOnlySpan<byte> freeBits)
        {
            fixed (byte* bytes = &MemoryMarshal.GetReference(freeBits))
            {
                return Added(Native.octile_edits_patch(Handle, upperLeft, (uint)width, (uint)height, bytes,
                    freeBits.Length.Size()));
            }
        }

        /// <summary>Forgets all changes and keeps the memory.</summary>
        public Edits Clear() => Added(Native.octile_edits_clear(Handle));

        /// <summary>How many rectangles were named.</summary>
        public int Count => Native.octile_edits_count(Handle).Int();

        /// <summary>Frees it.</summary>
        public void Dispose() => Handle.Dispose();

        private Edits Added(Status status)
        {
            OctileException.Check(status);
            return this;
        }
    }
}
