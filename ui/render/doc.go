// Package render turns the records of a snapshot into table rows and the lines of detail views.
//
// It starts no goroutines and reads no clock: the current time is part of the [View] that is passed
// to every function. Its only state is caches of values computed from records. A list of rows such
// as [Agents] belongs to the goroutine of one board. [SharedLists] shares rows between boards. Any
// number of boards may share a snapshot.
//
// Values that the platform has never sent are drawn as "–", and ratios without a denominator as
// "n/a". A 0 is drawn only if the value is known to be 0. A state is always shown by a glyph and a
// word, never by its color alone.
package render
