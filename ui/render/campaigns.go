package render

import (
	"math"
	"strconv"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/table"
)

// Campaigns holds the rows of the dialer campaigns. The keys are campaign IDs.
type Campaigns struct{ source[model.Campaign] }

var _ Rows = (*Campaigns)(nil)

// NewCampaigns returns an empty list of campaigns with columns for the configured KPIs.
func NewCampaigns(customKPIs ...alert.KPI) *Campaigns {
	s := &Campaigns{}
	s.spec = sourceSpec[model.Campaign]{
		key:     campaignCode,
		name:    func(v *View, r *model.Campaign) string { return v.Options.Names.CampaignName(r) },
		version: func(r *model.Campaign) uint64 { return r.Version },
		searchWords: func(v *View, r *row[model.Campaign], add func(string)) {
			add(r.name)
			add(r.key)
			v.addSearchText(CampaignStateOf(r.record).State().Word, add)
			r.alarm.addSearchWords(v, add)
		},
		alertKey:   campaignKey,
		alertScope: alert.Campaign,
		drawRow: func(v *View, r *row[model.Campaign], dst *table.Row) {
			v.setAlarmMark(r.alarm, Warning, dst)
		},
		columns: campaignColumns(),
		legend:  textformat.CampaignColumns(),
	}
	s.spec.addCustomKPIs(customKPIs)
	s.spec.addTrendColumn(words.ColumnTalkingTrend(), "talkingContacts")
	return s
}

// campaignCode returns the ID of a campaign as a string.
func campaignCode(r *model.Campaign) string { return strconv.FormatInt(r.Key(), 10) }

// Update implements [Rows]. A campaign has no channel, so it is listed on every channel.
func (s *Campaigns) Update(snap *model.Snapshot, v *View) {
	var t *model.Table[int64, model.Campaign]
	if snap != nil {
		t = snap.Campaigns
	}
	if n := s.beginUpdate(v, tableStateOf(t)); n != rowsUnchanged {
		s.truncate(s.collectRows(n, t.Rows(), func(r *model.Campaign) bool {
			return v.Restriction == nil || v.Restriction.includesCode(campaignCode(r))
		}))
	}
}

// CampaignState is the activity of a campaign, derived from its figures.
type CampaignState uint8

// The states of a campaign. They are derived from figures, because the platform does not send a
// state.
const (
	CampaignUnknown CampaignState = iota
	CampaignRunning               // lines are in use, or contacts ring or talk
	CampaignIdle                  // there are contacts to call, but no line is in use
	CampaignEmpty                 // no contact is left to call
)

// CampaignStateOf derives the state of a campaign from its figures.
func CampaignStateOf(r *model.Campaign) CampaignState {
	busy := r.UsedChannels.Or(0) > 0 || r.RingingContacts.Or(0) > 0 || r.TalkingContacts.Or(0) > 0
	switch {
	case r.ToDoContacts == model.IntOf(0):
		return CampaignEmpty
	case busy:
		return CampaignRunning
	case r.UsedChannels.Known() && r.ToDoContacts.Known():
		return CampaignIdle
	}
	return CampaignUnknown
}

// State returns the display state: its word, color and glyph.
func (s CampaignState) State() State {
	switch s {
	case CampaignRunning:
		return State{words.StateCampaignRunning(), themes.OK, "●", "@"}
	case CampaignIdle:
		return State{words.StateCampaignIdle(), themes.Dim, "○", "o"}
	case CampaignEmpty:
		return State{words.StateCampaignEmpty(), themes.Warn, "□", "-"} // no triangle, because a triangle marks an alert
	case CampaignUnknown:
	}
	return State{words.StateUnknown(), themes.Unknown, "·", "."}
}

func campaignColumns() []column[model.Campaign] {
	type campaign = model.Campaign
	figure := campaignFigureSet().column
	return appendOtherFigures(campaignFigureSet(), []column[campaign]{
		nameColumn[campaign](wordsColumn("name", words.ColumnCampaign(), 18, 20, 34, 100)),
		campaignStateColumn(),
		textColumn(wordsColumn("id", words.ColumnId(), 4, 6, 10, 40), func(_ *View, r *row[campaign]) string { return r.key }),
		textColumn(wordsColumn("empty", words.ColumnEmptyAt(), 8, 8, 8, 95), func(v *View, r *row[campaign]) string {
			return v.Options.clockAfter(v.Now, v.kpiValue(alert.TimeToEmpty, campaignKey(r.record)))
		}),
		gaugeColumn(),
		figure("penetration", "penetration", 98),
		intColumn(numberColumn("todo", words.ColumnToDo(), 7, 97), func(r *campaign) model.Int { return r.ToDoContacts }),
		intColumn(numberColumn("tried", words.ColumnTried(), 7, 90), func(r *campaign) model.Int { return r.TriedContacts }),
		intColumn(numberColumn("total", words.ColumnTotal(), 7, 89), func(r *campaign) model.Int { return r.TotalContacts }),
		intColumn(numberColumn("started", words.ColumnStarted(), 7, 80), func(r *campaign) model.Int { return r.StartedCalls }),
		intColumn(numberColumn("ok", words.ColumnReached(), 6, 85), func(r *campaign) model.Int { return r.OkContacts }),
		figure("hit", "hitRate", 96),
		intColumn(numberColumn("talking", words.ColumnTalking(), 7, 95), func(r *campaign) model.Int { return r.TalkingContacts }),
		intColumn(numberColumn("ringing", words.ColumnRinging(), 7, 94), func(r *campaign) model.Int { return r.RingingContacts }),
		fractionColumn(numberColumn("lines", words.ColumnLines(), 9, 93),
			func(r *campaign) model.Int { return r.UsedChannels },
			func(r *campaign) model.Int { return r.AllocatedChannels }),
		fractionColumn(numberColumn("free", words.ColumnFree(), 9, 92),
			func(r *campaign) model.Int { return r.FreeResources },
			func(r *campaign) model.Int { return r.AvailableResources }),
		figure("contact", "contactRate", 60),
	})
}

// clockAfter returns the time of day that is the given number of seconds after now, such as
// "~10:45". It rounds the time to five minutes, unless the rounded time has already passed. It
// returns "" if seconds is unknown.
func (o *Options) clockAfter(now time.Time, seconds model.Figure) string {
	left, ok := seconds.Get()
	if !ok {
		return ""
	}
	now = o.Format().Local(now)
	at := now.Add(textformat.DurationFromSeconds(left))
	if rounded := at.Round(5 * time.Minute); rounded.After(now) {
		at = rounded
	} else {
		at = at.Add(time.Minute) // the minute that ends after now
	}
	return "~" + textformat.Clock(at, nil)
}

// campaignStateColumn returns the column of states, sorted in the order of the [CampaignState]
// constants.
func campaignStateColumn() column[model.Campaign] {
	const withMark, tight = 17, 12 // widths of "● Running ◌ start" and "●Runs ◌start" in cells
	return column[model.Campaign]{
		columnSpec: momentaryColumn(wordsColumn("state", words.ColumnState(), tight, withMark, withMark, 99)),
		cell: func(v *View, r *row[model.Campaign], dst *table.Cell) {
			state := CampaignStateOf(r.record).State()
			if m, ok := v.Marks.campaign(r.key); ok {
				v.drawMarkedState(state, m, dst)
				return
			}
			v.drawState(state, dst)
		},
		value: func(v *View, r *row[model.Campaign]) table.Value {
			s := CampaignStateOf(r.record)
			return v.stateValue(s.State(), int(s), s != CampaignUnknown)
		},
	}
}

// fractionColumn returns a column of fractions such as "3/10". get returns the first number, total
// the second.
func fractionColumn[R any](c columnSpec, get, total func(*R) model.Int) column[R] {
	out := intColumn(c, get)
	inner := out.cell
	out.cell = func(v *View, r *row[R], dst *table.Cell) {
		inner(v, r, dst)
		f := v.Options.Format()
		dst.Text = f.Int(append(f.Int(dst.Text[:0], get(r.record)), '/'), total(r.record))
	}
	out.value = func(_ *View, r *row[R]) table.Value {
		n, f := intValue(get(r.record)), textformat.Format{}
		n.Text = string(f.Int(append(f.Int(nil, get(r.record)), '/'), total(r.record)))
		return n
	}
	out.compare = func(_ *View, a, b *row[R]) int {
		x, okX := get(a.record).Get()
		y, okY := get(b.record).Get()
		if c := compareKnown(x, okX, y, okY); c != 0 {
			return c
		}
		x, okX = total(a.record).Get()
		y, okY = total(b.record).Get()
		return compareKnown(x, okX, y, okY)
	}
	return out
}

// gaugeColumn returns a column that draws the penetration of campaigns as bars.
func gaugeColumn() column[model.Campaign] {
	c := columnSpec{texts: columnTexts{title: words.ColumnProgress()}, Column: table.Column{
		ID: "gauge", Min: 9, Ideal: 12, Max: 20, Weight: 1, Priority: 70, SortDescending: true, NoFlash: true,
		Momentary: true, HasFigures: true,
	}}
	return column[model.Campaign]{
		columnSpec: c,
		cell: func(v *View, r *row[model.Campaign], dst *table.Cell) {
			f, ok := r.record.Penetration().Get()
			if !ok {
				f = math.NaN()
			}
			dst.Text = v.gauge(dst.Width).Append(dst.Text, f)
			dst.HasEscapes = true
		},
		value: func(_ *View, r *row[model.Campaign]) table.Value {
			return figureValue(r.record.Penetration(), table.PercentValue)
		},
	}
}
