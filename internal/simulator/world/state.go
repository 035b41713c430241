package world

// state is a user's state on a channel. stateOffline is not a state of document 2.
type state uint8

const (
	stateOffline state = iota
	stateReady
	stateNotReady
	stateBooked
	stateBusy
	stateNotReadyBusy
	stateWNR
	stateDNIn
	stateDNOut
	stateDNPrivate
	numStates = int(stateDNPrivate) + 1
)

// String returns document 2's name of the state, or "" for stateOffline.
func (s state) String() string {
	return [numStates]string{
		"", Ready, NotReady, Booked, Busy, NotReadyBusy, WNR,
		BusyDNCallIn, BusyDNCallOut, BusyDNCallOutPrivate,
	}[s]
}

// isBusy reports whether the time in this state counts as busy in the figures by activity code.
func (s state) isBusy() bool {
	switch s {
	case stateBusy, stateNotReadyBusy, stateDNIn, stateDNOut, stateDNPrivate:
		return true
	case stateOffline, stateReady, stateNotReady, stateBooked, stateWNR:
	}
	return false
}

// activity is an activity code. The codes are sorted by name.
type activity uint8

const (
	activityNone activity = iota
	activityBackOffice
	activityLunch
	activityMeeting
	activityPause
	activityTraining
	numActivities = int(activityTraining)
)

// activities returns all activity codes except activityNone.
func activities() [numActivities]activity {
	return [...]activity{activityBackOffice, activityLunch, activityMeeting, activityPause, activityTraining}
}

// String returns the code as it appears in messages.
func (c activity) String() string {
	return [numActivities + 1]string{EmptyMark, "BACKOFFICE", "LUNCH", "MEETING", "PAUSE", "TRAINING"}[c]
}

// channel is an index into the result of [Channels].
type channel uint8

const (
	channelCall channel = iota
	channelCustom1
	channelCustom2
	channelCustom3
	channelVideo
	channelChat
	channelMail
	channelLiveHelp
	channelOmniDesk
)

// String returns document 2's name of the channel.
func (c channel) String() string { return Channels()[c] }
