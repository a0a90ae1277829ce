// Handles of the C interface, which free themselves. While a call uses one it is not freed, whatever other threads do.

using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>A handle of the C interface.</summary>
    public abstract class OctileHandle : SafeHandle
    {
        internal OctileHandle() : base(IntPtr.Zero, true) { }

        /// <summary>Whether it is none.</summary>
        public override bool IsInvalid => handle == IntPtr.Zero;

        internal static bool Freed(Action<IntPtr> free, IntPtr handle)
        {
            free(handle);
            return true;
        }
    }

    /// <summary>An octile_flag.</summary>
    public sealed class FlagHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_flag_free, handle);
    }

    /// <summary>An octile_grid.</summary>
    public sealed class GridHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_grid_free, handle);
    }

    /// <summary>An octile_edits.</summary>
    public sealed class EditsHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_edits_free, handle);
    }

    /// <summary>An octile_path.</summary>
    public sealed class PathHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_path_free, handle);
    }

    /// <summary>An octile_index.</summary>
    public sealed class IndexHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_index_free, handle);
    }

    /// <summary>An octile_engine.</summary>
    public sealed class EngineHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_engine_free, handle);
    }

    /// <summary>An octile_routes.</summary>
    public sealed class RoutesHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_routes_free, handle);
    }

    /// <summary>An octile_field.</summary>
    public sealed class FieldHandle : OctileHandle
    {
        /// <summary>Frees it.</summary>
        protected override bool ReleaseHandle() => Freed(Native.octile_field_free, handle);
    }
}
