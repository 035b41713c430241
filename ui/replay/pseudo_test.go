package replay

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

var nine = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

// pseudoLook returns a look in the pseudo-language.
func pseudoLook() *style.Look {
	lk := style.New(style.Options{Location: time.UTC}, render.Options{})
	lk.Format.Words = words.PseudoLanguage()
	return lk
}

// checkPseudo fails the test if a text contains English words or something that is cut.
func checkPseudo(t *testing.T, what, text string) {
	t.Helper()
	text = ansi.Strip(text)
	if left := testkit.Untranslated(text, "Sales", "wait", "service", "space"); len(left) > 0 {
		t.Errorf("%s: %q is not in the catalogue:\n%s", what, left, text)
	}
	if strings.Contains(text, "…") || strings.TrimSpace(text) == "" {
		t.Errorf("%s: something is cut, or missing:\n%s", what, text)
	}
}

func textOf(lines []dialog.Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return strings.Join(out, "\n")
}

// pausedRecording is a recording that stays at one instant.
type pausedRecording struct {
	growingRecording
	at time.Time
}

func (p *pausedRecording) At() time.Time            { return p.at }
func (p *pausedRecording) IsEmptyAt(time.Time) bool { return true }
func (p *pausedRecording) SetSpeed(float64)         {}
func (p *pausedRecording) SeekTo(time.Time) error   { return nil }

// TestReplayInPseudo draws the lines of the header and the messages of a replay in the pseudo-language.
func TestReplayInPseudo(t *testing.T) {
	t.Parallel()
	lk := pseudoLook()
	keys := DefaultKeys(lk.Format.Words)
	for _, k := range append(keys.All(), keys.Open, keys.Save, keys.Compare) {
		checkPseudo(t, "key", k.Help().Desc)
	}
	recording := &pausedRecording{growingRecording{from: nine, to: nine.Add(time.Hour)}, nine}
	r := New(Options{Recording: recording})
	r.liveClock = func() time.Time { return nine }
	for _, pace := range []float64{0, 1, 30} {
		r.speed = pace
		checkPseudo(t, "header", r.HeaderLine(&keys, lk, 220)[0])
	}
	r.speed, recording.at = 1, recording.to
	checkPseudo(t, "end", r.HeaderLine(&keys, lk, 220)[0])
	for _, kind := range []model.MarkKind{model.MarkCritical, model.MarkAction, model.MarkNote, model.MarkCut, model.MarkClock} {
		checkPseudo(t, "mark", MarkText(lk, model.Mark{At: nine, Kind: kind}))
		if kind == model.MarkCritical {
			checkPseudo(t, "mark", MarkText(lk, model.Mark{At: nine, Kind: kind, Text: "Recorded.", Incident: &model.Incident{Title: "", Waiting: 3, Longest: 65}}))
		}
	}
	checkPseudo(t, "another day", FormatInstant(nine, nine.AddDate(0, 0, 1), lk))
	b := &BoardArchive{Archive: &Archive{}, Look: lk, Floor: &floorview.View{LocalNow: nine}, Now: func() time.Time { return nine }, Context: context.Background()}
	checkPseudo(t, "no recording", lk.Translate(b.NoRecordingReason()))
	b.Open = func() (Recording, error) { return nil, ErrNothingRecorded }
	b.Engine, b.Save = func() (*alert.Engine, error) { return nil, nil }, func(context.Context, time.Time, time.Time) (string, error) { return "", nil }
	comparison := &Comparison{reference: &floorview.Reference{Time: nine.Add(-time.Hour)}}
	checkPseudo(t, "comparison", comparison.HeaderLine(&keys, b, 220)[0])
	say := func(text string) tea.Cmd { checkPseudo(t, "message", text); return nil }
	for _, list := range [][]dialog.Command{
		b.RewindCommands(&keys), b.RuleReportCommands(nil), b.SimilarMomentCommands(nil, alert.Key{}), b.IncidentCommands(&keys, nil, nil, nil),
		comparison.Commands(&keys, b, say), new(Comparison).Commands(&keys, b, say), b.ParseRewind("8:00", say), b.ParseRewind("25:99", say), comparison.ParseCompare("compare 8:00", b, say),
	} {
		if len(list) != 1 {
			t.Fatalf("%d commands", len(list))
		}
		checkPseudo(t, "command", list[0].Name)
	}
	if msg, ok := comparison.startFrom(nine, b, say)().(comparisonMsg); !ok {
		t.Error("no message")
	} else {
		msg.Apply()
	}
}

// TestReportsInPseudo draws the report on rules and similar moments in the pseudo-language.
func TestReportsInPseudo(t *testing.T) {
	t.Parallel()
	lk := pseudoLook()
	rep := backtest.RuleReport{From: nine, To: nine.Add(time.Hour), Misses: 2, Rules: []backtest.RuleStats{
		{Name: "wait", Scope: alert.Service, Fired: 30, Judged: true, Proposal: backtest.Proposal{IsLevel: true, Level: 110, OldLevel: 30, Format: alert.Duration, Fired: 3, CurrentFired: 15, Mattered: 3}},
		{Name: "wait", Scope: alert.Service, Fired: 20, HeldBack: 1, Proposal: backtest.Proposal{For: time.Minute, Fired: 3, CurrentFired: 15, Mattered: 1}},
		{Name: "wait", Scope: alert.Service, Fired: 10, Proposal: backtest.Proposal{NeverMattered: true}},
		{Name: "wait", Scope: alert.Service},
	}}
	checkPseudo(t, "rules", textOf(ruleReportLines(lk, rep, 110)))
	moment := func(m analysis.SimilarMoment) analysis.SimilarMoment {
		m.At, m.Countermeasures = nine, []analysis.Countermeasure{{At: nine, Name: "Sales"}}
		return m
	}
	s := &similarMoments{matches: []analysis.SimilarMoment{
		moment(analysis.SimilarMoment{}),
		moment(analysis.SimilarMoment{ExaminedTime: time.Hour, QueueEmptyAfter: time.Minute}),
		moment(analysis.SimilarMoment{ExaminedTime: time.Hour, Moment: analysis.Moment{Waiting: 1}}),
		moment(analysis.SimilarMoment{ExaminedTime: time.Hour, LongestWaitAfter: time.Minute}),
		moment(analysis.SimilarMoment{ExaminedTime: time.Hour}),
	}}
	checkPseudo(t, "similar", textOf(s.lines(lk, nine, 110, nil)))
	checkPseudo(t, "none", textOf((&similarMoments{}).lines(lk, nine, 110, nil)))
}
