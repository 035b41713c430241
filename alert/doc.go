// Package alert is the engine behind figures of one's own, thresholds, alerts
// and trends: it compiles expressions over the platform's field names
// (document 2), evaluates them over snapshots, keeps samples of the shift and
// says why something is red.
//
// It is pure: no goroutine, no clock, no I/O. An [Engine] belongs to one
// goroutine, which calls [Engine.Evaluate] with every new snapshot and, because
// time passes without snapshots too, at least once a second with the newest one.
// Time is an argument, on the server's clock like [model.Snapshot.At].
//
// Nothing is made up. An unknown field makes what is computed from it unknown,
// a ratio whose denominator is 0 is n/a. A condition is met, not met, unknown,
// or without meaning (n/a): unknown neither raises nor clears an alert, which
// is marked as unverified instead; without meaning clears it. "and" and "or"
// need no more than what decides them: unknown and false is false.
//
// # Expressions
//
// The grammar is that of github.com/expr-lang/expr, of which only what ends is
// taken: numbers, texts in quotes, the names of [Names], + - * /,
// comparisons, "in" with a list of texts, and, or, not, a ? b : c. There are no
// loops, no variables and no calls but these:
//
//	rate(counter, "15m")   growth per minute over the window
//	delta(name, "15m")     growth of a counter, or change of any other number
//	avg(x, "15m")          average of the samples, and max, min
//	max(x, y), min(x, y)   the larger, the smaller number
//	known(x)               whether the platform sent what x is made of
//	customStats("KEY"), notReadyUsersOnActivityCode("CODE"),
//	activityCodeIndicators("CODE"), timeInActivityCode("CODE")
//
// Windows read samples: every 10 seconds for windows up to an hour, every
// minute for longer ones and for users. Counters that start again, at midnight
// or with the server, are counted on, so that no window is negative. A window
// needs data for half of it at least, delta for its beginning and its end.
// Samples of eight hours take 3.4 kB for each number of a record, 1.9 kB for
// those of users; a number that is never known takes nothing.
package alert
