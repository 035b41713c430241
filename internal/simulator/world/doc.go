// Package world simulates the contact center behind the platform simulator: services, groups,
// agents, operators and campaigns during a working day, with a clock of its own.
//
// # Determinism
//
// A [World] is a discrete-event simulation with an agenda of timed events and a seeded random
// source. It does not read the machine's clock. The same [Options] and the same sequence of calls,
// including actions, give the same state on any machine. Days are 24 hours long; daylight saving
// time is not simulated.
//
// # Goroutines and delivery
//
// The package starts no goroutines, and a World is not safe for concurrent use (but see
// [LockedWorld]). Records that it returns are immutable and stay valid: a change creates a new
// record. [World.TakeChanges] returns each record that has changed since the previous call once. So
// the work of a step is proportional to the number of changes and not to the size of the world.
//
// # Invariants
//
// Between any two calls, for every service and channel:
//
//	receivedCalls == answeredCalls + hangupCalls + closedCalls + queuedCalls
//	currentCalls  == queuedCalls + connectedCall
//	outboundReceivedCalls == outboundAnsweredCalls + outboundHangupCalls
//	                         + outboundClosedCallsGenericCause + ringing calls
//	loggedUsers   == readyUsers + busyUsers + notReadyUsers + postCallUsers
//	busyOnDNCallUsers == sum of the three kinds of direct call
//
// A contact that rings at an agent is still queued. shortCalls (abandoned within five seconds) are
// part of hangupCalls, closedCallsCallBack are part of closedCalls. The same equations hold for
// groups, and the sums over all services and over all groups of a channel are equal. The contacts
// offered to an agent are those that they answered, those that they did not answer, and the one
// that rings. For campaigns:
//
//	totalContacts == triedContacts + toDoContacts
//	usedChannels  == ringingContacts + talkingContacts <= allocatedChannels
//	freeResources == availableResources - talkingContacts
//	okContacts + ringingContacts + talkingContacts <= triedContacts <= startedCalls
//
// A contact is tried from its first attempt, and ok after a successful conversation. The resources
// of a campaign are not agents of the floor. The allocated channels of a campaign are those of its
// settings or, while it does not run, those still in use.
//
// At midnight the counters of services, groups, agents and attendants start at zero; queued
// contacts count as received on the new day.
//
// # Actions
//
// The operations of document 1 change the same records as all other events:
//
//   - [Phones.Dial] works for an agent or operator who is ready, pauses, or does
//     after-contact work on the telephone. A user with a contact or call on any
//     channel cannot dial. The call rings for 2.5 to 7.5 seconds and lasts about a
//     minute, unless its number ends with one of the Number constants. Afterwards
//     the user continues their pause or is ready. A call for a service is part of
//     the service's outbound counters.
//   - [Phones.HangUp], [Phones.HangUpUser] and [Phones.HangUpExten] end a call as
//     if the other party had hung up: after-contact work follows a conversation,
//     and a call that still rings counts as not answered.
//   - [Phones.StartRecording] and [Phones.StopRecording] only change the result of
//     [Phones.Calls].
//   - Campaigns can be added, changed, started and stopped; the items of their
//     lists can be added, deleted and reset. Only [Dialer.StartCampaign] makes a
//     stopped campaign dial again.
//
// Extensions are profile ids. Some users cannot dial although they are logged in: those without the
// call channel, and every twelfth agent, whose telephone the platform does not control.
//
// An action schedules events and uses the random source like any event, so a world develops
// differently after an action.
//
// # History
//
// A world opens during a day that it has already simulated. [New] simulates the time from seven in
// the morning to [Options.Start]. If more than about 25,000 contacts would fall into that time, New
// simulates only its last part, so that a large world opens quickly. [Options.WholeDay] simulates
// all of it.
package world
