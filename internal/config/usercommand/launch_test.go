package usercommand

import (
	"context"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/internal/control/audit"
	"wallboard/model/resource"
)

// notes records what was written.
type notes struct {
	intents []audit.Intent
	results []audit.Result
}

func (n *notes) Begin(in audit.Intent) (func(audit.Result) error, error) {
	n.intents = append(n.intents, in)
	return func(r audit.Result) error { n.results = append(n.results, r); return nil }, nil
}

func anna() Record { return Record{"user": "anna.rossi", "name": "Anna Rossi", "channel": "CALL"} }

func TestProblems(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]Command{
		"":                      {Program: []string{"/bin/crm", "--user", "{user}"}},
		"needs either":          {},
		"either a program":      {Program: []string{"crm"}, Link: "https://crm/"},
		"has no program":        {Program: []string{"{user}"}},
		"is not an address":     {Link: "javascript:alert(1)"},
		"and a host":            {Link: "https://{user}.example.com/"},
		"only after them":       {Link: "https://crm{name}"},
		"unknown word":          {Program: []string{"crm", "{secret}"}},
		"unknown word {callIn":  {Program: []string{"crm", "{callInfo.}"}},
		"not allowed in an arg": {Program: []string{"crm", "a\x00b"}},
	} {
		if got := c.Problem(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%v: %q, want %q", c, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	c := Command{Program: []string{"crm", "--user={user}", "{name}", "$(id)"}}
	got, err := c.expandArgs(anna())
	if want := []string{"crm", "--user=anna.rossi", "Anna Rossi", "$(id)"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	for name, value := range map[string]string{"option": "-rf", "long": strings.Repeat("a", maxValueBytes+1), "escape": "a\x1b[2J", "line": "a\nb", "bidi": "a\u202eb", "nothing": "", "no text": "\xff"} {
		r := anna()
		r["name"] = value
		if got, err := c.expandArgs(r); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestLinkLeadsNowhereElse puts any name into a link: host, path and the names of the query
// stay as configured.
func TestLinkLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	c := Command{Link: "https://crm.example.com/agents/{user}?name={name}&x=1"}
	rapid.Check(t, func(rt *rapid.T) {
		r := Record{"user": rapid.StringN(1, 40, -1).Draw(rt, "user"), "name": rapid.StringN(1, 40, -1).Draw(rt, "name")}
		args, err := c.expandArgs(r)
		if err != nil {
			return
		}
		u, err := url.Parse(args[len(args)-1])
		if err != nil || u.Host != "crm.example.com" || u.Path != "/agents/"+r["user"] || len(u.Query()) != 2 || u.Query().Get("name") != r["name"] || u.Fragment != "" {
			rt.Errorf("%q: %v", args, err)
		}
	})
}

func TestRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	t.Setenv("WALLBOARD_PASSWORD", "hunter2")
	n := &notes{}
	d := &Runner{Audit: n}
	for _, tt := range []struct {
		name, script, said, err, outcome string
	}{
		{"said", "echo one; printf 'two \\033[31mred'", "two ␛[31mred", "", "confirmed"},
		{"secrets", "echo \"$WALLBOARD_PASSWORD.\"", ".", "", "confirmed"},
		{"argument", "echo \"$0 $1\"", "sh anna.rossi", "", "confirmed"},
		{"fails", "echo broken; exit 3", "", "it ended with status 3: broken", "unknown"},
		{"input", "cat; echo end", "end", "", "confirmed"},
		{"hangs", "sleep 60", "", "it was stopped after", "unknown"},
	} {
		c := Command{Name: tt.name, Program: []string{"/bin/sh", "-c", tt.script, "sh", "{user}"}, Timeout: 20 * time.Second}
		if tt.name == "hangs" {
			c.Timeout = 50 * time.Millisecond
		}
		said, err := d.Run(context.Background(), &c, anna())
		if said != tt.said || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q, %v", tt.name, said, err)
		}
		if last := len(n.results) - 1; n.results[last].Outcome != tt.outcome || n.intents[last].Target != "user anna.rossi" || n.intents[last].Parameters["command"] != tt.name {
			t.Errorf("%s: written down as %v, %v", tt.name, n.intents[last], n.results[last])
		}
	}
	if _, err := d.Run(context.Background(), &Command{Program: []string{"/no/such/program"}, Timeout: time.Second}, nil); err == nil || n.results[len(n.results)-1].Outcome != "not sent" {
		t.Errorf("a program that is not there: %v, %v", err, n.results[len(n.results)-1])
	}
	if _, err := d.Run(context.Background(), &Command{Program: []string{"/bin/echo", "{service}"}, Timeout: time.Second}, anna()); err == nil {
		t.Error("a command about a service runs about an agent")
	}
}

// TestCommandsAboutACall checks the words for the call of an agent, and that a call without one of
// them is named.
func TestCommandsAboutACall(t *testing.T) {
	t.Parallel()
	c := Command{Link: "https://crm/{number}/{callInfo.order}"}
	if problem := c.Problem(); problem != "" || !c.NeedsCall() || !c.AcceptsRecord(anna()) || c.AcceptsRecord(Record{"service": "S"}) {
		t.Errorf("a command about a call: %q", problem)
	}
	call := resource.Call{CLID: "+39 02 1234", UniqueID: "7", CallInfo: map[string]string{"order": "a/b"}}
	got, err := c.expandArgs(anna().WithCall(&call))
	if err != nil || got[len(got)-1] != "https://crm/%2B39%2002%201234/a%2Fb" {
		t.Errorf("%q, %v", got, err)
	}
	call.CallInfo = nil
	if _, err := c.expandArgs(anna().WithCall(&call)); err == nil || !strings.Contains(err.Error(), "{callInfo.order}") {
		t.Errorf("without the entry: %v", err)
	}
	call.CLID, call.CallInfo = "-x", map[string]string{"order": "1"}
	program := Command{Program: []string{"crm", "{number}"}}
	if _, err := program.expandArgs(anna().WithCall(&call)); err == nil {
		t.Error("a number that is an option")
	}
}
