// Package floorhistory keeps the recent history of a floor: per minute, service and channel
// the contacts that arrived, were answered and abandoned, the lengths of talks and
// after-call work, and the states of agents; and which agents left, where to and when.
//
// It is pure and works on snapshots only. While the feed is not live, no time passes:
// such minutes are missing rather than empty.
package floorhistory
