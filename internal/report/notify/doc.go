// Package notify delivers alerts to recipients outside the board: by a command, a webhook,
// mail or SMS for each configured target.
//
// # Goroutines
//
// [Notifier.Run] uses one goroutine per target until its context ends, so that a slow
// target does not delay others. [Notifier.Notify] never blocks: messages that a target cannot
// keep up with are counted and mentioned in the next one.
//
// # Delivery
//
// A target gets one message when an alert begins or becomes critical and, if configured,
// one when it ends. Messages that cannot be sent now, because of the rate, quiet hours or a
// failure, are held back. Alerts that end before their first message are dropped, and the
// rest is combined into one message ("and 7 more"). A failed delivery is repeated with
// growing pauses, five attempts in all, unless it may have arrived ([ErrUnknown]). Pending
// messages are not kept across a restart: a new process sends the current alerts once. A
// [Ledger] keeps the rates.
package notify
