// Package frame draws everything around a page: the status line with its badges, the
// tabs, the banners, the line with the viewer's position, and the keys in the last
// line. It also divides the screen inside: among the panes of a page, and into a grid of
// cards for a screen that is read from a distance, with as many and as large figures as
// possible.
//
// It draws from a [Frame], which the board makes for each frame. Its only state is the
// cache of the last lines.
package frame
