package handover

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
	"wallboard/model/contact"
)

// TestBusyShiftFitsAPage has sixty services, each in trouble over and over.
func TestBusyShiftFitsAPage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	r := Report{At: at.Add(8 * time.Hour), From: at}
	open := alert.Alert{
		Rule: "longest wait", Text: "Sales: 4 waiting, longest wait 1:10", Level: alert.Critical, Worst: alert.Critical, Since: at,
		Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call},
	}
	sit := situation.Situation{
		Place: situation.Place{Key: open.Key, Title: "Sales"}, Level: alert.Critical, Since: at, Headline: "4 callers wait, the longest 1:10. Nobody is ready.",
		Causes: []diagnosis.Cause{{Text: "2 times as many calls come as before."}}, Times: 3, Total: 4 * time.Minute,
	}
	sit.CriticalSince = at
	for n := range 60 {
		sit.Place.Key.Code = fmt.Sprint("S", n)
		r.Situations.Live = append(r.Situations.Live, sit)
		r.Situations.Today = append(r.Situations.Today, sit)
		r.Services = append(r.Services, Service{
			Name: "Sales", Channel: model.Call, OffTarget: true, Goal: alert.DefaultGoal(), Calls: model.ServiceCalls{
				ReceivedCalls: model.IntOf(100), AnsweredCalls: model.IntOf(60), HangupCalls: model.IntOf(40), AnsweredCallsUnderSpeedLimit: model.IntOf(50),
			},
		})
		r.Campaigns = append(r.Campaigns, Campaign{Name: "Renewals"})
	}
	for _, ch := range []model.Channel{model.Call, model.Video, model.Chat, model.MailACD, model.LiveHelp} {
		r.Channels = append(r.Channels, ChannelFloor{Channel: ch})
	}
	for _, kind := range []contact.Kind{contact.Inbound, contact.Outbound, contact.Video, contact.Chat} {
		r.Baseline = append(r.Baseline, contact.Comparison{
			Day:      contact.Day{Kind: kind, Date: r.At, At: r.At, Hours: []contact.Hour{{Start: r.At, Count: 118, Known: true}}},
			Baseline: contact.Baseline{Kind: kind, Weekday: r.At.Weekday()}, SoFar: contact.Band{Median: 100, Low: 90, High: 110, Days: 4},
		})
	}
	for n := range 60 {
		for again := range 6 {
			a := open
			a.Key.Code, a.Since = "S"+string(rune('A'+n)), at.Add(time.Duration(again)*time.Hour)
			a.Ended = a.Since.Add(40 * time.Second)
			r.Alerts = append(r.Alerts, a)
		}
	}
	r.Past = situation.SummarizePast(nil, model.Names{}, r.Alerts, nil)
	for n := range 30 {
		r.Actions = append(r.Actions, Action{At: at.Add(time.Duration(n) * time.Minute), UserName: "anna", Action: "dial", Target: "0471 123456", Outcome: "confirmed"})
	}
	text := Markdown(r)
	named := regexp.MustCompile(`(?m)^- also critical: .*$`) // the names of critical situations are never cut
	if n := CountLines(named.ReplaceAllString(text, "- also critical")); n > pageLines {
		t.Errorf("it has %d lines:\n%s", n, text)
	}
	for _, want := range []string{
		"**60 things need somebody now, the gravest: Sales: 4 callers wait, the longest 1:10; 60 services off target today; 60 things came and went.**",
		"- **Sales**: 4 callers wait, the longest 1:10. Nobody is ready. **CRITICAL** since 09:00, 3 times today, 4:00 in total.\n", "  - why: 2 times as many calls come as before.\n",
		"- also critical: Sales, Sales,", "- also critical: Sales (4:00), Sales (4:00)", "2 of the 60 that are off target are shown.", "and 58 more campaigns", "- today, too: 59 more off target: Sales, Sales, Sales and 56 others",
		"- Sales: critical, 6 times since 09:00, 4:00 in total, the last until 14:00: 4 waiting, longest wait 1:10\n", "- 28 earlier: `wallboard audit` lists all",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}
