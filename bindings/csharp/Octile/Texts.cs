// Texts, sizes and memory on the way to C and back.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Octile
{
    /// <summary>Texts of C.</summary>
    internal static class Texts
    {
        /// <summary>A function of C that writes a text into a buffer.</summary>
        internal delegate Status Fill(byte[] text, UIntPtr capacity, out UIntPtr length);

        /// <summary>A text for C; null stays null.</summary>
        internal static byte[] Of(string text) => text == null ? null : Encoding.UTF8.GetBytes(text + "\0");

        /// <summary>A text of C.</summary>
        internal static unsafe string From(IntPtr text)
        {
            var length = 0;
            while (((byte*)text)[length] != 0) length++;
            return Encoding.UTF8.GetString((byte*)text, length);
        }

        /// <summary>What a function of C writes.</summary>
        internal static string Filled(Fill fill)
        {
            OctileException.Check(fill(null, UIntPtr.Zero, out var length));
            var text = new byte[length.Int() + 1];
            OctileException.Check(fill(text, text.Length.Size(), out length));
            return Encoding.UTF8.GetString(text, 0, length.Int());
        }

        /// <summary>The lines of a text.</summary>
        internal static string[] Lines(string text) => text.TrimEnd('\n').Split('\n');
    }

    /// <summary>Sizes of C.</summary>
    internal static class Sizes
    {
        internal static UIntPtr Size(this int size) => (UIntPtr)(uint)size;

        internal static int Int(this UIntPtr size) => checked((int)(ulong)size);
    }

    /// <summary>Memory that stays where it is while C looks at it.</summary>
    internal sealed unsafe class Pins : IDisposable
    {
        private readonly List<GCHandle> pins = new List<GCHandle>();

        /// <summary>A text; null stays NULL.</summary>
        internal byte* Text(string text) => (byte*)Array(Texts.Of(text));

        /// <summary>An array; null stays NULL.</summary>
        internal void* Array(Array array)
        {
            if (array == null) return null;
            var pin = GCHandle.Alloc(array, GCHandleType.Pinned);
            pins.Add(pin);
            return (void*)pin.AddrOfPinnedObject();
        }

        public void Dispose()
        {
            foreach (var pin in pins) pin.Free();
            pins.Clear();
        }
    }
}
