using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>What a planner has worked out for a map, in memory or in a file.</summary>
    public sealed unsafe class PlannerIndex : IDisposable
    {
        internal IndexHandle Handle { get; }

        private PlannerIndex(IndexHandle handle) => Handle = handle;

        /// <summary>Builds the index of a kind: "hub-labels", "cpd:layout=rectangles".</summary>
        public static PlannerIndex Build(Grid grid, string kind, BuildOptions options = null)
        {
            using (var build = new Build(options))
            {
                var native = build.Pinned();
                build.Check(Native.octile_index_build(grid.Handle, Texts.Of(kind), &native, out var index));
                return new PlannerIndex(index);
            }
        }

        /// <summary>Opens an index file.</summary>
        public static PlannerIndex Open(string file) => Made(Native.octile_index_open(Texts.Of(file), out var index), index);

        /// <summary>Takes the bytes of an index file, which are copied.</summary>
        public static PlannerIndex FromMemory(ReadOnlySpan<byte> bytes)
        {
            fixed (byte* items = &MemoryMarshal.GetReference(bytes))
            {
                return Made(Native.octile_index_from_memory(items, bytes.Length.Size(), out var index), index);
            }
        }

        /// <summary>Writes it to a file, which appears whole or not at all.</summary>
        public void Save(string file) => OctileException.Check(Native.octile_index_save(Handle, Texts.Of(file)));

        /// <summary>Its kind, such as "hub-labels".</summary>
        public string Kind => Texts.Filled((byte[] text, UIntPtr capacity, out UIntPtr length) =>
            Native.octile_index_kind(Handle, text, capacity, out length));

        /// <summary>How many bytes it has.</summary>
        public long Size => (long)Native.octile_index_size(Handle);

        /// <summary>Its bytes.</summary>
        public byte[] ToArray()
        {
            var size = Native.octile_index_size(Handle).Int();
            var bytes = new ReadOnlySpan<byte>(Native.octile_index_bytes(Handle), size).ToArray();
            GC.KeepAlive(this);
            return bytes;
        }

        /// <summary>Throws if it is damaged.</summary>
        public void Verify() => OctileException.Check(Native.octile_index_verify(Handle, IntPtr.Zero));

        /// <summary>Throws if it is damaged, or of another map.</summary>
        public void Verify(Grid grid) => OctileException.Check(Native.octile_index_verify(Handle, grid.Handle));

        /// <summary>Frees it. Engines that were given it keep what they need.</summary>
        public void Dispose() => Handle.Dispose();

        private static PlannerIndex Made(Status status, IndexHandle handle)
        {
            OctileException.Check(status);
            return new PlannerIndex(handle);
        }
    }
}
