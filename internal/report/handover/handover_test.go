package handover_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/report/handover"
	"wallboard/model"
	"wallboard/model/contact"
)

// days answers questions about inbound calls only.
type days struct{ err error }

func (d days) CompareDay(_ context.Context, date time.Time, kind contact.Kind) (contact.Comparison, error) {
	if d.err != nil || kind == contact.Chat {
		return contact.Comparison{}, errors.Join(d.err, errors.New("This is not known on this server.")) //nolint:revive // a sentence for people
	}
	return contact.Comparison{
		Day:      contact.Day{Kind: kind, Date: date, At: date, Hours: []contact.Hour{{Start: date, Count: 118, Known: true}}},
		Baseline: contact.Baseline{Kind: kind, Weekday: date.Weekday()}, SoFar: contact.TypicalRange{Median: 100, Low: 90, High: 110, Days: 4},
	}, nil
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	engine, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	store := model.NewStore()
	store.Services.Put(&model.Service{
		Code: model.TextOf("A|*B*"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			ReceivedCalls: model.IntOf(100), AnsweredCalls: model.IntOf(70), AnsweredCallsUnderSpeedLimit: model.IntOf(50), HangupCalls: model.IntOf(30),
		},
	})
	store.Services.Put(&model.Service{
		Code: model.TextOf("few"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			ReceivedCalls: model.IntOf(2), AnsweredCalls: model.IntOf(1), AnsweredCallsUnderSpeedLimit: model.IntOf(0), HangupCalls: model.IntOf(1),
		},
	})
	s := store.Publish(at, model.Health{Link: model.Link{State: model.LinkBackoff, Reason: "connection reset"}, Subscriptions: []model.Subscription{
		{Name: "serviceStats", State: model.SubStale, Reason: "no connection"},
	}})
	engine.Evaluate(s, at)
	view := &situation.View{Today: []situation.Situation{{
		Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "A|*B*", Channel: model.Call}, Title: "A|*B*"}, Level: alert.Warning,
		Headline: "30.0 % abandoned.", Causes: []diagnosis.Cause{{Text: "It continues: since 13:00 2 of 9 calls abandoned."}},
	}}}
	p := handover.Input{Site: "Bolzano", Snapshot: s, Alerts: engine, Situations: view, From: at.Add(-8 * time.Hour), At: at, WatchedSince: at.Add(-time.Hour), HandedOverBy: "anna"}
	r := handover.New(p)
	r.Actions = []handover.Action{{At: at.Add(-time.Minute), UserName: "anna", Action: "dial", Target: "<b>x</b>", Outcome: "unknown", OutcomeText: "Nobody answered."}}
	r.Baseline, r.BaselineNote = handover.ReadBaseline(t.Context(), days{}, at)
	text := handover.Markdown(r)
	for _, want := range []string{
		`- **How the day went:** 102 calls so far, typically 100; service level 49.0 % (target 80.0 %); 30.4 % abandoned (at most 5.0 %); A\|\*B\* missing target.`, "- **What was worst:** No incident since 13:00, when monitoring began.\n",
		"- **What is open:** No data yet.\n", "30.0 % abandoned. It continues: since 13:00 2 of 9 calls abandoned.\n",
		"# Shift handover, Bolzano", "Monday, 2 March 2026, 06:00 to 14:00 (UTC), by anna.", "The figures may be out of date",
		"| **All, calls** | 102 | 71 | 30.4 % **!** | 49.0 % **!** |",
		"All others are on target or within a few calls of it.",
		"- Inbound calls: 118; above typical: +18 % against a median of 100 (4 days). ", "- chats: This is not known on this server.",
		"Incidents before 13:00 are not available.\n\n## Missing target today\n", "- 13:59 anna: dial &lt;b&gt;x&lt;/b&gt;, **outcome unknown**. Nobody answered",
		"**Not live** (connection: backoff). connection reset", "- serviceStats is stale: no connection",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	r.Baseline[0].Day.Hours[0].Count = 50
	if text := handover.Markdown(r); !strings.Contains(text, "102 calls so far; service level") {
		t.Errorf("a counter of more than today is compared in\n%s", text)
	}
	var names []string
	for l := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(l, "| ") || strings.HasPrefix(l, "|-") {
			if cells := handover.TableCells(l); cells != nil {
				names = append(names, cells[0])
			}
		}
	}
	if want := []string{"", "All, calls"}; !slices.Equal(names[:min(len(names), len(want))], want) {
		t.Errorf("the tables read %q, want %q", names, want)
	}
	for _, s := range []string{`a\|b`, "**", "*_`[x]`_*", "<b>", "# \\# &", `\\`} {
		if got := handover.StripMarkdown(handover.Safe(s)); got != s {
			t.Errorf("%q reads %q", s, got)
		}
	}
	empty := handover.New(handover.Input{Alerts: engine, From: at, At: at})
	if text := handover.Markdown(empty); !strings.Contains(text, "No data yet.") || !strings.Contains(text, "Nothing received from the platform yet.") {
		t.Errorf("a board without data says\n%s", text)
	}
}

func TestReadUsualSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	if list, why := handover.ReadBaseline(t.Context(), nil, time.Time{}); list != nil || !strings.Contains(why.In(nil), "not configured") {
		t.Error(list, why)
	}
	if list, why := handover.ReadBaseline(t.Context(), days{errors.New("refused")}, time.Time{}); list != nil || !strings.Contains(why.In(nil), "refused") {
		t.Error(list, why)
	}
}

// TestMarksOfTimes writes a time in a presumed unit, and an estimate.
func TestMarksOfTimes(t *testing.T) {
	t.Parallel()
	engine, err := alert.New(alert.Options{Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	for presumed, want := range map[model.Presumed][]string{
		model.PresumedAverage: {" 1:05? ", "misses the target; ? marks a presumed unit."},
		model.PresumedLongest: {" 1:05 ", "misses the target."},
	} {
		store := model.NewStore()
		store.Services.Put(&model.Service{Code: model.TextOf("A"), Channel: model.Call, ChannelStats: model.ServiceCalls{
			AnsweredCalls: model.IntOf(70), AverageTimeOnQueue: model.FloatOf(65),
		}})
		s := store.Publish(at, model.Health{Presumed: presumed})
		text := handover.Markdown(handover.New(handover.Input{Snapshot: s, Alerts: engine, From: at.Add(-time.Hour), At: at, WatchedSince: at}))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is missing in\n%s", w, text)
			}
		}
	}
}

// TestWordsOnce checks that an action does not name the kind of its target twice, and that the report of
// a quiet shift has no section about a feed that was never lost, and no appendix.
func TestWordsOnce(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	r := handover.Report{From: at.Add(-8 * time.Hour), At: at, Actions: []handover.Action{
		{At: at, Action: "stop campaign", Target: "campaign 304"}, {At: at, Action: "stop campaign", Target: "Win-back"},
	}}
	r.Health = model.Health{Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}}}
	text := handover.Markdown(r)
	for _, want := range []string{" stop campaign 304\n", " stop campaign Win-back\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Feed") || strings.Contains(text, "Appendix") {
		t.Error(text)
	}
	r.Health.Cuts, r.Health.Healed = 1, 1
	if text = handover.Markdown(r); !strings.Contains(text, "## Feed\nLive. Reconnects: 0; connection lost once, restored once;") {
		t.Error(text)
	}
}
