// How engines and indexes are built.

using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Octile
{
    /// <summary>What a build is at, and how much of that is done.</summary>
    public readonly struct BuildProgress
    {
        /// <summary>What it is at.</summary>
        public readonly string Stage;
        /// <summary>How much is done.</summary>
        public readonly ulong Done;
        /// <summary>How much there is to do.</summary>
        public readonly ulong All;

        internal BuildProgress(string stage, ulong done, ulong all)
        {
            Stage = stage;
            Done = done;
            All = all;
        }
    }

    /// <summary>How an engine or an index is built.</summary>
    public sealed class BuildOptions
    {
        /// <summary>Indexes to use, in place of files that the spec names.</summary>
        public IReadOnlyList<PlannerIndex> Indexes { get; set; } = Array.Empty<PlannerIndex>();
        /// <summary>How much work it may be: "brief", "at-once", "beforehand" or "unlimited".</summary>
        public string Budget { get; set; }
        /// <summary>Ends the build, which then throws an OperationCanceledException.</summary>
        public CancellationToken Cancel { get; set; }
        /// <summary>Is told what is done, by any thread, one at a time; not under Mono. If it throws, the build ends and
        /// throws that on.</summary>
        public IProgress<BuildProgress> Progress { get; set; }
    }

    /// <summary>For compilers that translate ahead of time, which look for this name.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        internal MonoPInvokeCallbackAttribute(Type type) => Type = type;

        internal Type Type { get; }
    }

    /// <summary>A build while it runs: options for C, and what the progress has thrown.</summary>
    internal sealed unsafe class Build : IDisposable
    {
        private static readonly Native.octile_progress Told = Tell;

        /// <summary>Mono never lets go of a thread that has called back, and at its end waits for those of the library:
        /// it is told nothing.</summary>
        private static readonly bool IsMono = Type.GetType("Mono.Runtime") != null;

        private readonly BuildOptions options;
        private readonly bool isTold;
        private readonly Pins pins = new Pins();
        private readonly List<IndexHandle> indexes = new List<IndexHandle>();
        private readonly Cancelling cancelling;
        private GCHandle self;
        private ExceptionDispatchInfo thrown;

        internal Build(BuildOptions options)
        {
            this.options = options ?? new BuildOptions();
            isTold = this.options.Progress != null && !IsMono;
            cancelling = new Cancelling(this.options.Cancel, isTold);
            self = GCHandle.Alloc(this);
        }

        /// <summary>For C, as long as this is not disposed of.</summary>
        internal Native.octile_build_options Pinned() => new Native.octile_build_options
        {
            size = sizeof(Native.octile_build_options).Size(),
            indexes = (IntPtr*)pins.Array(Pointers()),
            index_count = options.Indexes.Count.Size(),
            budget = pins.Text(options.Budget),
            cancel = cancelling.Pointer,
            progress = isTold ? Marshal.GetFunctionPointerForDelegate(Told) : IntPtr.Zero,
            user = GCHandle.ToIntPtr(self),
        };

        /// <summary>Goes on if the build has come to its end.</summary>
        internal void Check(Status status)
        {
            thrown?.Throw();
            if (status == Status.Cancelled) throw new OperationCanceledException(options.Cancel);
            OctileException.Check(status);
        }

        public void Dispose()
        {
            foreach (var index in indexes) index.DangerousRelease();
            cancelling.Dispose();
            pins.Dispose();
            self.Free();
        }

        /// <summary>The indexes, which are not freed before this is disposed of.</summary>
        private IntPtr[] Pointers()
        {
            var pointers = new IntPtr[options.Indexes.Count];
            for (var i = 0; i < pointers.Length; i++)
            {
                var handle = options.Indexes[i].Handle;
                var isAdded = false;
                handle.DangerousAddRef(ref isAdded);
                indexes.Add(handle);
                pointers[i] = handle.DangerousGetHandle();
            }
            return pointers;
        }

        [MonoPInvokeCallback(typeof(Native.octile_progress))]
        private static void Tell(IntPtr user, IntPtr stage, ulong done, ulong all)
        {
            var build = (Build)GCHandle.FromIntPtr(user).Target;
            lock (build.pins)
            {
                if (build.thrown != null) return;
                try
                {
                    build.options.Progress.Report(new BuildProgress(Texts.From(stage), done, all));
                }
                catch (Exception exception) // C knows none
                {
                    build.thrown = ExceptionDispatchInfo.Capture(exception);
                    build.cancelling.Set();
                }
            }
        }
    }
}
