// Package render turns the records of a snapshot into table rows and the lines of
// detail views.
//
// It starts no goroutines, reads no clock and keeps no state except caches keyed by the
// record they were made from; the current time is part of the [View] passed to every
// function. A source such as [Agents] belongs to the one goroutine that draws; its
// snapshot may be shared by any number of boards.
//
// Values that the platform never sent are drawn as "–", ratios without a denominator as
// "n/a", and 0 only if the value is known to be 0. A state is never shown by its color
// alone, but also by a glyph and a word.
package render
