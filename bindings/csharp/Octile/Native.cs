// The functions of octile.h, by their names there; its comments say what they do. A test compares them with the header.

using System;
using System.Runtime.InteropServices;

#pragma warning disable 1591 // what has no comment here has one in octile.h

namespace Octile
{
    /// <summary>The C interface as it is. Handles free themselves, texts are UTF-8 and end with 0.</summary>
    public static unsafe class Native
    {
        /// <summary>The library that is loaded: liboctile.so, liboctile.dylib or octile.dll.</summary>
        public const string Library = "octile";

        /// <summary>The version of the binary interface that this is written for.</summary>
        public const uint AbiVersion = 1;

        private const CallingConvention C = CallingConvention.Cdecl;

        static Native()
        {
            if (octile_abi_version() != AbiVersion)
            {
                throw new DllNotFoundException("liboctile is of another version: build it and this from one source");
            }
        }

        [UnmanagedFunctionPointer(C)]
        public delegate void octile_progress(IntPtr user, IntPtr stage, ulong done, ulong all);

        [StructLayout(LayoutKind.Sequential)]
        public struct octile_load_options
        {
            public UIntPtr size;
            public byte* movement;
            public byte* prices;
            public byte* convention;
            public byte* unknown;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct octile_terms
        {
            public UIntPtr size;
            public byte* nearest;
            public double max_cost;
            public ulong max_expanded;
            public double timeout;
            public IntPtr cancel;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct octile_reply
        {
            public Cell start;
            public Cell goal;
            public UIntPtr place;
            public byte is_nearest;
            public double away;
            public Cost cost;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct octile_build_options
        {
            public UIntPtr size;
            public IntPtr* indexes;
            public UIntPtr index_count;
            public byte* budget;
            public IntPtr cancel;
            public IntPtr progress;
            public IntPtr user;
        }

        [DllImport(Library, CallingConvention = C)]
        public static extern uint octile_abi_version();

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr octile_version();

        [DllImport(Library, CallingConvention = C)]
        public static extern IntPtr octile_error_message();

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_flag_new(out FlagHandle flag);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_flag_free(IntPtr flag);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_flag_set(FlagHandle flag, [MarshalAs(UnmanagedType.I1)] bool is_set);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_flag_is_set(FlagHandle flag);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_load(byte[] file, octile_load_options* options, out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_from_memory(byte* file, UIntPtr length, octile_load_options* options,
            out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_parse(byte[] drawing, out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_open(uint width, uint height, out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_from_blocked(uint width, uint height, byte* blocked, UIntPtr length,
            out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_from_free_bits(uint width, uint height, byte* free_bits, UIntPtr length,
            out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_clone(GridHandle grid, out GridHandle copy);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_grid_free(IntPtr grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_set_movement(GridHandle grid, byte[] movement);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_set_prices(GridHandle grid, byte* prices, UIntPtr length,
            byte[] convention);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_grid_apply(GridHandle grid, EditsHandle edits);

        [DllImport(Library, CallingConvention = C)]
        public static extern uint octile_grid_width(GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern uint octile_grid_height(GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern uint octile_grid_free_cells(GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_grid_is_free(GridHandle grid, Cell cell);

        [DllImport(Library, CallingConvention = C)]
        public static extern byte octile_grid_price(GridHandle grid, Cell cell);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_grid_connected(GridHandle grid, Cell a, Cell b);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_edits_new(out EditsHandle edits);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_edits_free(IntPtr edits);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_edits_block(EditsHandle edits, Cell a, Cell b);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_edits_unblock(EditsHandle edits, Cell a, Cell b);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_edits_price(EditsHandle edits, Cell a, Cell b, byte price);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_edits_patch(EditsHandle edits, Cell upper_left, uint width, uint height,
            byte* free_bits, UIntPtr length);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_edits_clear(EditsHandle edits);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr octile_edits_count(EditsHandle edits);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_cost_text(ref Cost cost, byte[] text, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_path_new(out PathHandle path);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_path_clone(PathHandle path, out PathHandle copy);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_path_free(IntPtr path);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_path_is_any_angle(PathHandle path);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_path_cost(PathHandle path, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_path_waypoints(PathHandle path, Cell* cells, UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_path_cells(PathHandle path, Cell* cells, UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_path_points(PathHandle path, Point* points, UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_build(GridHandle grid, byte[] kind, octile_build_options* options,
            out IndexHandle index);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_open(byte[] file, out IndexHandle index);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_from_memory(byte* file, UIntPtr length, out IndexHandle index);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_save(IndexHandle index, byte[] file);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_kind(IndexHandle index, byte[] text, UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr octile_index_size(IndexHandle index);

        [DllImport(Library, CallingConvention = C)]
        public static extern byte* octile_index_bytes(IndexHandle index);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_verify(IndexHandle index, GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_index_verify(IndexHandle index, IntPtr grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_index_free(IntPtr index);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_new(GridHandle grid, byte[] spec, out EngineHandle engine);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_build(GridHandle grid, byte[] spec, octile_build_options* options,
            out EngineHandle engine);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_for_agent(EngineHandle engine, byte[] agent, out EngineHandle sized);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_engine_free(IntPtr engine);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_engine_is_any_angle(EngineHandle engine);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_engine_connected(EngineHandle engine, Cell a, Cell b);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_chosen(EngineHandle engine, byte[] text, UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_apply(EngineHandle engine, EditsHandle edits);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_engine_is_stale(EngineHandle engine);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_renew(EngineHandle engine);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_keep_fresh(EngineHandle engine, double quiet);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_engine_still_valid(EngineHandle engine, PathHandle path);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr octile_engine_index_bytes(EngineHandle engine);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_grid(EngineHandle engine, out GridHandle grid);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find(EngineHandle engine, Cell start, Cell goal, Cell* cells,
            UIntPtr capacity, out UIntPtr count, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_cells(EngineHandle engine, Cell start, Cell goal, Cell* cells,
            UIntPtr capacity, out UIntPtr count, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_points(EngineHandle engine, Cell start, Cell goal, Point* points,
            UIntPtr capacity, out UIntPtr count, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_cost(EngineHandle engine, Cell start, Cell goal, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_path(EngineHandle engine, Cell start, Cell goal, PathHandle path);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_ask(EngineHandle engine, Cell start, Cell* goals, UIntPtr goal_count,
            octile_terms* terms, PathHandle path, out octile_reply reply);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_nearest(EngineHandle engine, Cell start, Cell* targets,
            UIntPtr target_count, UIntPtr* places, Cost* costs, UIntPtr capacity, out UIntPtr count);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_costs(EngineHandle engine, Cell* sources, UIntPtr source_count,
            Cell* targets, UIntPtr target_count, Cost* costs, UIntPtr capacity);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_routes_new(out RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_routes_free(IntPtr routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_find_many(EngineHandle engine, Cell* starts, Cell* goals, UIntPtr count,
            octile_terms* terms, RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr octile_routes_count(RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern double* octile_routes_lengths(RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_routes_status(RoutesHandle routes, UIntPtr query);

        [DllImport(Library, CallingConvention = C)]
        [return: MarshalAs(UnmanagedType.I1)]
        public static extern bool octile_routes_is_nearest(RoutesHandle routes, UIntPtr query);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_routes_cost(RoutesHandle routes, UIntPtr query, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern UIntPtr* octile_routes_offsets(RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern Cell* octile_routes_cells(RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern Point* octile_routes_points(RoutesHandle routes);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_new(GridHandle grid, Cell* goals, UIntPtr count, double max_cost,
            out FieldHandle field);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_engine_field(EngineHandle engine, Cell* goals, UIntPtr count,
            double max_cost, out FieldHandle field);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_field_free(IntPtr field);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_set_goals(FieldHandle field, Cell* goals, UIntPtr count);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_apply(FieldHandle field, EditsHandle edits);

        [DllImport(Library, CallingConvention = C)]
        public static extern double octile_field_length(FieldHandle field, Cell cell);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_cost(FieldHandle field, Cell cell, out Cost cost);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_step(FieldHandle field, Cell cell, out Cell next);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_direction(FieldHandle field, Point place, out Point direction);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_path(FieldHandle field, Cell start, PathHandle path);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_field_lengths(FieldHandle field, double* lengths, UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_planners(byte[] text, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = C)]
        public static extern Status octile_advise(GridHandle grid, byte[] needs, out IntPtr advice);

        [DllImport(Library, CallingConvention = C)]
        public static extern void octile_string_free(IntPtr @string);
    }
}
