package doctor

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

func at(minute, second int) time.Time {
	return time.Date(2026, 11, 29, 10, minute, second, 0, time.UTC)
}

// files writes a bundle and returns its files.
func files(t *testing.T, b *Bundle) map[string]string {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(&out, at(0, 0)); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(text)
	}
	return got
}

// TestHide replaces names and secrets in a text from outside. Numbers and short names stay within words.
func TestHide(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		names      []string
		text, want string
	}{
		{[]string{"Anna Rossi", "anna", "Li", "x", "SRV01"}, "ANNA ROSSI (anna) and Li of SRV01 like a list of x", "[hidden] ([hidden]) and [hidden] of [hidden] like a list of x"},
		{[]string{"12", "301", "4711"}, "12 lines for 301, user 4711; 13015 and T301, 10.014Z", "12 lines for [hidden], user [hidden]; 13015 and T301, 10.014Z"},
		{[]string{"Öz", "李", "Ø"}, "agent Öz left, agent ÖZ; 李 or 李明, ø", "agent [hidden] left, agent [hidden]; [hidden] or [hidden]明, [hidden]"},
		{[]string{"Li"}, "éLi, Lié, Li-Li", "éLi, Lié, [hidden]-[hidden]"},
		{[]string{"Rossi Bianchi", "Anna Rossi", "Anna"}, "Anna Rossi Bianchi, Annamaria, Anna Ros", "[hidden], [hidden]maria, [hidden] Ros"},
		{[]string{"rossi", "Anna Rossi Bianchi"}, "Anna Rossi B.", "Anna [hidden] B."},
		{[]string{"…", "--"}, "a … b -- c", "a … b -- c"},
		{nil, "s3cr&t pw, s3cr%26t+pw", "[hidden], [hidden]"},
	} {
		var b Bundle
		b.AddExternal("a.txt", "", tt.text)
		b.Hide(tt.names...)
		b.HideSecrets(secret.New("s3cr&t pw"))
		if got := files(t, &b)["a.txt"]; got != tt.want {
			t.Errorf("%q hidden: got %s\nwant %s", tt.names, got, tt.want)
		}
	}
}

// TestHideTakesTimeInProportion hides the names of 5,000 agents, some of which resemble the text.
func TestHideTakesTimeInProportion(t *testing.T) {
	t.Parallel()
	names := []string{strings.Repeat("a", 500) + "b", strings.Repeat("a ", 300) + "b", "key=key=key"}
	for i := range 5000 {
		names = append(names, fmt.Sprintf("agent.number-%05d", i), fmt.Sprintf("Surname %d of many", i))
	}
	h := newHider(names)
	testkit.CheckLinear(t, append(testkit.TextPatterns(), testkit.Pattern{Repeated: "agent.number-0"}), func(text string) { h.hide(text) })
}

// TestWrite lists all files and what was left out. A password that is a word of the program hides it
// only in texts from outside.
func TestWrite(t *testing.T) {
	t.Parallel()
	var b Bundle
	b.HideSecrets(secret.New("bundle"), secret.New("ready"), secret.New("hidden"))
	b.Add("hour.csv", "what it is", "agents,ready\n")
	b.AddExternal("log.txt", "the log", "logged in with ready, got hidden\n")
	b.AddOmission("recordings", "they contain names")
	got := files(t, &b)
	if len(got) != 3 || got["hour.csv"] != "agents,ready\n" || !strings.Contains(got["README.txt"], "hour.csv") || !strings.Contains(got["README.txt"], "recordings: they contain names") {
		t.Errorf("%q", got)
	}
	if want := "logged in with [hidden], got [hidden]\n"; got["log.txt"] != want {
		t.Errorf("%q", got["log.txt"])
	}
}

func TestConfiguration(t *testing.T) {
	t.Parallel()
	const text = `
[rtd]
url = "https://contact.example.com/tenant-seven"
auth = "login"
username = "anna.rossi"
password = "hunter2-password"
campaigns = [7, 8]
[[rtd.names]]
kind = "service"
code = "S-GOLD"
name = "Gold customers"
[record]
enabled = true
max_age = "48h"
[[notify]]
name = "floor manager"
webhook = "https://hook.example.com/T0/secret-path"
severity = "critical"
[[builtin]]
rule = "longest wait"
warning = "20s"
`
	c, err := config.Parse(text, "c.toml", config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := BundleConfiguration(c)
	for _, want := range []string{
		"rtd.url = (set, https)\n", "rtd.auth = login\n", "rtd.username = (set)\n", "rtd.password = (set)\n", "rtd.campaigns = (2 values)\n",
		"rtd.names[0].kind = service\n", "rtd.names[0].name = (set)\n", "record.enabled = true\n", "record.max_age = 48h\n", "[notify, number 1]\n",
		"builtin[0].rule = longest wait\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	for _, private := range []string{"example.com", "tenant", "anna", "hunter2", "GOLD", "Gold", "floor manager", "secret-path"} {
		if strings.Contains(got, private) {
			t.Errorf("the text has %q", private)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	hidden := strings.Join(ConfigurationTexts(c), "\n")
	for _, want := range []string{"anna.rossi", "contact.example.com", "tenant-seven", "S-GOLD", "Gold customers", "floor manager"} {
		if !strings.Contains(hidden, want) {
			t.Errorf("%q is not hidden in other texts", want)
		}
	}
}

func TestConfigurationErrors(t *testing.T) {
	t.Parallel()
	_, err := config.Parse("[rtd]\nurl = \"ftp://host-of-ours\"\nanna_rossi = 1\n", "c.toml", config.Options{})
	problems, ok := err.(config.Errors) //nolint:errorlint // Parse documents it
	if !ok {
		t.Fatal(err)
	}
	got := BundleConfigurationErrors(problems)
	if !strings.Contains(got, "line 2: rtd.url has an error\n") || !strings.Contains(got, "line 3: (a key that is not known)") || strings.Contains(got, "anna") || strings.Contains(got, "host-of-ours") {
		t.Error(got)
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	const text = `time=2026-11-29T16:33:45.014Z level=WARN msg="problem with a message" operation=users error="unknown user \"anna.rossi\" of 10.0.0.7" since_last=0
panic: Anna Rossi
time=2026-11-29T16:33:46.014Z level=INFO msg="viewer connected" user=anna from=10.0.0.8 took=2.5s
time=2026-11-29T16:33:47.014Z level=INFO msg="not closed
`
	const want = `time=2026-11-29T16:33:45.014Z level=WARN msg="problem with a message" operation=users error=… since_last=0
time=2026-11-29T16:33:46.014Z level=INFO msg="viewer connected" user=… from=… took=2.5s
`
	got, dropped := BundleLog(text)
	if d := cmp.Diff(want, got); d != "" || dropped != 2 {
		t.Errorf("%s dropped %d", d, dropped)
	}
}

// TestHour writes a line for each minute, and finds the names of the records.
func TestHour(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	var last *model.Snapshot
	snapshots := func(yield func(*model.Snapshot, error) bool) {
		for i, second := range []int{0, 30, 60} {
			s := model.Service{Code: model.TextOf("SRV01"), Channel: model.Call}
			s.ChannelStats.QueuedCalls, s.ChannelStats.ReceivedCalls = model.IntOf(int64(i)), model.IntOf(int64(10+i))
			store.Services.Put(&s)
			u := model.UserStat{Username: model.TextOf("anna"), Surname: model.TextOf("Rossi"), AgentFigures: model.AgentFigures{Channel: model.Call}}
			u.Status = model.Ready
			store.UserStats.Put(&u)
			last = store.Publish(at(second/60, second%60), model.Health{})
			if !yield(last, nil) {
				return
			}
		}
	}
	const want = `time,channel,services,agents,ready,waiting,received,answered,in_time,abandoned,subscriptions_not_live
2026-11-29T10:00:00Z,CALL,1,1,1,0,10,,,,0
2026-11-29T10:01:00Z,CALL,1,1,1,2,12,,,,0
`
	got, err := BundleHour(snapshots)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"Rossi", "SRV01", "anna"}, SnapshotNames(last)); d != "" {
		t.Error(d)
	}
}
