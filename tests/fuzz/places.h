/* places.h - how many places of the library are told apart: as many as its code has bytes, or more.
 */
#ifndef PLACES_H
#define PLACES_H

enum { PLACES = 1 << 18 };

#endif
