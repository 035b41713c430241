// Package frame draws everything around a page: the status line with its badges, the tabs, the
// banners, the line with the viewer's position, and the keys in the last line. It also divides the
// area of a page among its panes, or into a grid of cards with large figures for a screen that is
// read from a distance.
//
// The board creates a [Frame], which holds the data to draw, for each screen. The only state of the
// package is [Lines], a cache of the drawn lines.
package frame
