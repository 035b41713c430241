// Package notify delivers alerts and reports to recipients outside the board. A target is a
// command, a webhook, mail recipients or telephone numbers.
//
// # Goroutines
//
// [Notifier.Run] uses one goroutine per target until its context ends, so a slow target does
// not delay others. [Notifier.Notify] does not block. If a target cannot keep up, messages are
// dropped, and the next message contains their number.
//
// # Delivery
//
// A target gets a message when an alert begins, becomes critical or ends, unless its configuration
// leaves out the event. A message that cannot be sent now, because of the rate, quiet hours or a
// failure, is held back. If an alert ends before its first message was sent, the message is
// dropped. Other messages that were held back are combined into one ("and 7 more").
//
// A failed delivery is repeated with growing pauses, up to five attempts altogether, unless the
// message may have arrived ([ErrDeliveryUnknown]). Messages that are held back are lost on a restart, but a
// new process sends the current alerts once. A [DeliveryStore] keeps the rates across restarts.
//
// A [DocumentSender] sends a report once, on request, and returns the result for each target.
package notify
