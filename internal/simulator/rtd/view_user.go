package rtd

import (
	"time"

	"wallboard/internal/simulator/world"
)

type userView struct {
	Mutation                *string
	Username, Surname, Name *string
	ActiveProfile           *intScalar
	ActivityCodes           *channelMapView
	Services, Skillsets     *[]string
	Site                    *intScalar
	Statuses                *channelMapView
}

// Values of document 2's enum MutationType.
const (
	mutationCreated = "CREATED"
	mutationUpdated = "UPDATED"
	mutationDeleted = "DELETED"
)

func newUserView(d *viewBuilder, old, cur *world.User) userView {
	mutation := mutationUpdated
	if d.isFull {
		mutation = mutationCreated
	}
	return userView{
		Mutation:      &mutation,
		Username:      keyField(d, &cur.Username),
		Surname:       d.changedText(&old.Surname, &cur.Surname),
		Name:          d.changedText(&old.Name, &cur.Name),
		ActiveProfile: d.changedNumber(&old.ActiveProfile, &cur.ActiveProfile),
		ActivityCodes: nestedView(d, &old.ActivityCodes, &cur.ActivityCodes, newChannelMapView),
		Services:      d.changedTexts(&old.Services, &cur.Services),
		Skillsets:     d.changedTexts(&old.Skillsets, &cur.Skillsets),
		Site:          d.changedNumber(&old.Site, &cur.Site),
		Statuses:      nestedView(d, &old.Statuses, &cur.Statuses, newChannelMapView),
	}
}

// newRemovedUserView returns the view that reports a removed user. It contains only the
// username and the mutation.
func newRemovedUserView(u *world.User) *userView {
	mutation := mutationDeleted
	return &userView{Mutation: &mutation, Username: &u.Username}
}

// channelMapView holds a string for each channel: an activity code or a status.
type channelMapView struct {
	Call, Custom1, Custom2, Custom3, Video, Chat, MailACD, LiveHelp, OmniDesk *string
}

// newChannelMapView returns the view of cur, which holds a string for each channel. A string
// is null for channels on which the user does not work.
func newChannelMapView(d *viewBuilder, old, cur *[world.NumChannels]string) channelMapView {
	forChannel := func(i int) *string { return d.changedOptionalText(&old[i], &cur[i]) }
	return channelMapView{
		Call: forChannel(0), Custom1: forChannel(1), Custom2: forChannel(2), Custom3: forChannel(3), Video: forChannel(4),
		Chat: forChannel(5), MailACD: forChannel(6), LiveHelp: forChannel(7), OmniDesk: forChannel(8),
	}
}

type userStatView struct {
	Username      string
	Name, Surname *string
	figuresView
}

// ToUserCallStat returns the record if it is on the call channel. It is used only if records
// on calls have a type of their own.
func (v *userStatView) ToUserCallStat() (*userStatView, bool) { return v, v.Channel == world.Call }

// ToUserChannelStat returns the record if it is not on the call channel.
func (v *userStatView) ToUserChannelStat() (*userStatView, bool) { return v, v.Channel != world.Call }

// Member returns the name of the record's type, and the view.
func (v *userStatView) Member() (name string, view any) {
	if v.Channel == world.Call {
		return "UserCallStat", v
	}
	return "UserChannelStat", v
}

func newUserStatView(d *viewBuilder, old, cur *world.UserStat) userStatView {
	return userStatView{
		Username:    cur.Username,
		Name:        d.changedText(&old.Name, &cur.Name),
		Surname:     d.changedText(&old.Surname, &cur.Surname),
		figuresView: newFiguresView(d, &old.Figures, &cur.Figures),
	}
}

type profileStatView struct {
	ID intScalar
	figuresView
	TimeInHold *holdView
}

// ToUserProfileCallStat returns the record if it is on the call channel. It is used only if
// records on calls have a type of their own.
func (v *profileStatView) ToUserProfileCallStat() (*profileStatView, bool) {
	return v, v.Channel == world.Call
}

// ToUserProfileChannelStat returns the record if it is not on the call channel.
func (v *profileStatView) ToUserProfileChannelStat() (*profileStatView, bool) {
	return v, v.Channel != world.Call
}

// Member returns the name of the record's type, and the view.
func (v *profileStatView) Member() (name string, view any) {
	if v.Channel == world.Call {
		return "UserProfileCallStat", v
	}
	return "UserProfileChannelStat", v
}

type holdView struct {
	Time        *intScalar
	TimeInState *dateScalar
}

func newProfileStatView(d *viewBuilder, old, cur *world.UserProfileStat) profileStatView {
	return profileStatView{
		ID:          intScalar(cur.ID),
		figuresView: newFiguresView(d, &old.Figures, &cur.Figures),
		TimeInHold: nestedView(d, &old.TimeInHold, &cur.TimeInHold, func(d *viewBuilder, old, cur *world.TimeInHold) holdView {
			return holdView{
				Time:        d.changedDuration(&old.Time, &cur.Time),
				TimeInState: d.changedHoldInstant(old, cur),
			}
		}),
	}
}

// changedHoldInstant returns the time at which the last hold started or ended, or nil if it
// has not changed. If the agent has not held a call yet, it returns a zero instant, or the
// time of the login if the switches select that.
func (d *viewBuilder) changedHoldInstant(old, cur *world.TimeInHold) *dateScalar {
	at := pickChanged(d, &old.TimeInState, &cur.TimeInState)
	if d.nullNeverHeld && cur.Never && at != nil {
		at = new(time.Time)
	}
	return (*dateScalar)(at)
}

// figuresView holds the common fields of UserStat, UserProfileStat and UserProfileCallStat.
type figuresView struct {
	UserSite                                                              *intScalar
	LoggedProfileID                                                       intScalar
	Channel                                                               string
	ActivityCode, ActivityCode2, CurrentGroup, CurrentService             *string
	NumberCallFromService, NumberCallFromServiceAnswered                  *intScalar
	NumberCallFromServiceNotAnswered, NumberCallIn                        *intScalar
	NumberCallServiceOverSpeedAnswer, NumberCallOut, NumberCallOutPrivate *intScalar
	Status                                                                *string
	TimeInActivityCode                                                    *[]timeInCodeView
	TimeInActivityCodeStateBusy, TimeInActivityCodeStateNotReady          *[]timeInCodeView
	TimeInState                                                           *dateScalar
	TimeInStateBooked, TimeInStateBusy, TimeInStateBusyOnService          *intScalar
	TimeInStateNotReady, TimeInStateReady, TimeInStateWNR                 *intScalar
	TimeInStateBusyDNCallIn, TimeInStateBusyDNCallOut                     *intScalar
	TimeInStateBusyDNCallOutPrivate                                       *intScalar
}

func newFiguresView(d *viewBuilder, old, cur *world.Figures) figuresView {
	v := figuresView{
		UserSite:                         d.changedNumber(&old.UserSite, &cur.UserSite),
		LoggedProfileID:                  intScalar(cur.LoggedProfileID),
		Channel:                          cur.Channel,
		ActivityCode:                     d.changedText(&old.ActivityCode, &cur.ActivityCode),
		ActivityCode2:                    d.changedText(&old.ActivityCode2, &cur.ActivityCode2),
		CurrentGroup:                     d.changedText(&old.CurrentGroup, &cur.CurrentGroup),
		CurrentService:                   d.changedText(&old.CurrentService, &cur.CurrentService),
		NumberCallFromService:            d.changedNumber(&old.NumberCallFromService, &cur.NumberCallFromService),
		NumberCallFromServiceAnswered:    d.changedNumber(&old.NumberCallFromServiceAnswered, &cur.NumberCallFromServiceAnswered),
		NumberCallFromServiceNotAnswered: d.changedNumber(&old.NumberCallFromServiceNotAnswered, &cur.NumberCallFromServiceNotAnswered),
		NumberCallIn:                     d.changedNumber(&old.NumberCallIn, &cur.NumberCallIn),
		NumberCallServiceOverSpeedAnswer: d.changedNumber(&old.NumberCallServiceOverSpeedAnswer, &cur.NumberCallServiceOverSpeedAnswer),
		Status:                           d.changedText(&old.Status, &cur.Status),
		TimeInActivityCode:               d.changedTimesInCode(old.TimeInActivityCode, cur.TimeInActivityCode),
		TimeInActivityCodeStateBusy:      d.changedTimesInCode(old.TimeInActivityCodeStateBusy, cur.TimeInActivityCodeStateBusy),
		TimeInActivityCodeStateNotReady:  d.changedTimesInCode(old.TimeInActivityCodeStateNotReady, cur.TimeInActivityCodeStateNotReady),
		TimeInState:                      (*dateScalar)(pickChanged(d, &old.TimeInState, &cur.TimeInState)),
		TimeInStateBooked:                d.changedNumber(&old.TimeInStateBooked, &cur.TimeInStateBooked),
		TimeInStateBusy:                  d.changedNumber(&old.TimeInStateBusy, &cur.TimeInStateBusy),
		TimeInStateBusyOnService:         d.changedNumber(&old.TimeInStateBusyOnService, &cur.TimeInStateBusyOnService),
		TimeInStateNotReady:              d.changedNumber(&old.TimeInStateNotReady, &cur.TimeInStateNotReady),
		TimeInStateReady:                 d.changedNumber(&old.TimeInStateReady, &cur.TimeInStateReady),
		TimeInStateWNR:                   d.changedNumber(&old.TimeInStateWNR, &cur.TimeInStateWNR),
	}
	_ = d.changedNumber(&old.LoggedProfileID, &cur.LoggedProfileID) // the field is always sent, but its change alone must also cause an update
	if cur.Channel == world.Call {
		v.addCallFigures(d, old, cur)
	}
	return v
}

// addCallFigures sets the fields that document 2 defines only for the call channel. On other
// channels they stay null.
func (v *figuresView) addCallFigures(d *viewBuilder, old, cur *world.Figures) {
	v.NumberCallOut = d.changedNumber(&old.NumberCallOut, &cur.NumberCallOut)
	v.NumberCallOutPrivate = d.changedNumber(&old.NumberCallOutPrivate, &cur.NumberCallOutPrivate)
	v.TimeInStateBusyDNCallIn = d.changedNumber(&old.TimeInStateBusyDNCallIn, &cur.TimeInStateBusyDNCallIn)
	v.TimeInStateBusyDNCallOut = d.changedNumber(&old.TimeInStateBusyDNCallOut, &cur.TimeInStateBusyDNCallOut)
	v.TimeInStateBusyDNCallOutPrivate = d.changedNumber(&old.TimeInStateBusyDNCallOutPrivate, &cur.TimeInStateBusyDNCallOutPrivate)
}

type timeInCodeView struct {
	ActivityCode string
	TotalTime    *intScalar
}

func (d *viewBuilder) changedTimesInCode(old, cur []world.TimeInActivityCode) *[]timeInCodeView {
	equal := func(a, b world.TimeInActivityCode) bool { return a == b }
	return keyedView(d, old, cur, equal, func(e world.TimeInActivityCode) timeInCodeView {
		return timeInCodeView{e.ActivityCode, d.toUnit((*intScalar)(&e.TotalTime))}
	})
}

type operatorView struct {
	Username, Name, Surname              *string
	UserSite, LoggedProfileID            *intScalar
	Channel, ActivityCode, ActivityCode2 *string
}

func newOperatorView(d *viewBuilder, old, cur *world.OperatorStat) operatorView {
	return operatorView{
		Username:        keyField(d, &cur.Username),
		Name:            d.changedText(&old.Name, &cur.Name),
		Surname:         d.changedText(&old.Surname, &cur.Surname),
		UserSite:        d.changedNumber(&old.UserSite, &cur.UserSite),
		LoggedProfileID: d.changedNumber(&old.LoggedProfileID, &cur.LoggedProfileID),
		Channel:         keyField(d, &cur.Channel),
		ActivityCode:    d.changedText(&old.ActivityCode, &cur.ActivityCode),
		ActivityCode2:   d.changedText(&old.ActivityCode2, &cur.ActivityCode2),
	}
}
