// Package mosaic shows every agent of a floor at once: as a block with a name and the
// time where there is room for all of them, else as a glyph, in the colour of their state.
package mosaic
