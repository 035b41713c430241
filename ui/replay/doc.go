// Package replay replays a recording on a board. It controls the position and the speed, and
// computes the alerts of an instant from earlier snapshots. It also draws the time line with its
// marks, and parses the instants that viewers type.
//
// A [BoardArchive] provides the commands that concern the recording of a board's floor. They rewind
// the board, compare it with another moment, find similar moments, rate alert rules, test rules on
// a recorded day, read shifts and save an incident.
//
// A [Replay] belongs to the goroutine of the board. Commands read the recording and send their
// results as messages. Results for an earlier position are dropped. An [EvaluationQueue] is safe
// for concurrent use.
package replay
