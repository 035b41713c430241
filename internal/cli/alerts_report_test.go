package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/backtest"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// TestAlertsReport checks the report about the alert rules over a recording.
func TestAlertsReport(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	folder := filepath.Join(dir, "rec")
	from := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	taped(t, folder, "127.0.0.1:1/rtd", from, 0)
	config := configFile(t, fmt.Sprintf("[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[record]\ndir = %q\n", folder))
	for name, tt := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"text":          {nil, 0, []string{"quarters of an hour in which a service missed its level: ", "rule ", "before a miss", "longest wait", "No step of a playbook"}},
		"a part":        {[]string{"--from", "30m"}, 0, []string{"longest wait"}},
		"json":          {[]string{"--json"}, 0, []string{`"Misses"`, `"Fired"`, `"Measures"`}},
		"a file":        {[]string{folder}, 0, []string{"service level"}},
		"nothing there": {[]string{filepath.Join(dir, "none")}, 1, []string{"none"}},
		"no time":       {[]string{"--from", "soon"}, 2, []string{`"soon"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, errs := run(t, append([]string{"alerts", "report", "--config", config}, tt.args...)...)
			if code != tt.code {
				t.Errorf("exit code %d: %s", code, errs)
			}
			for _, w := range tt.want {
				if !strings.Contains(out+errs, w) {
					t.Errorf("no %q in:\n%s%s", w, out, errs)
				}
			}
		})
	}
}

// TestAlertsReportCountsMarks checks that take-overs in a recording of another machine are
// counted.
func TestAlertsReportCountsMarks(t *testing.T) {
	t.Parallel()
	dir, from := testkit.PrivateDir(t), time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	tape, err := record.NewBatchWriter(dir, record.Metadata{Platform: "elsewhere/rtd", Names: "full"})
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	for at := from; at.Before(from.Add(30 * time.Minute)); at = at.Add(10 * time.Second) {
		s := &model.Service{Channel: model.Call}
		s.Code = model.TextOf("S1")
		s.ChannelStats.QueuedCalls = model.IntOf(0)
		if m := at.Sub(from) / time.Minute; m == 10 || m == 20 {
			s.ChannelStats.QueuedCalls = model.IntOf(3)
		}
		st.Services.Put(s)
		health := model.Health{
			Link:          model.Link{State: model.LinkUp, LastFrame: at},
			Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, Records: 1, LastData: at, VerifiedAt: at}},
		}
		if err := tape.Add(st.Publish(at, health)); err != nil {
			t.Fatal(err)
		}
	}
	took := model.TakenAlert{Rule: "any wait", Scope: "service", Code: "S1", Channel: model.Call, Level: 1, By: "Maria"}
	if err := errors.Join(tape.WriteMark(record.Mark{At: from.Add(10*time.Minute + 30*time.Second), Kind: record.MarkNote, Text: "Taken over", Taken: took}), tape.Close()); err != nil {
		t.Fatal(err)
	}
	config := configFile(t, "[[alert]]\nname = \"any wait\"\nscope = \"service\"\nwhen = \"queuedCalls > 0\"\nseverity = \"warning\"\n")
	code, out, errs := run(t, "alerts", "report", dir, "--json", "--config", config)
	var rep backtest.RuleReport
	if err := json.Unmarshal([]byte(out), &rep); code != 0 || err != nil {
		t.Fatal(code, err, errs)
	}
	for i := range rep.Rules {
		if r := &rep.Rules[i]; r.Name == "any wait" {
			if r.Fired != 2 || r.TakenOver != 1 || r.WithoutAck != 1 {
				t.Errorf("%+v", r)
			}
			return
		}
	}
	t.Errorf("no such rule:\n%s", out)
}
