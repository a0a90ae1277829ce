"""Maps and problems by chance, like those of the benchmarks. Equal seeds give equal maps.

>>> octile.generate.rooms(11, 5, 4, seed=1)
Grid(11 x 5, 26 free)
@@@@@@@@@@@
@...@...@..
@...@...@..
@..........
@@@@@@@@@@@
"""

from octile._octile import caves, maze, random, regions, rooms, scenario

__all__ = ["caves", "maze", "random", "regions", "rooms", "scenario"]
