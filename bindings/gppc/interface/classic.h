// What an entry of the classic track of the grid path planning competition has: four C++ functions.
//
// Moves go to the eight neighbours, straight ones cost 1 and diagonal ones sqrt(2); a diagonal needs both cells beside
// it free. Maps go row by row: bits[y * width + x] is true where the cell x, y is free.

#ifndef GPPC_CLASSIC_H
#define GPPC_CLASSIC_H

#include <cstdint>
#include <string>
#include <vector>

namespace GPPC {

struct xyLoc {
    std::uint16_t x;
    std::uint16_t y;
};

} // namespace GPPC

// Called once for a map, in a process of its own: all that a search is to know of it goes into the file.
void PreprocessMap(const std::vector<bool> &bits, int width, int height, const std::string &filename);

// Called once in a process that searches. What it returns is the first argument of GetPath.
void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &filename);

// Adds points to the path, of which neighbours lie on one straight or diagonal line; the first is the start, the last
// the goal. True says that the path is complete, and with an empty path that there is none. False asks to be called
// once more, with the last point as the start.
bool GetPath(void *data, GPPC::xyLoc s, GPPC::xyLoc g, std::vector<GPPC::xyLoc> &path);

std::string GetName();

#endif
