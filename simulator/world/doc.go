// Package world is the contact center behind the platform simulator: services,
// groups, agents, operators and campaigns that live a working day on a clock of
// their own.
//
// # Determinism
//
// A [World] is a discrete-event simulation: an agenda of timed events, one
// seeded random source, and no look at the machine's clock. The same [Options]
// and the same sequence of calls, actions included, give the same state,
// whatever the machine.
// Days are 24 hours long; daylight saving is not simulated.
//
// # Goroutines and delivery
//
// The package starts no goroutine and a World is not safe for concurrent use.
// Records that it hands out are immutable and stay valid for ever: a change
// makes a new record. [World.Changed] lists every record that changed since
// the call before, each once, so the work of a step is proportional to what
// happened in it, not to the size of the world.
//
// # What always holds
//
// Between any two calls, for every service and channel:
//
//	receivedCalls == answeredCalls + hangupCalls + closedCalls + queuedCalls
//	currentCalls  == queuedCalls + connectedCall
//	outboundReceivedCalls == outboundAnsweredCalls + outboundHangupCalls
//	                         + outboundClosedCallsGenericCause + calls that ring
//	loggedUsers   == readyUsers + busyUsers + notReadyUsers + postCallUsers
//	busyOnDNCallUsers == the three kinds of call on the directory number
//
// A contact that rings at an agent is still queued. shortCalls (given up in less
// than five seconds) are hangups, closedCallsCallBack are closed calls. A
// group's figures are the same equation, and over all services and all groups
// the figures of a channel are equal. An agent was offered what they answered,
// what they did not, and what rings now. A campaign has
//
//	totalContacts == triedContacts + toDoContacts
//	usedChannels  == ringingContacts + talkingContacts <= allocatedChannels
//	freeResources == availableResources - talkingContacts
//	okContacts + ringingContacts + talkingContacts <= triedContacts <= startedCalls
//
// where a contact counts as tried from its first attempt on, and as ok once a
// conversation ended well. A campaign's resources are its own and not agents of
// the floor. The channels allocated to a campaign are those of its settings or,
// while it does not run, those still in use.
//
// At midnight the counters of services, groups, agents and attendants start
// again; contacts in the queue are carried over as received.
//
// # Actions
//
// What the configuration service of document 1 does to the floor goes through
// the same records as everything else:
//
//   - [Phones.Dial] takes an agent or operator who is ready, pauses, or does the
//     work after a telephone contact. Who has a contact or a call, whatever the
//     channel, cannot dial. The call rings for 2.5 to 7.5 seconds and lasts
//     about a minute, unless its number ends like one of the Number constants;
//     then the user goes on with their pause, or is ready. A call for a service
//     counts in the service's outbound figures.
//   - [Phones.HangUp], [Phones.HangUpUser] and [Phones.HangUpExten] end a call as
//     the other side would: a conversation with a customer is followed by the
//     work after it, and a customer who still rings was not answered.
//   - [Phones.StartRecording] and [Phones.StopRecording] show in [Phones.Calls]
//     only.
//   - Campaigns can be set up, changed, started and stopped, their lists
//     filled, emptied and tried once more. Nothing but [Dialer.StartCampaign]
//     makes a stopped campaign dial again.
//
// Extensions are profile ids. A few users cannot dial though they are logged
// in: those without the call channel, and every twelfth agent, whose telephone
// the platform does not control.
//
// An action plans its consequences on the agenda and throws the dice like any
// event does, so a world acted on goes another way than one left alone.
//
// # History
//
// A world opens in the middle of a day that it has lived: [New] simulates from
// seven in the morning to Options.Start, or as much of that as about 25,000
// contacts fill, so that a large world opens quickly on a shorter history.
package world
