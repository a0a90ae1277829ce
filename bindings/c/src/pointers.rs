//! What pointers of C point to: texts, arrays, buffers and outputs.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::slice;
use std::str::FromStr;

use crate::border::{Fault, Outcome, octile_status};

/// What a pointer points to that must not be NULL.
#[inline]
pub(crate) fn given<T>(pointer: Option<T>, what: &str) -> Outcome<T> {
    pointer.ok_or_else(|| Fault::null(what))
}

/// A handle for C.
pub(crate) fn handle<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// A text that may be left out.
///
/// # Safety
/// It is NULL, or ends with NUL, and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Outcome<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: it is a text that ends with NUL, as the caller promises.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some).map_err(|_| Fault::argument(&format_args!("{what} is not UTF-8")))
}

/// Something by its name, if that is given.
///
/// # Safety
/// As of [`text`].
pub(crate) unsafe fn named<T: FromStr>(pointer: *const c_char, what: &str) -> Outcome<Option<T>>
where
    T::Err: std::fmt::Display,
{
    // SAFETY: the same is asked of the caller.
    let name = unsafe { text(pointer, what) }?;
    name.map(str::parse).transpose().map_err(|error| Fault::argument(&format_args!("{what}: {error}")))
}

/// An array of bytes, as long as it must be.
///
/// # Safety
/// It is NULL, or has `length` bytes that stay as they are for `'a`.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize, what: &str) -> Outcome<&'a [u8]> {
    if pointer.is_null() {
        return Err(Fault::null(what));
    }
    // SAFETY: the same is asked of the caller.
    unsafe { array(pointer, length, what) }
}

/// An array of anything, which may be NULL if it is empty.
///
/// # Safety
/// It is NULL, or has `count` items that stay as they are for `'a`.
pub(crate) unsafe fn array<'a, T>(pointer: *const T, count: usize, what: &str) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Fault::null(what));
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Fault::argument(&format_args!("{what}: {count} items are more than there can be")));
    }
    // SAFETY: there are so many items, as the caller promises, and no more than a slice can have.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Room for as many items as there must be, none of which is read.
///
/// # Safety
/// It is NULL, or has room for `capacity` items for `'a`.
pub(crate) unsafe fn space<'a, T>(pointer: *mut T, capacity: usize, what: &str) -> Outcome<&'a mut [MaybeUninit<T>]> {
    if capacity == 0 {
        return Ok(&mut []);
    }
    if pointer.is_null() {
        return Err(Fault::null(what));
    }
    if capacity > isize::MAX as usize / size_of::<T>() {
        return Err(Fault::argument(&format_args!("{what}: {capacity} items are more than there can be")));
    }
    // SAFETY: there is room for so many, as the caller promises, and for no more than a slice can have.
    Ok(unsafe { slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<T>>(), capacity) })
}

/// Options that begin with their size, and may be left out. This version of each is its first, so that it has one size.
///
/// # Safety
/// `options` is NULL, or points to as many bytes as its size says.
pub(crate) unsafe fn sized<T: Copy>(options: *const T, begin_with: &str) -> Outcome<Option<T>> {
    if options.is_null() {
        return Ok(None);
    }
    // SAFETY: it begins with its size.
    let size = unsafe { options.cast::<usize>().read() };
    let known = size_of::<T>();
    if size < known {
        return Err(Fault::argument(&format_args!(
            "the size of the options is {size}, and {known} is expected: begin with {begin_with}"
        )));
    }
    if size > known {
        return Err(Fault::argument(&format_args!(
            "the size of the options is {size}, and this library knows {known}: it is older than the header"
        )));
    }
    // SAFETY: it has the size that was checked.
    Ok(Some(unsafe { options.read() }))
}

/// Fills a buffer of C, or says how large it has to be.
///
/// # Safety
/// `buffer` is NULL, or has room for `capacity` items.
#[inline]
pub(crate) unsafe fn fill<T>(
    items: impl ExactSizeIterator<Item = T>,
    buffer: *mut T,
    capacity: usize,
    count: &mut MaybeUninit<usize>,
) -> Outcome {
    let needed = items.len();
    // SAFETY: the same is asked of the caller.
    if let Some(room) = unsafe { room(buffer, needed, capacity, (needed, count)) }? {
        let mut places = room.iter_mut();
        // The items' own loop: cells of a path are soon counted out leg by leg.
        items.for_each(|item| _ = places.next().map(|place| place.write(item)));
    }
    Ok(())
}

/// Fills a buffer of C with a text and the NUL that ends it.
///
/// # Safety
/// `buffer` is NULL, or has room for `capacity` bytes.
pub(crate) unsafe fn fill_text(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: &mut MaybeUninit<usize>,
) -> Outcome {
    let text = crate::border::without_nul(text);
    let bytes = text.as_bytes_with_nul();
    // SAFETY: the same is asked of the caller.
    if let Some(room) = unsafe { room(buffer.cast::<u8>(), bytes.len(), capacity, (bytes.len() - 1, length)) }? {
        room.iter_mut().zip(bytes).for_each(|(place, &byte)| _ = place.write(byte));
    }
    Ok(())
}

/// The part of a buffer that is to be filled; `None` if only its size is asked for. That is written to `count`, also if
/// the buffer is too small.
///
/// # Safety
/// `buffer` is NULL, or has room for `capacity` items for `'a`.
#[inline]
unsafe fn room<'a, T>(
    buffer: *mut T,
    needed: usize,
    capacity: usize,
    (told, count): (usize, &mut MaybeUninit<usize>),
) -> Outcome<Option<&'a mut [MaybeUninit<T>]>> {
    if capacity == 0 {
        count.write(told);
        return Ok(None);
    }
    if buffer.is_null() {
        return Err(Fault::null("the buffer"));
    }
    count.write(told);
    if needed > capacity {
        let message = format_args!("the buffer is too small: it has room for {capacity}, and {needed} are needed");
        return Err(Fault::new(octile_status::OCTILE_SMALL_BUFFER, &message));
    }
    // SAFETY: there is room for `capacity`, as the caller promises, and no more is taken. Nothing of it is read.
    Ok(Some(unsafe { slice::from_raw_parts_mut(buffer.cast::<MaybeUninit<T>>(), needed) }))
}
