package handover

import (
	"cmp"
	"context"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// RecordingData holds the data of a recording that a report needs. Times are on the platform's clock.
type RecordingData struct {
	Marks []model.Mark // in order of time; nil: the viewer may not see them
	Start time.Time    // start of the recording
	End   time.Time    // last moment of the recording
	Gaps  []record.Gap // periods in which nothing was recorded, in order of time
}

// RecordingReader reads the recording of the floor.
type RecordingReader func(ctx context.Context) (RecordingData, error)

// ReadIncidents adds the ended situations in the recording to the report. A nil read means that recording is
// off. If incidents of the shift are missing, because they were not recorded, cannot be read or may not be
// seen, ReadIncidents sets IncidentNote to the reason.
func (r *Report) ReadIncidents(ctx context.Context, read RecordingReader) {
	if read == nil {
		r.IncidentNote = words.HandoverNoRecording()
		return
	}
	recorded, err := read(ctx)
	switch {
	case err != nil:
		r.IncidentNote = words.HandoverUnread(words.TextOf(err))
	case recorded.Marks == nil:
		r.IncidentNote = words.HandoverNoIncidents()
	default:
		r.addIncidents(recorded)
	}
}

// addIncidents adds the recorded situations that have ended, or were open when the recording
// was interrupted, to the report.
func (r *Report) addIncidents(recorded RecordingData) {
	begins := recorded.Start
	var stops []time.Time
	r.input.gaps = nil
	for _, g := range recorded.Gaps {
		if stops = append(stops, g.From); g.To.After(r.From) && g.From.Before(r.At) {
			r.input.gaps = append(r.input.gaps, g)
		}
	}
	j := situation.NewJournal(recorded.Marks, r.Alerts).EndSituationsAt(stops)
	known := make(map[string]bool)
	for i := range r.Alerts {
		known[r.Alerts[i].ID] = true
	}
	ended, _ := j.Alerts(r.At)
	for i := range ended {
		if a := &ended[i]; !known[a.ID] && !a.Ended.Before(r.From) {
			r.Alerts = append(r.Alerts, *a)
		}
	}
	slices.SortStableFunc(r.Alerts, func(a, b alert.Alert) int { return a.Raised.Compare(b.Raised) })
	r.input.recordedOnly = nil
	if r.At.Sub(recorded.End) <= maxRecordingPause {
		r.addRecordedOnly(j)
	}
	r.setPastSituations(j.AddToView(r.input.Situations, r.From, r.At).In(r.input.Words))
	if begins.Before(r.WatchedSince) {
		r.WatchedSince = begins
	}
	if r.IncidentNote = (words.Text{}); begins.After(r.From) {
		r.IncidentNote = words.HandoverLateRecording()
	}
}

// maxRecordingPause is the longest time since the end of a recording for which alerts that
// were open at the end still count as open.
const maxRecordingPause = time.Minute

// addRecordedOnly adds the situations that are open in a recording that continues until now, but that this
// program does not know. The program may have just started, and some rules need time to raise an alert. Also,
// the platform reports no service whose agents have all logged out before the program started.
func (r *Report) addRecordedOnly(j *situation.Journal) {
	known := make(map[alert.Key]bool)
	for _, list := range [][]situation.Situation{r.Situations.Live, r.Situations.HeldBack} {
		for i := range list {
			known[list[i].Place.Key] = true
			for k := range list[i].Alerts {
				known[list[i].Alerts[k].Key] = true
			}
		}
	}
	for i := range r.Situations.Silenced {
		known[r.Situations.Silenced[i].Place.Key] = true
	}
	for _, one := range j.OpenSituationsAt(r.At) {
		if !known[one.Place.Key] {
			r.input.recordedOnly = append(r.input.recordedOnly, one.In(r.input.Words))
		}
	}
}

// setPastSituations sets the ended situations, the worst first: by level, then by the number of contacts that
// waited at once, then by the total duration.
func (r *Report) setPastSituations(v *situation.View) {
	r.PastSituations = situation.SummarizeEndedAlerts(r.input.Snapshot, r.input.Names, r.Alerts, v)
	slices.SortStableFunc(r.PastSituations, func(a, b situation.PastSituation) int {
		return cmp.Or(cmp.Compare(b.HighestLevel, a.HighestLevel), cmp.Compare(b.Waiting, a.Waiting), cmp.Compare(b.TotalDuration, a.TotalDuration))
	})
}

// writeIncidents writes a table of the ended situations, the most severe first, with a row for each
// place. It omits figures of the day that no user took over.
func (w *writer) writeIncidents() {
	coverage := words.JoinSentences(w.coverageText(), w.gapText())
	if !coverage.IsZero() {
		w.writeLine("%s", w.escape(coverage))
	}
	var rows [][]string
	for i := range w.PastSituations {
		if p := &w.PastSituations[i]; !isDailyOnly(p) {
			rows = append(rows, incidentTable{w}.row(p))
		}
	}
	if len(rows) > 0 {
		if !coverage.IsZero() {
			w.writeLine("")
		}
		head := heads(w.input.Words, words.HandoverByLevel(), words.HandoverWhen(), words.HandoverHowOften(), words.HandoverTotal(), words.HandoverMostWaiting(), words.HandoverLongest(), words.HandoverWhatHappened())
		w.writeTable(head, rows, 1)
	}
}

// incidentTable makes the rows of the table of incidents.
type incidentTable struct{ report *writer }

// row returns the row for a place.
func (t incidentTable) row(p *situation.PastSituation) []string {
	w := t.report
	mark, total, waiting, longest := "△ ", unknownValue, unknownValue, unknownValue
	if p.HighestLevel == alert.Critical {
		mark = "▲ "
	}
	if p.TotalDuration >= time.Second {
		total = w.translate(lengthText(p.TotalDuration))
	}
	happened := make([]words.Text, 0, 4)
	if p.Waiting > 0 {
		waiting = formatNumber(w.input.Words, float64(p.Waiting))
	} else {
		happened = append(happened, escaped(textformat.Sentence(p.Headline)))
	}
	if wait, known := p.LongestWait.Get(); known && wait > 0 {
		longest = w.translate(words.WaitText(p.LongestWait))
	}
	if p.WorstEpisode.MainCause != "" {
		happened = append(happened, escaped(textformat.Sentence(p.WorstEpisode.MainCause)))
	}
	if p.Vanished {
		happened = append(happened, words.HandoverVanished())
	}
	if p.Ack.By != "" {
		happened = append(happened, w.acknowledgedText(p.Ack, p.Alerts...))
	}
	return []string{
		mark + bold(p.Place.Title), w.translate(t.period(p)), formatNumber(w.input.Words, float64(p.EpisodeCount)), total, waiting, longest,
		cmp.Or(w.translate(words.JoinSentences(happened...)), unknownValue),
	}
}

// gapText lists the periods of the shift in which nothing was recorded. It returns the zero text if
// there are none.
func (w *writer) gapText() words.Text {
	if len(w.input.gaps) == 0 {
		return words.Text{}
	}
	parts := make([]words.Text, len(w.input.gaps))
	for i, g := range w.input.gaps {
		parts[i] = words.HandoverGap(w.clockText(g.From), w.clockText(g.To))
	}
	return words.HandoverGaps(parts)
}

// coverageText says since when the incidents are known, and why not since the start of the shift. It returns
// the zero text if all incidents of the shift are known.
func (w *writer) coverageText() words.Text {
	if !w.WatchedSince.After(w.From) {
		return words.Text{}
	}
	text := words.HandoverNotAvailable(w.clockText(w.WatchedSince))
	if w.HasStoredAlerts {
		text = words.HandoverStoredOnly(w.clockText(w.WatchedSince))
	}
	return words.JoinSentences(w.IncidentNote, text)
}

// period returns the period from the first to the last situation of a place, such as
// "10:02–13:10".
func (t incidentTable) period(p *situation.PastSituation) words.Text {
	w := t.report
	to := w.clockText(p.Ended)
	if slices.ContainsFunc(w.input.gaps, func(g record.Gap) bool { return g.From.Equal(p.Ended) }) {
		to = words.HandoverOrLater(to)
	}
	return words.HandoverFromTo(w.beginText(p.FirstBegan, p.FromStart), to)
}

// episodesText describes when, how often and how long a place had a situation, such as
// "10:02–13:10, 3 times, 40 min".
func (w *writer) episodesText(p *situation.PastSituation) words.Text {
	when, isTimed := incidentTable{w}.period(p), p.TotalDuration >= time.Second
	switch {
	case p.EpisodeCount > 1 && isTimed:
		return words.HandoverTimesTotal(p.EpisodeCount, when, lengthText(p.TotalDuration))
	case p.EpisodeCount > 1:
		return words.HandoverTimes(p.EpisodeCount, when)
	case isTimed:
		return words.HandoverLasted(when, lengthText(p.TotalDuration))
	}
	return when
}

// lengthText formats the duration of an incident: below ten minutes like the board, such as "0:34",
// and otherwise as "12 min" or "1 h 05 min".
func lengthText(d time.Duration) words.Text {
	if d < 10*time.Minute {
		return words.Duration(d)
	}
	return words.Minutes(d)
}
