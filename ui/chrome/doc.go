// Package chrome draws what stands around a page: the status line with its
// badges, the tabs, the banners that must not be overlooked, the line that says
// where the viewer is, and the keys in the last line.
//
// It draws from a [Moment], which the board makes for each frame, and has no state
// but the lines that it drew last.
package chrome
