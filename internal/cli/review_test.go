package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// recordIncident writes a recording of an hour in which contacts wait at a service from 08:30 to 08:40.
// It contains the marks of the incident, of a take-over and of an action, and has a gap after 08:50. Two
// other services have an incident without an end: that of Billing began before the gap, that of Orders
// before the end of the recording.
func recordIncident(t *testing.T) (dir string) {
	t.Helper()
	dir = testkit.PrivateDir(t)
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	w, err := record.NewBatchWriter(dir, record.Metadata{Platform: "elsewhere/rtd", Names: "full", Zone: record.Zone{Name: "UTC"}})
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	for at := from; at.Before(from.Add(time.Hour)); at = at.Add(10 * time.Second) {
		minute := at.Sub(from) / time.Minute
		if minute == 50 || minute == 51 {
			continue
		}
		s := &model.Service{Channel: model.Call}
		s.Code = model.TextOf("S1")
		s.ChannelStats.QueuedCalls, s.ChannelStats.MaxTimeCallOnQueue, s.ChannelStats.ReceivedCalls = model.IntOf(0), model.IntOf(0), model.IntOf(100+int64(minute))
		s.ChannelStats.AnsweredCalls, s.ChannelStats.HangupCalls = model.IntOf(90+int64(minute)), model.IntOf(10)
		if minute >= 30 && minute < 40 {
			s.ChannelStats.QueuedCalls, s.ChannelStats.MaxTimeCallOnQueue = model.IntOf(3), model.IntOf(int64(60*(minute-29)))
		}
		st.Services.Put(s)
		health := model.Health{
			Link:          model.Link{State: model.LinkUp, LastFrame: at},
			Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, Records: 1, LastData: at, VerifiedAt: at}},
		}
		if err := w.Add(st.Publish(at, health)); err != nil {
			t.Fatal(err)
		}
	}
	began, ended := from.Add(31*time.Minute), from.Add(40*time.Minute)
	taken := model.TakenAlert{Rule: "any wait", Scope: "service", Code: "S1", Channel: model.Call, Level: 1}
	in := model.Incident{
		ID: "1", Scope: "service", Code: "S1", Channel: model.Call, Title: "Sales", Level: 1, Began: began, Headline: "3 calls waited",
		Alerts: []model.IncidentAlert{{TakenAlert: taken, Text: "3 waiting", Since: from.Add(30 * time.Minute), Raised: began}},
	}
	in.Causes = []model.IncidentCause{{Kind: "surge", Text: "more calls since the newsletter of 08:28"}}
	over := in
	over.Ended, over.Alerts = ended, []model.IncidentAlert{in.Alerts[0]}
	over.Alerts[0].Ended, over.Alerts[0].By, over.Alerts[0].TakenAt = ended, "Maria", began.Add(time.Minute)
	unended := func(code, title string, minute time.Duration) error {
		one := in
		one.ID, one.Code, one.Title, one.Began, one.Alerts = code, code, title, from.Add(minute*time.Minute), slices.Clone(in.Alerts)
		one.Alerts[0].Code, one.Alerts[0].Since, one.Alerts[0].Raised = code, one.Began, one.Began
		return w.WriteMark(record.Mark{At: one.Began, Kind: model.MarkIncident, Incident: &one})
	}
	if err := errors.Join(
		w.WriteMark(record.Mark{At: began, Kind: model.MarkIncident, Incident: &in}),
		w.WriteMark(record.Mark{At: began.Add(2 * time.Minute), Kind: record.MarkAction, Text: "Stop campaign: Win-back, confirmed"}),
		w.WriteMark(record.Mark{At: ended, Kind: model.MarkIncident, Incident: &over}),
		unended("S2", "Billing", 45), unended("S3", "Orders", 55),
		w.WriteMark(record.Mark{At: from.Add(56 * time.Minute), Kind: model.MarkNote, Taken: model.TakenAlert{
			Rule: in.Alerts[0].Rule, Scope: in.Alerts[0].Scope, Code: "S3", Channel: in.Alerts[0].Channel, By: "Anna",
		}}), w.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestReview checks the review of an incident at a time of a recording, with a backtest of its rules, and
// the answers for times without an incident.
func TestReview(t *testing.T) {
	t.Parallel()
	dir := recordIncident(t)
	config := configFile(t, "[[alert]]\nname = \"any wait\"\nscope = \"service\"\nwhen = \"queuedCalls > 0\"\nseverity = \"warning\"\nfor = \"1m\"\n\n"+
		"[[playbook]]\nrule = \"any wait\"\nsteps = [\"Open the overflow\"]\n")
	out := filepath.Join(t.TempDir(), "review.md")
	for name, tt := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"review": {[]string{"--at", "08:35"}, 0, []string{
			"# Incident review: Sales\n", "08:31–08:40, 9:00", "3 calls waited", "- 08:31:00 began\n", "- 08:33:00 stop campaign Win-back, confirmed", "## Cause\n- More calls since the newsletter of 08:28.\n",
			"- [ ] Do: Open the overflow", "“any wait” with `any wait.for=0s` would have alerted at 08:30:00, 1:00 earlier; since 08:00 it would have raised 1 alert instead of 1.",
			"with `any wait.for=30s` would have alerted at 08:30:30, 0:30 earlier", "- Replay it: `wallboard play " + dir + " --config " + config + " --at '2026-03-02 08:31:00'`\n",
			"- Save it: `wallboard record cut " + dir + " --config " + config + " --from '2026-03-02 08:21:00' --to '2026-03-02 08:50:00' --out incident.wbr`\n", "- 08:32:00 taken over by Maria\n", "take-over by Maria: ",
		}},
		"json": {[]string{"--at", "08:35", "--json"}, 0, []string{`"place": "Sales"`, `"began": "2026-03-02T08:31:00Z"`, "\"causes\": [\n    \"More calls since", `"markdown": "# Incident review: Sales\n`}},
		"gap": {[]string{"--at", "08:47"}, 0, []string{
			"# Incident review: Billing\n", "since 08:45, still open after 4:50 when the recording stopped at 08:49, warning.", "- 08:49:50 still open when the recording stopped\n",
		}},
		"open":        {[]string{"--at", "08:57"}, 0, []string{"since 08:55, still open after 4:50 when the recording stopped at 08:59, warning.", "- 08:56:00 taken over by Anna\n", "take-over by Anna: "}},
		"open, json":  {[]string{"--at", "08:57", "--json"}, 0, []string{`"open": true`}},
		"place":       {[]string{"--at", "08:35", "--place", "sal"}, 0, []string{"# Incident review: Sales\n"}},
		"other place": {[]string{"--at", "08:35", "--place", "tech"}, 1, []string{`no incident at 2 Mar 08:35 has a name with "tech"; there were: Sales`}},
		"no incident": {[]string{"--at", "08:20"}, 1, []string{"no incident was open at 2 Mar 08:20; the nearest one: Sales from 2 Mar 08:31 to 08:40"}},
		"no time":     {nil, 2, []string{"--at is missing"}},
		"bad time":    {[]string{"--at", "soon"}, 2, []string{`"soon"`}},
		"file":        {[]string{"--at", "08:35", "--out", out}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, text, errs := run(t, append([]string{"review", dir, "--config", config}, tt.args...)...)
			if code != tt.code {
				t.Errorf("exit code %d: %s", code, errs)
			}
			if name == "file" {
				content, err := os.ReadFile(out)
				if err != nil || !strings.HasPrefix(string(content), "# Incident review") {
					t.Errorf("%q, %v", content, err)
				}
			}
			for _, w := range tt.want {
				if !strings.Contains(text+errs, w) {
					t.Errorf("no %q in:\n%s%s", w, text, errs)
				}
			}
		})
	}
}

// TestCastHasNoMarksOfIncidents checks that a cast contains only the marks that have a text.
func TestCastHasNoMarksOfIncidents(t *testing.T) {
	t.Parallel()
	cast := filepath.Join(t.TempDir(), "a.cast")
	if code, _, errs := run(t, "record", "cast", recordIncident(t), "--speed", "600", "--config", configFile(t, "[ui]\n"), "--out", cast); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	text, err := os.ReadFile(cast)
	if err != nil {
		t.Fatal(err)
	}
	var marks []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `,"m",`) {
			marks = append(marks, strings.TrimSpace(line))
		}
	}
	if want := []string{`[3.3,"m","action: Stop campaign: Win-back, confirmed"]`}; !slices.Equal(marks, want) {
		t.Errorf("%q", marks)
	}
}
