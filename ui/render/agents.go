package render

import (
	"slices"
	"sync"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Agents holds the rows of the agents on one channel. If the scope names a service or a group, only
// agents who are assigned to it have a row. The keys are user names.
//
// A user without figures also has a row if the user's state on the channel is known, so that agents
// do not disappear when a subscription is refused. Operators have no agent figures and are listed
// in [Operators] instead.
type Agents struct {
	source[model.UserStat]

	missing   []userWithoutFigures             // users without figures who are not operators
	namesakes model.Namesakes                  // agents who have the same name as another agent
	users     *model.Table[string, model.User] // table of users at the last update
}

// userWithoutFigures is a user for whom the platform sends no figures. stat is a record made from
// the user once the user's state is known.
type userWithoutFigures struct {
	index int // index in the table of users
	user  *model.User
	stat  *model.UserStat
}

var _ Rows = (*Agents)(nil)

// NewAgents returns an empty list of agents with columns for the configured KPIs.
func NewAgents(customKPIs ...alert.KPI) *Agents {
	s := &Agents{}
	s.spec = sourceSpec[model.UserStat]{
		key: func(r *model.UserStat) string { return r.Key().Username },
		name: func(v *View, r *model.UserStat) string {
			return v.personName(r.Username, r.Surname, r.Name)
		},
		renamed: func(previous, current *model.UserStat) bool {
			return previous.Surname != current.Surname || previous.Name != current.Name
		},
		isNamesake:  s.namesakes.Has,
		version:     func(r *model.UserStat) uint64 { return r.Version },
		showsClock:  func(r *model.UserStat) bool { return r.TimeInState.Known() },
		alertKey:    agentKey,
		alertScope:  alert.User,
		searchWords: addAgentSearchWords,
		stateWord:   func(r *model.UserStat) words.Text { return words.AgentState(r.Status, r.Channel) },
		formerWord:  func(r *model.UserStat) string { return formerStates[r.Status] },
		drawRow: func(v *View, r *row[model.UserStat], dst *table.Row) {
			v.setAlarmMark(r.alarm, Critical, dst) // only critical alerts tint the row: many agents are a little late, and many tinted rows would mean nothing
		},
		columns: slices.Clip(agentColumns()),
		legend:  agentLegend(),
	}
	s.spec.addCustomKPIs(customKPIs)
	return s
}

// Update implements [Rows].
func (s *Agents) Update(snap *model.Snapshot, v *View) {
	snap = snapshotOrEmpty(snap)
	n := s.beginUpdate(v, tableStateOf(snap.UserStats), tableStateOf(snap.Users), tableStateOf(snap.Operators))
	if n == rowsUnchanged {
		return
	}
	users := snap.Users
	if s.namesakes.Update(users) {
		clear(s.rows) // so that all names are computed again
		n = keysChanged
	}
	if n == keysChanged {
		s.findMissing(snap, v.Channel)
	}
	if n == keysUnchanged && v.mayChange() && !s.hasSameScope(snap.UserStats.Rows(), users) {
		n = keysChanged
	}
	s.users = users
	kept := s.collectRows(n, snap.UserStats.Rows(), func(r *model.UserStat) bool {
		return r.Channel == v.Channel && v.includes(r, users)
	})
	s.truncate(s.addMissing(kept, snap, v))
}

// hasSameScope reports whether the scope contains the same agents as at the last update. The records
// must have the same keys at the same indexes as then. A changed record of an agent or a user can
// move the agent into the scope or out of it.
func (s *Agents) hasSameScope(records []*model.UserStat, users *model.Table[string, model.User]) bool {
	previous := s.users.Rows()
	for i, u := range users.Rows() {
		previous := previous[i]
		if u != previous && (u.Site != previous.Site || !slices.Equal(u.Services, previous.Services) || !slices.Equal(u.Skillsets, previous.Skillsets)) {
			return false
		}
	}
	for i, r := range records {
		if r != s.records[i] && r.Channel == s.view.Channel && s.view.includes(r, users) != (s.rowIndexes[i] >= 0) {
			return false
		}
	}
	return true
}

// Name returns the name of the agent in row i.
func (s *Agents) Name(i int) string { return s.rows[i].name }

// findMissing sets s.missing to the users who have no figures on the channel ch and are not
// operators. The list stays valid until a record is added or removed.
func (s *Agents) findMissing(snap *model.Snapshot, ch model.Channel) {
	s.missing = s.missing[:0]
	operators := make(map[string]bool, snap.Operators.Len())
	for o := range snap.Operators.All() {
		operators[o.Key().Username] = true
	}
	for i, u := range snap.Users.Rows() {
		if !operators[u.Key()] && snap.UserStats.Get(model.UserStatKey{Username: u.Key(), Channel: ch}) == nil {
			s.missing = append(s.missing, userWithoutFigures{index: i})
		}
	}
}

// addMissing adds a row for each user without figures whose state is known. n is the number of rows
// before the call. The result is the number of rows after the call.
func (s *Agents) addMissing(n int, snap *model.Snapshot, v *View) int {
	users := snap.Users.Rows()
	for i := range s.missing {
		in := &s.missing[i]
		u := users[in.index]
		if u.StateOn(v.Channel) == "" {
			continue
		}
		if in.user != u {
			in.user, in.stat = u, placeholderStat(u, v.Channel)
		}
		if v.includes(in.stat, snap.Users) {
			s.setRow(n, in.stat)
			n++
		}
	}
	return n
}

// placeholderStat returns a record for an agent without figures. It contains the fields that the user record
// also has: name, state and activity.
func placeholderStat(u *model.User, ch model.Channel) *model.UserStat {
	return &model.UserStat{
		Username: u.Username, Name: u.Name, Surname: u.Surname, Stamp: u.Stamp,
		AgentFigures: model.AgentFigures{
			Channel: ch, Status: u.StateOn(ch), ActivityCode: u.ActivityCodes.ForChannel(ch),
		},
	}
}

// personName returns the display name of a user: the configured name, otherwise the surname and
// first name, otherwise the user name.
func (v *View) personName(username, surname, name model.Text) string {
	id := username.String()
	if s := v.Options.Names.NameOf(model.NameUser, id); s != id {
		return s
	}
	return textformat.FullName(surname, name, id)
}

func addAgentSearchWords(v *View, r *row[model.UserStat], add func(string)) {
	a := r.record
	add(r.name)
	add(r.key)
	if st := StateOf(a.Status, a.Channel); st.Token == themes.StateOther {
		v.addSearchText(st.Word, add) // a state that only the platform defines: match anywhere in the word, because a viewer may not know how it begins
	}
	add(v.activity(a.ActivityCode, a.ActivityCode2))
	add(a.ActivityCode.String())
	add(v.displayName(model.NameService, a.CurrentService))
	add(a.CurrentService.String())
	add(v.displayName(model.NameGroup, a.CurrentGroup))
	add(a.CurrentGroup.String())
	add(v.numberedName(model.NameSite, a.UserSite))
	add(v.numberedName(model.NameProfile, a.LoggedProfileID))
	r.alarm.addSearchWords(v, add)
}

// activity returns the names of an agent's activity and second activity, if they are known.
func (v *View) activity(first, second model.Text) string {
	a, b := v.displayName(model.NameActivity, first), v.displayName(model.NameActivity, second)
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + " / " + b
}

// agentColumns returns the columns of the table of agents, and agentLegend their explanations. All
// tables share them, because a server has several such tables for each viewer.
var (
	agentColumns = sync.OnceValue(newAgentColumns)
	agentLegend  = sync.OnceValue(textformat.AgentColumns)
)

func newAgentColumns() []column[model.UserStat] {
	type agent = model.UserStat
	figures := func(r *agent) *model.AgentFigures { return &r.AgentFigures }
	n := func(c columnSpec, get func(*agent) model.Int) column[agent] { return intColumn(c, get) }
	figure := func(id, name string, priority int) column[agent] {
		return figureColumn(agentFigureSet(), id, name, priority, figures)
	}
	return appendPartFigures(agentFigureSet(), figures, []column[agent]{
		nameColumn[agent](agentNameColumn()),
		agentStateColumn(),
		timeInStateColumn(numberColumn("time", words.ColumnTime(), 8, timePriority), figures).withAlarmLevel(timeAlertNames...),
		limitColumn(),
		activityColumn(wordsColumn("activity", words.ColumnActivity(), 10, 12, 22, 96), figures),
		serviceColumn(wordsColumn("service", words.ColumnService(), 15, 16, 22, 95), figures),
		groupColumn(wordsColumn("group", words.ColumnGroup(), 10, 12, 20, 70), figures),
		n(numberColumn("answered", words.ColumnAgentAnswered(), 4, 94), func(r *agent) model.Int { return r.NumberCallFromServiceAnswered }),
		n(numberColumn("missed", words.ColumnMissed(), 4, 92), func(r *agent) model.Int { return r.NumberCallFromServiceNotAnswered }),
		figure("aht", "aht", 91),
		figure("occupancy", "occupancy", 90),
		n(numberColumn("over", words.ColumnLate(), 4, 60).withFormerTitle("Slow"), func(r *agent) model.Int { return r.NumberCallServiceOverSpeedAnswer }),
		n(numberColumn("in", words.ColumnIn(), 4, 50), func(r *agent) model.Int { return r.NumberCallIn }),
		n(numberColumn("out", words.ColumnOut(), 4, 65), func(r *agent) model.Int { return r.NumberCallOut }),
		n(numberColumn("private", words.ColumnPrivate(), 4, 40), func(r *agent) model.Int { return r.NumberCallOutPrivate }),
		withoutFlash(secondsColumn(numberColumn("logged", words.ColumnLogged(), 8, 75), func(r *agent) model.Int { return r.LoggedTime() })),
		textColumn(wordsColumn("site", words.ColumnSite(), 6, 8, 16, 55), func(v *View, r *row[agent]) string {
			return v.numberedName(model.NameSite, r.record.UserSite)
		}),
		textColumn(wordsColumn("profile", words.ColumnProfile(), 7, 8, 16, 45), func(v *View, r *row[agent]) string {
			return v.numberedName(model.NameProfile, r.record.LoggedProfileID)
		}),
		textColumn(wordsColumn("username", words.ColumnUser(), 18, 18, 24, 30), func(_ *View, r *row[agent]) string { return r.key }),
	})
}

// timePriority is the priority of the column with the time in state. On a narrow screen, columns
// with a lower priority are dropped first.
const timePriority = 98

// agentNameColumn returns the column of names. On the narrowest screens, the state and its time
// take precedence over the full width of the name.
func agentNameColumn() columnSpec {
	c := wordsColumn("name", words.ColumnAgent(), 10, 17, 34, 100)
	c.DropBelow = timePriority
	return c
}

// withoutFlash returns a copy of the column c that does not highlight changed cells, because its
// values change all the time.
func withoutFlash[R any](c column[R]) column[R] {
	c.NoFlash = true
	return c
}

// stateColumn returns a column of agents' states, sorted in the order of [StateOrder].
func stateColumn[R any](c columnSpec, get func(*R) *model.AgentFigures) column[R] {
	return column[R]{
		columnSpec: momentaryColumn(c),
		cell: func(v *View, r *row[R], dst *table.Cell) {
			a := get(r.record)
			v.drawState(StateOf(a.Status, a.Channel), dst)
		},
		value: func(v *View, r *row[R]) table.Value {
			a := get(r.record)
			return v.stateValue(StateOf(a.Status, a.Channel), stateRank(a.Status), a.Status != "")
		},
	}
}

// agentStateColumn returns the column of agents' states. A cell also shows the mark of a pending
// action on the agent.
func agentStateColumn() column[model.UserStat] {
	const withMark = 25 // width of "▣ Busy, then break ◌ dial" in cells
	c := stateColumn(wordsColumn("state", words.ColumnState(), 16, withMark, withMark, 99), func(r *model.UserStat) *model.AgentFigures {
		return &r.AgentFigures
	})
	plain := c.cell
	c.cell = func(v *View, r *row[model.UserStat], dst *table.Cell) {
		if m, ok := v.Marks.agent(r.key); ok {
			v.drawMarkedState(StateOf(r.record.Status, r.record.Channel), m, dst)
			return
		}
		plain(v, r, dst)
	}
	return c
}

// timeInStateColumn returns a column that shows how long agents have been in their current states.
func timeInStateColumn[R any](c columnSpec, get func(*R) *model.AgentFigures) column[R] {
	return sinceColumn(c, func(r *R) model.Instant { return get(r).TimeInState }).
		withPresumedMark(model.PresumedInState, func(r *R) bool { return get(r).TimeInState.Known() })
}
