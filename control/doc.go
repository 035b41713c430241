// Package control takes actions on the platform for a supervisor, safely: it
// is what stands between a key press and the configuration REST service
// (document 1).
//
// # What a Desk does with every action
//
// It looks before it acts: the target is read anew, and an action that was
// meant for something that is no longer there is refused with what is there
// now. One action at a time per target; a second press is refused at once.
// The intent is in the audit file before anything is sent, and the outcome
// after; an action whose intent cannot be written is not sent. What is refused
// before the target was looked at, a second press or a missing permission, is
// not in the file.
//
// Every action ends as Confirmed, Rejected, NotSent or Unknown, never as a
// guess. Unknown is looked into, by reading back from the service and, where
// it can tell, from the live picture, for a quarter of a minute. What is still
// unknown then is reported so, with what to check: nothing that may have
// happened is ever called failed.
//
// # Delivery
//
// An action is sent once. Two are sent once more, after a look has shown that
// the first request did nothing so far, because doing them twice is the same
// as doing them once: hanging up a call by its id, and ending the recording of
// a call. Starting and stopping a campaign is not among them: between the look
// and the second request somebody else may have changed their mind.
//
// # Evidence from the live picture
//
// The live display does not say who did something. An outgoing call of the
// agent that began when the request was under way counts as the call that was
// asked for when the service itself cannot tell; a campaign that stood still
// before its start and has channels afterwards counts as started.
//
// # Goroutines
//
// A [Desk] is safe for concurrent use and starts no goroutine. [Standing.Watch],
// which its owner starts, looks after the service once a minute.
package control
