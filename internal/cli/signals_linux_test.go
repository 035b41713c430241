package cli

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// program is a process of the program without a terminal.
type program struct {
	t     *testing.T
	cmd   *exec.Cmd
	errs  complaints
	ended chan struct{}
	err   error
}

// startProgram starts a program with a signal disposition, "" for the default, and waits
// for its first line.
func startProgram(t *testing.T, dir, mood string, args ...string) *program {
	t.Helper()
	p := &program{t: t, ended: make(chan struct{})}
	p.cmd = exec.CommandContext(t.Context(), "/bin/sh", "-c", mood+`exec "$0"`, os.Args[0])
	p.cmd.Env = append(os.Environ(), platformEnv+"="+strings.Join(args, " "),
		"HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(args, err, p.errs.String())
	}
	go func() {
		defer close(p.ended)
		_, _ = lines.WriteTo(discard{})
		p.err = p.cmd.Wait()
	}()
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); <-p.ended })
	return p
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

func (p *program) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// says waits for a text on standard error.
func (p *program) says(text string) {
	p.t.Helper()
	for late := time.After(30 * time.Second); !strings.Contains(p.errs.String(), text); {
		select {
		case <-p.ended:
			p.t.Fatalf("it has ended with %v: %s", p.err, p.errs.String())
		case <-late:
			p.t.Fatalf("it does not say %q: %s", text, p.errs.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ends waits for a clean exit.
func (p *program) ends() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		p.t.Fatal("it does not end")
	}
	if p.err != nil {
		p.t.Errorf("it ends with %v: %s", p.err, p.errs.String())
	}
}

// services are the command lines of programs without a terminal.
func services() map[string]string {
	return map[string]string{
		"serve": "serve", "notify": "notify", "metrics": "metrics --addr 127.0.0.1:0",
		"status --follow": "status --follow", "dump --follow": "dump --follow --for 0", "--plain": "--plain --every 1s",
	}
}

// TestHangUpReloads sends SIGHUP to each program without a terminal: it reloads its
// configuration and continues until SIGTERM, as documented in docs/admin/signals.md.
func TestHangUpReloads(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/admin/signals.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range services() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(page), "| `wallboard "+name+"` |") {
				t.Errorf("docs/admin/signals.md has no row of %s", name)
			}
			dir := t.TempDir()
			s := newScripts(t, nil, quiet(), "[[notify]]\nname = \"a\"\ncommand = [\"/bin/true\"]\n",
				"[serve]\nlisten = \"127.0.0.1:0\"\n"+serveUser("anna", sshKey(t), ""))
			text, err := os.ReadFile(s.config)
			if err != nil {
				t.Fatal(err)
			}
			rewrite(t, s.config, strings.ReplaceAll(string(text), "[log]\nfile = \""+s.log+"\"", "[log]\nfile = \"stderr\""))
			p := startProgram(t, dir, "", append(strings.Fields(line), "--config", s.config)...)
			p.signal(syscall.SIGHUP)
			if name == "status --follow" { // which tells of warnings only
				rewrite(t, s.config, "nonsense = 1\n")
				p.says("changed configuration rejected")
			} else {
				p.says("configuration reloaded: no changes")
			}
			p.signal(syscall.SIGTERM)
			p.ends()
		})
	}
}

// TestHangUpIsIgnored starts a service like nohup: SIGHUP does nothing.
func TestHangUpIsIgnored(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	p := startProgram(t, t.TempDir(), "trap '' HUP; ", "metrics", "--addr", "127.0.0.1:0", "--config", s.config)
	p.signal(syscall.SIGHUP)
	<-time.After(300 * time.Millisecond)
	if said := p.errs.String(); strings.Contains(said, "reload") {
		t.Errorf("it says %s", said)
	}
	p.signal(syscall.SIGTERM)
	p.ends()
}

// TestQuitRestoresTheTerminal sends SIGQUIT to a board: the terminal is restored before the
// stacks are printed.
func TestQuitRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	x := newTerminal(t, t.TempDir(), "demo", "--drama=false", "--config", configFile(t, ""))
	x.shows("LIVE")
	x.cmd.Process.Signal(syscall.SIGQUIT) //nolint:errcheck // then it does not end
	<-x.ended
	if !strings.Contains(x.errs.String(), "SIGQUIT: quit") {
		t.Errorf("it ends with %v and says %.200q", x.err, x.errs.String())
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	drawn := x.output.String()
	if set, reset := strings.LastIndex(drawn, ansi.SetModeAltScreenSaveCursor), strings.LastIndex(drawn, ansi.ResetModeAltScreenSaveCursor); reset < set {
		t.Error("the board's screen stays")
	}
}
