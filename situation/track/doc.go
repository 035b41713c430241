// Package track keeps what a floor did lately: of each service on each channel how
// many contacts came, were answered and gave up per minute, how long the talks and
// the work after them took, and where its agents were; and of the agents who went,
// where to and when.
//
// It is pure, and it sees pictures only. Where the feed is not live no time passes
// for it: minutes in which nobody looked are not there, rather than empty.
package track
