// Package control performs actions on the platform for a user, through the configuration
// REST service (document 1).
//
// # What a Desk does with every action
//
// It reads the target again before it acts. If the target is no longer what the user saw,
// the action is refused, with the current state. Only one action at a time is allowed per
// target; a second one is refused at once. The intent is written to the audit file before
// anything is sent, and the outcome afterwards; if the intent cannot be written, nothing is
// sent. Actions that are refused before the target is read, such as a second press or a
// missing permission, are not in the file.
//
// Every action ends as Confirmed, Rejected, NotSent or Unknown, never with a guess. For
// Unknown the desk queries the service and, where possible, the live feed for up to
// half a minute. If the outcome is still unknown, the report says so and what to
// check. An action that may have happened is never reported as failed.
//
// # Delivery
//
// A request is sent once. Two kinds are sent a second time if reading back shows that the
// first request had no effect, because they are idempotent: hanging up a call by its ID,
// and stopping the recording of a call. Starting and stopping a campaign is not repeated,
// because another user may have changed the campaign in the meantime.
//
// # Evidence from the live feed
//
// The live feed does not say who did something. If the service itself cannot tell, an
// outgoing call of the agent that began during the request counts as the requested call,
// and a campaign that had no channels before its start and has some afterwards counts as
// started.
//
// # Goroutines
//
// A [Desk] is safe for concurrent use and starts no goroutine. The owner runs
// [Status.Watch], which checks the service once a minute.
package control
