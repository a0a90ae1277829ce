// What can go wrong.

using System;

namespace Octile
{
    /// <summary>How a call of the C interface ended.</summary>
    public enum Status
    {
        /// <summary>All is well.</summary>
        Ok = 0,
        /// <summary>There is no path.</summary>
        NoPath = 1,
        /// <summary>A pointer is NULL.</summary>
        NullPointer = 2,
        /// <summary>An argument is not what it should be.</summary>
        Argument = 3,
        /// <summary>A buffer is too small.</summary>
        SmallBuffer = 4,
        /// <summary>A file cannot be read, or is not a map.</summary>
        File = 5,
        /// <summary>A map cannot be made.</summary>
        Grid = 6,
        /// <summary>There is no such planner, or it has no such key or value.</summary>
        Spec = 7,
        /// <summary>The planner cannot be built for this map.</summary>
        Build = 8,
        /// <summary>An index file cannot be used.</summary>
        Index = 9,
        /// <summary>The question cannot be asked.</summary>
        Query = 10,
        /// <summary>The changes cannot be made.</summary>
        Edit = 11,
        /// <summary>A path was asked for points that it has not.</summary>
        Points = 12,
        /// <summary>A bug of octile was met.</summary>
        Panic = 13,
        /// <summary>A limit ended the search.</summary>
        Limit = 14,
        /// <summary>A build was cancelled.</summary>
        Cancelled = 15,
    }

    /// <summary>Something went wrong; the message says what, in the words of the library.</summary>
    public class OctileException : Exception
    {
        /// <summary>Which kind it is.</summary>
        public Status Status { get; }

        internal OctileException(Status status, string message) : base(message) => Status = status;

        /// <summary>Goes on if all is well.</summary>
        internal static void Check(Status status)
        {
            if (status != Status.Ok) throw Of(status);
        }

        /// <summary>True if all is well, false if there is no path.</summary>
        internal static bool IsFound(Status status)
        {
            if (status != Status.NoPath) Check(status);
            return status == Status.Ok;
        }

        /// <summary>What the last call of this thread had to say.</summary>
        internal static OctileException Of(Status status)
        {
            var message = Texts.From(Native.octile_error_message());
            switch (status)
            {
                case Status.NullPointer:
                case Status.Argument: return new BadArgumentException(status, message);
                case Status.SmallBuffer: return new BufferException(status, message);
                case Status.File: return new MapFileException(status, message);
                case Status.Grid: return new GridException(status, message);
                case Status.Spec: return new SpecException(status, message);
                case Status.Build: return new BuildException(status, message);
                case Status.Index: return new IndexException(status, message);
                case Status.Query: return new QueryException(status, message);
                case Status.Edit: return new EditException(status, message);
                case Status.Points: return new PointsException(status, message);
                default: return new OctileException(status, message);
            }
        }
    }

    /// <summary>An argument is not what it should be: a name that is not known, an array of another size.</summary>
    public sealed class BadArgumentException : OctileException
    {
        internal BadArgumentException(Status status, string message) : base(status, message) { }
    }

    /// <summary>A buffer is too small; the message says what is needed.</summary>
    public sealed class BufferException : OctileException
    {
        internal BufferException(Status status, string message) : base(status, message) { }
    }

    /// <summary>A file cannot be read, or is not a map.</summary>
    public sealed class MapFileException : OctileException
    {
        internal MapFileException(Status status, string message) : base(status, message) { }
    }

    /// <summary>A map cannot be made.</summary>
    public sealed class GridException : OctileException
    {
        internal GridException(Status status, string message) : base(status, message) { }
    }

    /// <summary>There is no such planner, or it has no such key or value.</summary>
    public sealed class SpecException : OctileException
    {
        internal SpecException(Status status, string message) : base(status, message) { }
    }

    /// <summary>The planner cannot be built for this map.</summary>
    public sealed class BuildException : OctileException
    {
        internal BuildException(Status status, string message) : base(status, message) { }
    }

    /// <summary>An index file cannot be used.</summary>
    public sealed class IndexException : OctileException
    {
        internal IndexException(Status status, string message) : base(status, message) { }
    }

    /// <summary>The question cannot be asked: a cell is blocked or off the map.</summary>
    public sealed class QueryException : OctileException
    {
        internal QueryException(Status status, string message) : base(status, message) { }
    }

    /// <summary>The changes cannot be made: a cell is off the map, or a price is for a map that has none.</summary>
    public sealed class EditException : OctileException
    {
        internal EditException(Status status, string message) : base(status, message) { }
    }

    /// <summary>A path was asked for points that it has not: cells of an any-angle path, or the other way round.</summary>
    public sealed class PointsException : OctileException
    {
        internal PointsException(Status status, string message) : base(status, message) { }
    }
}
