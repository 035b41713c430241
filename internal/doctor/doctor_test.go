package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

// said returns the findings of a report as lines: the subject, the verdict and the text.
func said(r *Report) []string {
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, f.About+" "+string(f.Verdict)+" "+f.Text)
	}
	return lines
}

func TestForms(t *testing.T) {
	t.Parallel()
	type payload struct {
		op     string
		answer bool
		text   string
	}
	const full = `{"data":{"userStats":[{"username":"u","channel":"CALL","name":"n","numberCallIn":1,"timeInState":"2026-03-04T10:30:00.000Z","timeInActivityCode":[{"activityCode":"A"},{"activityCode":"B"}]}]}}`
	opening := []payload{{"version", false, `{"data":{"version":{"server":{"major":1}}}}`}, {"userStats", true, full}}
	for name, tt := range map[string]struct {
		payloads []payload
		want     []string
	}{
		"nothing": {nil, nil},
		"no JSON": {[]payload{{"userStats", false, `{"data":`}}, nil},
		"as document 2 shows it": {
			append(opening, payload{"userStats", false, full},
				payload{"userStats", false, `{"data":{"userStats":[{"username":"u","channel":"CALL","name":null,"numberCallIn":2,"timeInState":null,"timeInActivityCode":null}]}}`}),
			[]string{"Dates ok as a text (ISO 8601)", "First message ok whole records", "Unchanged fields ok are null in an update", "Lists ok an update holds the whole list"},
		},
		"otherwise": {
			append(opening, payload{"userStats", false, `{"data":{"userStats":[]}}`},
				payload{"userStats", false, `{"data":{"userStats":[{"username":"u","channel":"CALL","timeInState":1772620200,"timeInActivityCode":[{"activityCode":"A"}]}]}}`}),
			[]string{"Dates note as a number", "First message note at once, but only what changed", "Unchanged fields note are left out of an update", "Lists note an update holds the changed elements only"},
		},
		"nothing before a change": {
			[]payload{{"serviceStats", false, `{"data":{"serviceStats":[{"code":"S","channel":"CALL","userStats":{"readyUsers":{"count":5.0}}}]}}`}},
			[]string{"Numbers note with a fraction (5.0)", "First message note none before something changes"},
		},
		"quoted": {
			[]payload{{"serviceStats", true, `{"data":{"serviceStats":[{"userStats":{"readyUsers":{"count":"5"}}}]}}`}},
			[]string{`Numbers note quoted ("5")`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, r := new(valueForms), new(Report)
			for _, p := range tt.payloads {
				f.examine(p.op, p.answer, []byte(p.text))
			}
			f.addTo(r)
			if d := cmp.Diff(tt.want, said(r)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	asked := time.Date(2026, 3, 4, 10, 30, 0, 0, time.UTC)
	for _, tt := range []struct {
		date time.Time
		want string
	}{
		{time.Time{}, "Clock note the server does not tell its time"},
		{asked, "Clock ok agrees within 2s"},
		{asked.Add(-3 * time.Second), "Clock ok agrees within 2s"}, // the server's time may be up to 1 s later than its whole seconds show
		{asked.Add(-3100 * time.Millisecond), "Clock note the server's clock differs by 2.1s"},
		{asked.Add(3 * time.Second), "Clock ok agrees within 2s"}, // the server may have answered during the request
		{asked.Add(7100 * time.Millisecond), "Clock note the server's clock differs by 2.1s"},
		{asked.Add(time.Hour + 5*time.Second), "Clock note the server's clock differs by 1h0m0s"},
	} {
		r := new(Report)
		r.addClockSkew(realTimeService, tt.date, asked, asked.Add(5*time.Second))
		if d := cmp.Diff([]string{tt.want}, said(r)); d != "" {
			t.Error(d)
		}
	}
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 3, 4, 10, 30, 0, 0, time.UTC)
	state := &tls.ConnectionState{Version: tls.VersionTLS13, PeerCertificates: []*x509.Certificate{{NotAfter: end}}}
	for _, tt := range []struct {
		state *tls.ConnectionState
		left  time.Duration
		want  Verdict
	}{
		{nil, 0, VerdictSkip},
		{new(tls.ConnectionState), 0, VerdictSkip},
		{state, 31 * 24 * time.Hour, VerdictOK},
		{state, 29 * 24 * time.Hour, VerdictNote},
		{state, -time.Second, VerdictFail},
	} {
		r := new(Report)
		r.addCertificate(realTimeService, tt.state, end.Add(-tt.left))
		if got := r.Findings[0]; got.Verdict != tt.want || (tt.want != VerdictSkip) != strings.Contains(got.Text, "TLS 1.3, the certificate ends on 2026-03-04") {
			t.Errorf("%v left: %+v, want %s", tt.left, got, tt.want)
		}
		if r.IsOK() == (tt.want == VerdictFail) {
			t.Errorf("%v left: well is %v", tt.left, r.IsOK())
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	r := new(Report)
	r.checkService(t.Context(), "REST", "[rest]", nil)
	r.checkService(t.Context(), "REST", "[rest]", func(context.Context) (string, string, error) { return "", "", errors.New("refused\x1b[31m") })
	if d := cmp.Diff(Finding{"REST", "Access", VerdictSkip, "not configured", "fill in [rest] to use it"}, r.Findings[0]); d != "" {
		t.Error(d)
	}
	if got := r.Findings[1]; got.Verdict != VerdictFail || strings.Contains(got.Text, "\x1b") || !strings.Contains(got.Text, "refused") {
		t.Errorf("%+v", got)
	}
}

func TestPinGathersTables(t *testing.T) {
	t.Parallel()
	r := new(Report)
	r.addConfig("[a]", "x = 1")
	r.addConfig("[b]", "y = 2")
	r.addConfig("[a]", quotedKey("p.q")+" = 3")
	if d := cmp.Diff([]string{"[a]", `"p.q" = 3`, "x = 1", "[b]", "y = 2"}, r.Config); d != "" {
		t.Error(d)
	}
}

func TestWriteText(t *testing.T) {
	t.Parallel()
	r := &Report{Config: []string{"[rtd]", "x = 1"}}
	r.addFinding("One", "HTTP", VerdictOK, "answers", "")
	r.addFinding("One", "Clock", VerdictNote, strings.Repeat("late ", 30), "set it")
	r.addFinding("Two", "TLS", VerdictFail, "ended", "renew it")
	const want = `One
  + ok    HTTP   answers
  * note  Clock  late late late late late late late late late late late late late late late late late late
                 late late late late late late late late late late late late
                 -> set it

Two
  x fail  TLS    ended
                 -> renew it

To find none of this out again, write into the configuration
  [rtd]
  x = 1
`
	var b strings.Builder
	if err := r.WriteText(&b, true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteJSON(t *testing.T) {
	t.Parallel()
	r := &Report{Config: []string{"[rtd]"}}
	r.addFinding("One", "HTTP", VerdictFail, "refused", "look")
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got Report
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Findings, got.Findings); d != "" || got.IsOK() || len(got.Config) != 1 {
		t.Errorf("%s%+v", d, got)
	}
}

func TestWrapLosesNoWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, width := rapid.String().Draw(t, "text"), rapid.IntRange(1, 100).Draw(t, "width")
		lines := wrap(text, width)
		if got, want := strings.Fields(strings.Join(lines, " ")), strings.Fields(text); len(lines) == 0 || !cmp.Equal(got, want) {
			t.Fatalf("%q became %q", text, lines)
		}
		for _, l := range lines {
			if n := len([]rune(l)); n > width && strings.Contains(l, " ") {
				t.Fatalf("%q has %d characters, more than %d", l, n, width)
			}
		}
	})
}

// TestCampaignSearch reports a failing search for campaigns, with the next try if there is one.
func TestCampaignSearch(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	failed := model.CampaignSearch{Failed: "401 Unauthorized", Since: since, NextTry: since.Add(5 * time.Minute)}
	last := failed
	last.NextTry = time.Time{}
	for _, tt := range []struct {
		search model.CampaignSearch
		want   []string
	}{
		{model.CampaignSearch{}, nil},
		{failed, []string{"Campaigns fail the configuration service does not list them since 10:00:00: 401 Unauthorized; next try in 4m0s"}},
		{last, []string{"Campaigns fail the configuration service does not list them since 10:00:00: 401 Unauthorized"}},
	} {
		r := new(Report)
		r.addHealth(&model.Snapshot{Health: model.Health{Search: tt.search}}, since.Add(time.Minute))
		if d := cmp.Diff(tt.want, said(r)); d != "" {
			t.Error(d)
		}
	}
}

func TestCounters(t *testing.T) {
	t.Parallel()
	store, c, r := model.NewStore(), newCounterHistory(), new(Report)
	var snap *model.Snapshot
	for i, n := range []struct{ received, answered, queued int64 }{{5, 4, 1}, {7, 4, 3}, {8, 7, 1}, {2, 2, 0}} {
		s := model.Service{Code: model.TextOf("S"), Channel: model.Call}
		f := &s.ChannelStats
		f.ReceivedCalls, f.AnsweredCalls, f.QueuedCalls = model.IntOf(n.received), model.IntOf(n.answered), model.IntOf(n.queued)
		f.HangupCalls, f.ClosedCalls = model.IntOf(0), model.IntOf(0)
		store.Services.Put(&s)
		snap = store.Publish(time.Date(2026, 3, 4, 10, 0, i, 0, time.UTC), model.Health{})
		c.compare(snap)
	}
	c.addTo(r, snap, time.Minute)
	want := []string{
		"Counters ok rise and fall, so they are the present state: answeredCalls, queuedCalls, receivedCalls",
		"Reset note received calls fell at 10:00:03 UTC",
		"Sum ok received = answered + abandoned + closed + waiting holds for 1 of 1 services",
	}
	if d := cmp.Diff(want, said(r)); d != "" {
		t.Error(d)
	}
}
