// Package frame draws everything around a page: the status line with its badges, the tabs, the
// banners, the line with the viewer's position, and the keys on the last line. It also divides the
// area of a page among the panes of the page. For a screen that is read from a distance, it divides
// the area into a grid of cards with large figures.
//
// The board creates a [Frame], which holds the data to draw, for each frame of the screen. [Lines]
// and [DrawnScreen] keep drawn lines for the next frame, and [Notice] a message.
package frame
