// What works, and what is told where something does not. The arguments are octile.h and a folder with maps.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Octile;

internal static class Check
{
    internal static void That(bool condition, string what)
    {
        if (condition) return;
        Console.Error.WriteLine("wrong: " + what);
        Console.Error.WriteLine(Environment.StackTrace);
        Environment.Exit(1);
    }

    /// <summary>Waits until another thread makes a condition true. Two minutes without that are a hang.</summary>
    internal static void Until(Func<bool> condition, string what) =>
        That(SpinWait.SpinUntil(condition, TimeSpan.FromMinutes(2)), what);

    /// <summary>Something throws this kind of exception, with a message that says this.</summary>
    internal static void Throws<E>(Action work, string what) where E : Exception
    {
        try
        {
            work();
        }
        catch (E exception)
        {
            That(exception.Message.Contains(what), exception.Message + " does not say: " + what);
            return;
        }
        That(false, "nothing is thrown: " + what);
    }
}

internal static class Program
{
    private static Grid Room() => Grid.Parse("......\n.@@@@.\n......\n");

    private static void Grids(string folder)
    {
        using (var grid = Grid.Parse("..@\n...\n"))
        using (var copy = grid.Clone())
        using (var edits = new Edits())
        {
            Check.That(grid.Width == 3 && grid.Height == 2 && grid.FreeCells == 5, "sides");
            Check.That(grid.IsFree((1, 0)) && !grid.IsFree((2, 0)) && !grid.IsFree((-1, 0)), "free cells");
            Check.That(grid.Price((0, 0)) == 1 && grid.Connected((0, 0), (2, 1)) && !grid.Connected((0, 0), (2, 0)), "cells");
            copy.Apply(edits.Unblock((0, 0), (2, 1)));
            Check.That(copy.FreeCells == 6 && grid.FreeCells == 5 && edits.Count == 1, "edits");
            copy.Apply(edits.Clear().Block((0, 0)).Block((1, 0), (1, 1)).Unblock((0, 0)));
            Check.That(copy.FreeCells == 4, "the last word counts");
            copy.Apply(edits.Clear().Patch((1, 0), 2, 2, new byte[] { 7 }));
            Check.That(copy.FreeCells == 5 && !copy.IsFree((2, 1)), "patches");
        }
        Check.That(Grid.FromBlocked(3, 2, new byte[] { 0, 0, 1, 0, 0, 255 }).FreeCells == 4, "bytes");
        Check.That(Grid.FromFreeBits(3, 3, new byte[] { 0xff, 0xfe }).FreeCells == 8, "bits");
        Check.That(Grid.Open(4, 4).FreeCells == 16, "open");
        Check.That(Grid.Load(folder + "/land.map").FreeCells == 2, "files");
        var options = new LoadOptions { Prices = folder + "/land.prices", Convention = "enter" };
        Check.That(Grid.Load(folder + "/land.map", options).Price((1, 0)) == 7, "options");
        var bytes = System.Text.Encoding.ASCII.GetBytes("type octile\nheight 1\nwidth 2\nmap\n.@\n");
        Check.That(Grid.FromMemory(bytes).FreeCells == 1, "memory");
        var square = System.Text.Encoding.ASCII.GetBytes("type octile\nheight 2\nwidth 2\nmap\n..\n..\n");
        var tiles = new Engine(Grid.FromMemory(square, new LoadOptions { Movement = "tile" }), "astar");
        Check.That(tiles.FindCost((0, 0), (1, 1)).Value.Length == 2.0, "movement");
        var costmap = System.Text.Encoding.ASCII.GetBytes("P5\n3 1\n255\n").Concat(new byte[] { 0, 254, 255 }).ToArray();
        Check.That(Grid.FromMemory(costmap, new LoadOptions { Prices = "costmap" }).FreeCells == 1, "unknown cells are blocked");
        var free = new LoadOptions { Prices = "costmap", Unknown = "free" };
        Check.That(Grid.FromMemory(costmap, free).FreeCells == 2, "unknown cells are free");
    }

    private static void Paths()
    {
        var engine = new Engine(Room());
        var path = engine.Find((0, 1), (5, 1));
        Check.That(path.Length == 7.0 && path.Cost.ToString() == "7" && !path.IsAnyAngle, "costs");
        Check.That(path.Waypoints().Length == 4 && path.Cells().Length == 8 && path.Cells()[7] == (5, 1), "cells");
        Check.That(path.Clone().Cost.Equals(path.Cost) && engine.StillValid(path), "clones");
        Check.That(engine.FindCost((0, 1), (5, 1)).Equals(path.Cost) && engine.Connected((0, 0), (5, 2)), "costs alone");

        Span<Cell> buffer = new Cell[8];
        Check.That(engine.FindInto((0, 1), (5, 1), buffer, out var count, out var cost) && count == 4 && buffer[3] == (5, 1), "a buffer");
        Check.That(cost.CompareTo(path.Cost) == 0 && engine.FindCellsInto((0, 1), (5, 1), buffer, out count, out cost) && count == 8, "all cells");
        Check.That(engine.FindInto((0, 1), (5, 1), Span<Cell>.Empty, out count, out cost) && count == 4, "the count alone");
        Check.Throws<BufferException>(() => engine.FindInto((0, 1), (5, 1), new Cell[1], out _, out _), "4 are needed");

        engine.Apply(new Edits().Block((2, 0), (2, 2)));
        Check.That(engine.Find((0, 1), (5, 1)) == null && engine.FindCost((0, 1), (5, 1)) == null && !engine.StillValid(path), "no path");
        Check.That(!engine.FindInto((0, 1), (5, 1), path) && engine.Grid().FreeCells == 12 && !engine.IsStale, "no path again");

        var taut = new Engine(Room(), "taut-sight:ends=centres");
        var line = taut.Find((0, 0), (5, 0));
        Check.That(taut.IsAnyAngle && line.IsAnyAngle && line.Points()[1].X == 5.5 && line.Cost.Parts == 0, "any angle");
        Span<Point> points = new Point[4];
        Check.That(taut.FindPointsInto((0, 0), (5, 0), points, out count, out cost) && count == 2 && points[1].Y == 0.5, "points");
        Check.Throws<PointsException>(() => line.Cells(), "any direction");
    }

    private static void Questions()
    {
        var engine = new Engine(Grid.Parse("........@.\n........@.\n"));
        var wells = new Cell[] { (7, 0), (3, 1), (9, 0) };
        using (var answer = engine.Ask((0, 0), wells))
        {
            Check.That(answer.Outcome == Outcome.Found && answer.Place == 1 && answer.Goal == wells[1], "the nearest goal");
            Check.That(answer.Route.Cost.Equals(answer.Cost) && answer.Start == (0, 0) && answer.Away == 0.0, "its path");
        }
        var near = engine.Ask((0, 0), (8, 0), new Terms { Nearest = Nearest.Goal });
        Check.That(near.Outcome == Outcome.Nearest && near.Goal == (7, 0) && near.Away == 1.0 && near.Place == null, "the nearest cell");
        Check.That(engine.Ask((8, 0), (0, 0), new Terms { Nearest = Nearest.Both }).Route != null, "both ends");
        Check.That(engine.Ask((0, 0), (9, 0)).Outcome == Outcome.NoPath, "no path");
        var limited = engine.Ask((0, 0), (7, 0), new Terms { MaxCost = 2.0, Timeout = TimeSpan.FromHours(1) });
        Check.That(limited.Outcome == Outcome.Limit && limited.Route == null && limited.Limit.Contains("max_cost"), "limits");
        Check.That(engine.Ask((0, 0), (7, 0), new Terms { MaxExpanded = 0 }).Limit.Contains("max_expanded"), "expansions");
        Check.That(engine.Ask((0, 0), (7, 0), new Terms { Timeout = TimeSpan.Zero }).Limit.Contains("timeout"), "no time");
        using (var source = new CancellationTokenSource())
        {
            var terms = new Terms { Cancel = source.Token };
            Check.That(engine.Ask((0, 0), (7, 0), terms).Outcome == Outcome.Found, "not cancelled");
            source.Cancel();
            Check.That(engine.Ask((0, 0), (7, 0), terms).Limit.Contains("cancelled"), "cancelled");
        }
        var nearest = engine.Nearest((0, 0), wells, 5);
        Check.That(nearest.Length == 2 && nearest[0].Place == 1 && nearest[1].Cost.Length == 7.0, "the nearest targets");
        var matrix = engine.Matrix(new Cell[] { (0, 0), (1, 0) }, wells);
        Check.That(matrix[0, 0].Length == 7.0 && matrix[1, 0].Length == 6.0 && double.IsInfinity(matrix[0, 2].Length), "a matrix");
    }

    private static void Batches()
    {
        var engine = new Engine(Grid.Parse("....@.\n....@@\n"));
        var starts = new Cell[] { (0, 0), (0, 0), (0, 0) };
        var goals = new Cell[] { (3, 1), (5, 0), (4, 0) };
        using (var routes = engine.FindMany(starts, goals))
        {
            Check.That(routes.Count == 3 && routes.Status(0) == Status.Ok && routes.Status(1) == Status.NoPath, "statuses");
            Check.That(routes.Status(2) == Status.Query && routes.Message(2).Contains("blocked") && routes.Message(0) == "", "messages");
            Check.That(routes.Cost(0).Value.Diagonal == 1 && routes.Cost(1) == null && !routes.IsNearest(0), "costs");
            Check.That(double.IsInfinity(routes.Lengths()[1]) && double.IsNaN(routes.Lengths()[2]), "lengths");
            Check.That(routes.Cells(0)[0] == (0, 0) && routes.Cells(1).Length == 0 && routes.Points(0).Length == 0, "cells");
            Check.Throws<QueryException>(() => routes.Cost(2), "blocked");
            Check.Throws<ArgumentOutOfRangeException>(() => routes.Cells(3), "query");
            new Engine(Grid.Open(8, 8), "taut-sight").FindManyInto(starts, goals, routes);
            Check.That(routes.Points(2).Length == 2 && routes.Cells(2).Length == 0, "points");
        }
        using (var limited = engine.FindMany(starts, goals, new Terms { MaxCost = 1.0 }))
        {
            Check.That(limited.Status(0) == Status.Limit, "the limit of a batch");
        }
        Check.Throws<ArgumentException>(() => engine.FindMany(starts, new Cell[1]), "as many goals");
    }

    private static void Fields()
    {
        var engine = new Engine(Grid.Parse(".....\n"));
        var field = engine.Field(new Cell[] { (4, 0) });
        Check.That(field.Length((0, 0)) == 4.0 && field.Cost((1, 0)).Value.Straight == 3 && field.Step((0, 0)) == (1, 0), "steps");
        Check.That(field.RouteFrom((0, 0)).Cells().Length == 5 && field.Lengths()[3] == 1.0 && field.Direction(new Point(0.5, 0.5)).Value.X > 0.0, "ways");
        field.SetGoals(new Cell[] { (0, 0) });
        field.Apply(new Edits().Block((2, 0)));
        Check.That(double.IsInfinity(field.Length((4, 0))) && field.Step((4, 0)) == null && field.RouteFrom((4, 0)) == null, "no ways");
        Check.That(double.IsInfinity(new Field(engine.Grid(), new Cell[] { (4, 0) }, 2.0).Length((0, 0))), "limits");
        var wagon = new Engine(Grid.Open(8, 8)).ForAgent("square:2");
        Check.That(wagon.Find((0, 0), (6, 6)) != null, "agents");
    }

    private sealed class Teller : IProgress<BuildProgress>
    {
        internal int Count;
        internal Exception Thrown;

        public void Report(BuildProgress progress)
        {
            Count++;
            if (Thrown != null) throw Thrown;
        }
    }

    private static readonly bool IsMono = Type.GetType("Mono.Runtime") != null;

    private static void Indexes(string folder)
    {
        var grid = Room();
        var teller = new Teller();
        var index = PlannerIndex.Build(grid, "hub-labels", new BuildOptions { Progress = teller });
        Check.That(teller.Count > 0 != IsMono && index.Kind == "hub-labels" && index.Size == index.ToArray().Length, "an index");
        index.Verify();
        index.Verify(grid);
        index.Save(folder + "/cs.octx");
        var copy = PlannerIndex.FromMemory(PlannerIndex.Open(folder + "/cs.octx").ToArray());
        Check.Throws<IndexException>(() => copy.Verify(Grid.Open(3, 3)), "");
        var engine = new Engine(grid, "hub-labels", new BuildOptions { Indexes = new[] { copy }, Budget = "brief" });
        Check.That(engine.Find((0, 1), (5, 1)).Length == 7.0 && engine.IndexBytes > 0, "an engine with it");
        engine.Apply(new Edits().Unblock((1, 1), (4, 1)));
        Check.That(engine.IsStale && engine.Find((0, 1), (5, 1)).Length == 5.0, "stale");
        engine.Renew();
        Check.That(!engine.IsStale, "renewed");
        engine.Apply(new Edits().Block((1, 1), (4, 1)));
        Check.That(engine.IsStale, "stale again");
        engine.KeepFresh(TimeSpan.FromMilliseconds(1));
        Check.Until(() => !engine.IsStale, "the engine renews its index");
        engine.KeepFresh(null);
        engine.Apply(new Edits().Block((0, 0)));
        Check.That(engine.IsStale, "the engine leaves its index alone");

        var hall = Grid.Open(64, 64);
        using (var source = new CancellationTokenSource())
        {
            source.Cancel();
            Check.Throws<OperationCanceledException>(() => new Engine(hall, "hub-labels", new BuildOptions { Cancel = source.Token }), "");
        }
        if (IsMono) return;
        teller.Thrown = new InvalidOperationException("enough");
        Check.Throws<InvalidOperationException>(() => PlannerIndex.Build(hall, "cpd", new BuildOptions { Progress = teller }), "enough");
    }

    private static void Errors(string folder)
    {
        var grid = Grid.Parse("..@.\n");
        var engine = new Engine(grid);
        Check.Throws<QueryException>(() => engine.Find((0, 0), (2, 0)), "goal 2,0 is blocked");
        Check.Throws<OctileException>(() => engine.Find((9, 0), (0, 0)), "start 9,0 is off the map");
        Check.Throws<SpecException>(() => new Engine(grid, "corner-sweeep"), "corner-sweep");
        Check.Throws<IndexException>(() => new Engine(grid, "cpd:index=no/such.octx"), "no/such.octx");
        Check.Throws<EditException>(() => engine.Apply(new Edits().Block((7, 7))), "off the map");
        Check.Throws<GridException>(() => Grid.Open(0, 5), "");
        Check.Throws<MapFileException>(() => Grid.Load(folder + "/bad.map"), "bad.map: line");
        Check.Throws<BadArgumentException>(() => grid.Clone().SetMovement("fly"), "movement");
        var priced = grid.Clone();
        priced.SetPrices(new byte[] { 1, 2, 3, 4 });
        Check.Throws<BuildException>(() => new Engine(priced, "jps"), "price");
        engine.Dispose();
        engine.Dispose();
        Check.Throws<ObjectDisposedException>(() => engine.Find((0, 0), (1, 0)), "");
    }

    private static void Threads()
    {
        var engine = new Engine(Grid.Open(32, 32));
        int failed = 0, asking = 0, edited = 0;
        var threads = Enumerable.Range(0, 3).Select(row => new Thread(() =>
        {
            Interlocked.Increment(ref asking);
            for (var i = 0; i < 200 || Volatile.Read(ref edited) < 50; i++)
            {
                using (var path = engine.Find((0, row), (31, i % 32)))
                {
                    if (path == null) Interlocked.Increment(ref failed);
                }
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        Check.Until(() => Volatile.Read(ref asking) == 3, "threads start");
        for (var i = 0; i < 50; i++)
        {
            using (var edits = new Edits())
            {
                engine.Apply(i % 2 == 0 ? edits.Block((16, 1), (16, 30)) : edits.Unblock((16, 1), (16, 30)));
                Interlocked.Increment(ref edited);
            }
        }
        threads.ForEach(thread => thread.Join());
        Check.That(failed == 0, "threads find paths");
    }

    private static void Catalog()
    {
        Check.That(Library.Version.Contains(".") && Library.Planners()["corner-sweep"] != "", "planners");
        var (spec, reasons) = Library.Advise(Room(), "changes=yes");
        Check.That(reasons.Length > 0 && new Engine(Room(), spec).Find((0, 0), (5, 2)) != null, "advice");
        Check.That(new Engine(Room(), "auto").Chosen != "" && new Engine(Room()).Chosen == "", "chosen");
    }

    private static int Main(string[] arguments)
    {
        Header.Compare(arguments[0]);
        Grids(arguments[1]);
        Paths();
        Questions();
        Batches();
        Fields();
        Indexes(arguments[1]);
        Errors(arguments[1]);
        Threads();
        Catalog();
        GC.Collect(); // what was not disposed of is freed by itself
        GC.WaitForPendingFinalizers();
        return 0;
    }
}
