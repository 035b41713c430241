package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// command runs a command line as the server's user and returns the output.
func (x *measuredServer) command(line string) string {
	x.t.Helper()
	cmd := exec.CommandContext(x.t.Context(), os.Args[0])
	cmd.Env = append(x.env, platformEnv+"="+line)
	out, err := cmd.CombinedOutput()
	if err != nil {
		x.t.Fatal(err, string(out))
	}
	return string(out)
}

// TestServeWho lists sessions as text and JSON, and ends one.
func TestServeWho(t *testing.T) {
	t.Parallel()
	anna := sshKey(t)
	x := measureServer(t, "--agents 10", "", serveUser("anna", anna, "page = \"Agents\""))
	r := look(t, x.addr, anna, 120, 40)
	r.shows("LIVE")
	said := x.command("serve who")
	words := regexp.MustCompile(`^anna \(view, full\) from 127\.0\.0\.1 for [0-9:]+, [0-9.]+ kB/s, drawing ([0-9.]+) % of a core\n$`).FindStringSubmatch(said)
	if words == nil || words[1] == "0.00" {
		t.Errorf("it says %q", said)
	}
	var doc struct {
		Viewers []struct {
			User    string
			Since   time.Time
			Sent    int64   `json:"bytesSent"`
			Drawing float64 `json:"drawingSeconds"`
		}
	}
	if err := json.Unmarshal([]byte(x.command("serve who --json")), &doc); err != nil {
		t.Fatal(err)
	}
	if v := doc.Viewers; len(v) != 1 || v[0].User != "anna" || v[0].Sent < 1000 || v[0].Drawing <= 0 || time.Since(v[0].Since) > time.Minute {
		t.Errorf("%+v", doc)
	}
	nobody := exec.CommandContext(t.Context(), os.Args[0])
	nobody.Env = append(x.env, platformEnv+"=serve kick nobody")
	if said, _ := nobody.CombinedOutput(); !strings.Contains(string(said), `no user "nobody"`) {
		t.Errorf("kick of an unknown user says %q", said)
	}
	if said := x.command("serve kick anna"); said != "1 session has ended.\n" {
		t.Errorf("it says %q", said)
	}
	if err := r.session.Wait(); !isStatus(err, 1) {
		t.Errorf("a session that is ended ends with %v", err)
	}
	if said := x.command("serve who"); strings.Contains(said, "anna") {
		t.Errorf("the ended session is still listed: %q", said)
	}
	for _, v := range x.env {
		if state, is := strings.CutPrefix(v, "XDG_STATE_HOME="); is {
			if text, err := os.ReadFile(filepath.Join(state, "wallboard", "audit.jsonl")); err == nil && strings.Contains(string(text), "viewer-kick") {
				return
			}
		}
	}
	t.Error("the record of actions does not have it")
}
