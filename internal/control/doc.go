// Package control performs actions on the platform for a user, through the configuration REST
// service (document 1).
//
// # What an ActionClient does with every action
//
// The client reads the target again before it acts. If the target is no longer what the user saw, the
// client refuses the action and reports the current state. Only one action at a time is allowed per
// target, and a second one is refused at once. The client writes the intent to the audit file before
// anything is sent, and the outcome afterwards. If it cannot write the intent, it sends nothing.
// Actions that are refused before the target is read are not in the file, for example after a
// second key press or without a permission.
//
// Every action ends as Confirmed, Rejected, NotSent or Unknown, never with a guess. If the outcome
// is unknown, the client queries the service and, where possible, the live feed for up to half a
// minute. If the outcome is still unknown then, the report says so and tells the user what to
// check. An action that may have happened is never reported as failed.
//
// # Delivery
//
// A request is sent once. Two kinds of requests are sent a second time if reading back shows that
// the first one had no effect, because they are idempotent: hanging up a call by its ID, and
// stopping the recording of a call. Starting and stopping a campaign is not repeated, because
// another user may have changed the campaign in the meantime.
//
// # Evidence from the live feed
//
// The live feed does not show who acted. It is used if the service itself cannot tell the outcome.
// An outgoing call of the agent that began during the request then counts as the requested call. A
// campaign counts as started if it had no channels before the request and has some afterwards.
//
// # Goroutines
//
// An [ActionClient] is safe for concurrent use and starts no goroutine. The owner of the client runs
// [Status.Watch], which checks the service once a minute.
package control
