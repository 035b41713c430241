// Package alert implements custom figures, alert rules and trends. It compiles
// expressions over the field names of the platform (document 2), evaluates them on
// snapshots, keeps samples of a shift and explains alerts.
//
// It uses no goroutine, no clock and no I/O. An [Engine] is not safe for concurrent
// use; its owner calls [Engine.Evaluate] with every new snapshot, and at least once a
// second with the latest one, because conditions also depend on time. Times are
// arguments on the server's clock, like [model.Snapshot.At].
//
// Unknown fields make dependent values unknown; a ratio with the denominator 0 is
// n/a. A condition is met, not met, unknown, or n/a. Unknown neither raises nor clears
// an alert but marks it as unverified; n/a clears it. "and" and "or" need only the
// operands that decide the result: "unknown and false" is false.
//
// # Expressions
//
// The grammar is a subset of github.com/expr-lang/expr: numbers, texts in quotes, the names of [Names]
// and of custom KPIs, true, false, + - * /, comparisons, "in" with a list of texts, and, or, not, a ? b : c.
// There are no loops and no variables, so every expression terminates. The functions are:
//
//	rate(counter, "15m")   growth per minute over the window
//	delta(name, "15m")     growth of a counter, or change of any other number
//	avg(x, "15m")          average of the samples; also max and min
//	max(x, y), min(x, y)   the larger, the smaller number
//	known(x)               whether the platform sent the inputs of x
//	customStats("KEY"), notReadyUsersOnActivityCode("CODE"),
//	activityCodeIndicators("CODE"), timeInActivityCode("CODE")
//
// Windows use samples: every 10 seconds for windows up to an hour, every minute for longer ones and
// for users. Counters that restart, at midnight or with the server, are continued, so their growth is
// never negative. A window needs data for at least half of its length; delta needs data at its
// start and end. Samples of eight hours take 3.4 kB per number of a record, 1.9 kB per number of a
// user; numbers that are always unknown take no space.
package alert
