// Package timeline draws what agents did as strips of states: the last hour, and the shift so
// far with a strip for each hour. Shifts are read from a recording in the background, one
// after another; the time after the reading comes from the board's own data.
package timeline
