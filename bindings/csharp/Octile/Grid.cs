using System;
using System.Runtime.InteropServices;

namespace Octile
{
    /// <summary>How a map is loaded. What is null is left out.</summary>
    public sealed class LoadOptions
    {
        /// <summary>How one may move: "octile" (the default), "tile" or "octile-cutting".</summary>
        public string Movement { get; set; }
        /// <summary>What cells cost: the name of a price file, "costmap" or "occupancy".</summary>
        public string Prices { get; set; }
        /// <summary>How prices make the cost of a move: "average" (the default) or "enter".</summary>
        public string Convention { get; set; }
        /// <summary>What cells are that nobody knows: "blocked" (the default) or "free".</summary>
        public string Unknown { get; set; }

        internal unsafe Native.octile_load_options Pinned(Pins pins) => new Native.octile_load_options
        {
            size = sizeof(Native.octile_load_options).Size(),
            movement = pins.Text(Movement),
            prices = pins.Text(Prices),
            convention = pins.Text(Convention),
            unknown = pins.Text(Unknown),
        };
    }

    /// <summary>A map: which cells are free, how one may move, and what cells cost.</summary>
    public sealed unsafe class Grid : IDisposable
    {
        internal GridHandle Handle { get; }

        internal Grid(GridHandle handle) => Handle = handle;

        /// <summary>Loads a map from a file: .map, .txt, .png, .pgm, or a ROS .yaml.</summary>
        public static Grid Load(string file, LoadOptions options = null)
        {
            using (var pins = new Pins())
            {
                var native = (options ?? new LoadOptions()).Pinned(pins);
                return Made(Native.octile_grid_load(Texts.Of(file), &native, out var grid), grid);
            }
        }

        /// <summary>Reads a map from the bytes of a file.</summary>
        public static Grid FromMemory(ReadOnlySpan<byte> file, LoadOptions options = null)
        {
            using (var pins = new Pins())
            fixed (byte* bytes = &MemoryMarshal.GetReference(file))
            {
                var native = (options ?? new LoadOptions()).Pinned(pins);
                return Made(Native.octile_grid_from_memory(bytes, file.Length.Size(), &native, out var grid), grid);
            }
        }

        /// <summary>Makes a map from a drawing: "." is free, "@" blocked, a digit free at that price.</summary>
        public static Grid Parse(string drawing) => Made(Native.octile_grid_parse(Texts.Of(drawing), out var grid), grid);

        /// <summary>Makes a map of free cells.</summary>
        public static Grid Open(int width, int height) =>
            Made(Native.octile_grid_open((uint)width, (uint)height, out var grid), grid);

        /// <summary>Makes a map from a byte for each cell, row by row: everything but 0 is blocked.</summary>
        public static Grid FromBlocked(int width, int height, ReadOnlySpan<byte> blocked)
        {
            fixed (byte* bytes = &MemoryMarshal.GetReference(blocked))
            {
                return Made(Native.octile_grid_from_blocked((uint)width, (uint)height, bytes, blocked.Length.Size(),
                    out var grid), grid);
            }
        }

        /// <summary>Makes a map from a bit for each cell, the lowest of a byte first, without gaps: 1 is free.</summary>
        public static Grid FromFreeBits(int width, int height, ReadOnlySpan<byte> freeBits)
        {
            fixed (byte* bytes = &MemoryMarshal.GetReference(freeBits))
            {
                return Made(Native.octile_grid_from_free_bits((uint)width, (uint)height, bytes, freeBits.Length.Size(),
                    out var grid), grid);
            }
        }

        /// <summary>A second map that is like this one and changes apart from it.</summary>
        public Grid Clone() => Made(Native.octile_grid_clone(Handle, out var copy), copy);

        /// <summary>Changes how one may move. Engines that were made before keep their rule.</summary>
        public void SetMovement(string movement) =>
            OctileException.Check(Native.octile_grid_set_movement(Handle, Texts.Of(movement)));

        /// <summary>Gives all cells prices from 1 to 255, a byte for each; 0 blocks a cell.</summary>
        public void SetPrices(ReadOnlySpan<byte> prices, string convention = "average")
        {
            fixed (byte* bytes = &MemoryMarshal.GetReference(prices))
            {
                OctileException.Check(Native.octile_grid_set_prices(Handle, bytes, prices.Length.Size(),
                    Texts.Of(convention)));
            }
        }

        /// <summary>Makes all changes, or none. Engines that were made before are not changed.</summary>
        public void Apply(Edits edits) => OctileException.Check(Native.octile_grid_apply(Handle, edits.Handle));

        /// <summary>How many cells a row has.</summary>
        public int Width => (int)Native.octile_grid_width(Handle);
        /// <summary>How many rows there are.</summary>
        public int Height => (int)Native.octile_grid_height(Handle);
        /// <summary>How many cells are free.</summary>
        public long FreeCells => Native.octile_grid_free_cells(Handle);
        /// <summary>Whether a cell is free. Those off the map are not.</summary>
        public bool IsFree(Cell cell) => Native.octile_grid_is_free(Handle, cell);
        /// <summary>What a cell costs: 1 on a map without prices; 0 if it is blocked or off the map.</summary>
        public byte Price(Cell cell) => Native.octile_grid_price(Handle, cell);
        /// <summary>Whether a path leads from cell to cell between two cells, without a search.</summary>
        public bool Connected(Cell a, Cell b) => Native.octile_grid_connected(Handle, a, b);

        /// <summary>Frees it. Engines that were made for it do not need it.</summary>
        public void Dispose() => Handle.Dispose();

        internal static Grid Made(Status status, GridHandle handle)
        {
            OctileException.Check(status);
            return new Grid(handle);
        }
    }
}
