package render

import (
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Attendants holds the rows of the components of the services' attendants on one channel. A key
// consists of the code of the service, a slash and the component.
type Attendants struct{ source[model.Attendant] }

var _ Rows = (*Attendants)(nil)

// NewAttendants returns a list of attendants' components. It has no rows until its first update.
func NewAttendants() *Attendants {
	s := &Attendants{}
	s.spec = sourceSpec[model.Attendant]{
		key: func(r *model.Attendant) string {
			k := r.Key()
			return k.Code + "/" + string(k.Component)
		},
		name:    func(v *View, r *model.Attendant) string { return v.displayName(model.NameService, r.Code) },
		version: func(r *model.Attendant) uint64 { return r.Version },
		searchWords: func(v *View, r *row[model.Attendant], add func(string)) {
			add(r.name)
			add(r.record.Code.String())
			v.addSearchText(words.ComponentName(r.record.Component), add)
		},
		columns: attendantColumns(),
		legend:  textformat.AttendantColumns(),
	}
	return s
}

// Update implements [Rows].
func (s *Attendants) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.AttendantKey, model.Attendant]
	if snap != nil {
		t = snap.Attendants
	}
	if n := s.beginUpdate(v, tableStateOf(t)); n != rowsUnchanged {
		s.truncate(s.collectRows(n, t.Rows(), func(r *model.Attendant) bool {
			return r.Channel == v.Channel && v.Restriction.includesCode(r.Key().Code)
		}))
	}
}

func attendantColumns() []column[model.Attendant] {
	type attendant = model.Attendant
	call := func(c columnSpec, get func(*model.AttendantCalls) model.Int) column[attendant] {
		return intColumn(c, func(r *attendant) model.Int { return get(&r.ChannelStats) })
	}
	head := func(c columnSpec, get func(*model.AttendantUsers) model.ProfilesInStatus) column[attendant] {
		return intColumn(c, func(r *attendant) model.Int { return get(&r.UserStats).Count })
	}
	return []column[attendant]{
		nameColumn[attendant](wordsColumn("name", words.ColumnService(), 12, 22, 36, 100)),
		componentColumn(),
		call(numberColumn("current", words.ColumnActive(), 6, 98).withFormerTitle("InSys"), func(c *model.AttendantCalls) model.Int { return c.CurrentCalls }),
		call(numberColumn("received", words.ColumnReceived(), 8, 97), func(c *model.AttendantCalls) model.Int { return c.ReceivedCalls }),
		call(numberColumn("answered", words.ColumnAnswered(), 8, 96), func(c *model.AttendantCalls) model.Int { return c.AnsweredCalls }),
		call(numberColumn("abandoned", words.ColumnAbandoned(), 6, 95), func(c *model.AttendantCalls) model.Int { return c.HangupCalls }),
		call(numberColumn("closed", words.ColumnClosed(), 6, 90), func(c *model.AttendantCalls) model.Int { return c.ClosedCalls }),
		head(numberColumn("ready", words.ColumnReady(), 5, 94), func(u *model.AttendantUsers) model.ProfilesInStatus { return u.ReadyUsers }),
		head(numberColumn("busy", words.ColumnBusy(), 5, 93), func(u *model.AttendantUsers) model.ProfilesInStatus { return u.BusyUsers }),
		head(numberColumn("logged", words.ColumnLogged(), 6, 92), func(u *model.AttendantUsers) model.ProfilesInStatus { return u.LoggedUsers }),
	}
}

// componentColumn returns the column of components, sorted in the order of [model.Components].
func componentColumn() column[model.Attendant] {
	rank := func(c model.Component) int {
		order := model.Components()
		for i, o := range order {
			if c == o {
				return i
			}
		}
		return len(order)
	}
	c := textColumn(wordsColumn("component", words.ColumnComponent(), 8, 8, 10, 99).withPossibleWords(words.ChannelComponentAll(), words.ChannelComponentInternal(), words.ChannelComponentExternal(), words.ChannelComponentReturns()), func(v *View, r *row[model.Attendant]) string {
		return v.translate(words.ComponentName(r.record.Component))
	})
	c.value = func(v *View, r *row[model.Attendant]) table.Value {
		part := textValue(v.translate(words.ComponentName(r.record.Component)))
		part.Number = float64(rank(r.record.Component))
		return part
	}
	return c
}

// Operators holds the rows of the operators of attendants on one channel. The keys are user names.
type Operators struct{ source[model.Operator] }

var _ Rows = (*Operators)(nil)

// NewOperators returns a list of operators. It has no rows until its first update.
func NewOperators() *Operators {
	s := &Operators{}
	s.spec = sourceSpec[model.Operator]{
		key: func(r *model.Operator) string { return r.Key().Username },
		name: func(v *View, r *model.Operator) string {
			return v.personName(r.Username, r.Surname, r.Name)
		},
		version: func(r *model.Operator) uint64 { return r.Version },
		searchWords: func(v *View, r *row[model.Operator], add func(string)) {
			o := r.record
			add(r.name)
			add(r.key)
			add(v.activity(o.ActivityCode, o.ActivityCode2))
			add(v.numberedName(model.NameSite, o.UserSite))
			add(v.numberedName(model.NameProfile, o.LoggedProfileID))
		},
		columns: operatorColumns(),
		legend:  textformat.OperatorColumns(),
	}
	return s
}

// Update implements [Rows].
func (s *Operators) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[model.UserStatKey, model.Operator]
	if snap != nil {
		t = snap.Operators
	}
	if n := s.beginUpdate(v, tableStateOf(t)); n != rowsUnchanged {
		s.truncate(s.collectRows(n, t.Rows(), func(r *model.Operator) bool {
			return r.Channel == v.Channel && v.Restriction.includesSite(r.UserSite, nil)
		}))
	}
}

func operatorColumns() []column[model.Operator] {
	type operator = model.Operator
	return []column[operator]{
		nameColumn[operator](wordsColumn("name", words.ColumnOperator(), 12, 22, 34, 100)),
		labelColumn(momentaryColumn(wordsColumn("activity", words.ColumnActivity(), 8, 18, 30, 99)), func(v *View, r *row[operator]) string {
			return v.activity(r.record.ActivityCode, r.record.ActivityCode2)
		}, func(r *operator) bool { return r.ActivityCode.Known() }),
		textColumn(wordsColumn("site", words.ColumnSite(), 6, 8, 16, 98), func(v *View, r *row[operator]) string {
			return v.numberedName(model.NameSite, r.record.UserSite)
		}),
		textColumn(wordsColumn("profile", words.ColumnProfile(), 7, 8, 16, 97), func(v *View, r *row[operator]) string {
			return v.numberedName(model.NameProfile, r.record.LoggedProfileID)
		}),
		textColumn(wordsColumn("username", words.ColumnUser(), 16, 16, 24, 90), func(_ *View, r *row[operator]) string { return r.key }).
			withColor(func(*View, *operator) themes.Token { return themes.Dim }),
	}
}
