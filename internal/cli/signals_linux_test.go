package cli

import (
	"bufio"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
)

// program is a process of the program without a terminal.
type program struct {
	t     *testing.T
	cmd   *exec.Cmd
	errs  complaints
	ended chan struct{}
	err   error
}

// startProgram starts a program after shell commands, for example one that ignores a signal,
// and waits for its first line.
func startProgram(t *testing.T, dir, before string, args ...string) *program {
	t.Helper()
	p, first := launchProgram(t, dir, before, args...)
	if _, ok := <-first; !ok {
		t.Fatal(args, "printed nothing: ", p.errs.String())
	}
	return p
}

// launchProgram is startProgram without waiting. first receives the first line; it is closed if
// there is none.
func launchProgram(t *testing.T, dir, before string, args ...string) (p *program, first <-chan string) {
	t.Helper()
	p = &program{t: t, ended: make(chan struct{})}
	p.cmd = exec.CommandContext(t.Context(), "/bin/sh", "-c", before+`exec "$0"`, os.Args[0])
	p.cmd.Env = append(os.Environ(), platformEnv+"="+strings.Join(args, " "),
		"HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
	p.cmd.Stderr = &p.errs
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // not in an orphaned group, which SIGTSTP does not stop
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make(chan string, 1)
	go func() {
		defer close(p.ended)
		lines := bufio.NewReader(out)
		if text, err := lines.ReadString('\n'); err == nil {
			line <- text
		}
		close(line)
		_, _ = lines.WriteTo(discard{})
		p.err = p.cmd.Wait()
	}()
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); <-p.ended })
	return p, line
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

// ends waits for an exit with one of some codes.
func (p *program) ends(codes ...int) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatal("it does not end")
	}
	if code := p.cmd.ProcessState.ExitCode(); !slices.Contains(codes, code) {
		p.t.Errorf("it ends with %v, should be %v: %s", p.err, codes, p.errs.String())
	}
}

// quits waits for the stacks that SIGQUIT prints.
func (p *program) quits() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatal("it does not end")
	}
	if !wroteStacks(p.cmd.ProcessState, p.errs.String()) {
		p.t.Errorf("it ends with %v and says %.200q", p.err, p.errs.String())
	}
}

// wroteStacks reports whether a process wrote its stacks after SIGQUIT and exited with 2. Go's
// runtime, which does both, rarely crashes while it reads the stacks of a busy machine.
func wroteStacks(end *os.ProcessState, output string) bool {
	status, ok := end.Sys().(syscall.WaitStatus)
	crashed := ok && status.Signaled() && status.Signal() == syscall.SIGSEGV
	return (end.ExitCode() == 2 || crashed) && strings.Contains(output, "SIGQUIT: quit")
}

// becomes waits until the process is stopped, or no longer is.
func (p *program) becomes(stopped bool) {
	p.t.Helper()
	file := "/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/stat"
	for late := time.After(patience); ; {
		stat, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(stat), ") T ") == stopped {
			return
		}
		select {
		case <-late:
			p.t.Fatalf("stopped is not %v: %s, %v", stopped, stat, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// others is the first cell of the last row in the table of docs/admin/signals.md.
const others = "all others"

// cells returns the cells of a command in the table of docs/admin/signals.md by signal. The command "" is
// the board.
func cells(t *testing.T, command string) map[string]string {
	t.Helper()
	if command != others {
		command = "`" + strings.TrimSpace("wallboard "+command) + "`"
	}
	page, err := os.ReadFile("../../docs/admin/signals.md")
	if err != nil {
		t.Fatal(err)
	}
	var head []string
	for line := range strings.Lines(string(page)) {
		row := strings.Split(strings.Trim(line, "| \n"), " | ")
		switch {
		case row[0] == "Command":
			head = row
		case slices.Contains(strings.Split(row[0], ", "), command) && len(row) == len(head):
			out := make(map[string]string)
			for i, signal := range head[1:] {
				out[signal] = row[i+1]
			}
			return out
		}
	}
	t.Fatalf("docs/admin/signals.md has no complete row of %s", command)
	return nil
}

// compareCells compares the cells of a command with what the calling test has checked.
func compareCells(t *testing.T, command string, checked map[string]string) {
	t.Helper()
	if in := cells(t, command); !maps.Equal(in, checked) {
		t.Errorf("docs/admin/signals.md says of %q %q, but the test checks %q", command, in, checked)
	}
}

// services are the command lines of programs without a terminal.
func services() map[string]string {
	return map[string]string{
		"serve": "serve", "notify": "notify", "metrics": "metrics --addr 127.0.0.1:0",
		"status --follow": "status --follow", "dump --follow": "dump --follow --for 0", "--plain": "--plain --every 1s",
	}
}

// TestSignalsOfServices sends all signals of docs/admin/signals.md to each program without a
// terminal, and compares the cells of the table: it stops, continues, reloads its
// configuration, and ends.
func TestSignalsOfServices(t *testing.T) {
	t.Parallel()
	for name, line := range services() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for signal, want := range map[string]string{
				"SIGTSTP": "stops", "SIGCONT": "continues", "SIGHUP": "reads the configuration and the secrets again|as above",
				"SIGINT, SIGTERM": "ends|disconnects everybody and ends", "SIGQUIT": "writes the stacks, exits with 2",
			} {
				cell, _, _ := strings.Cut(strings.ReplaceAll(cells(t, name)[signal], ";", ","), ", all of")
				if cell, _, _ = strings.Cut(cell, ", sessions"); !slices.Contains(strings.Split(want, "|"), cell) {
					t.Errorf("docs/admin/signals.md says that %s %q with %s, should be %q", name, cell, signal, want)
				}
			}
			dir := t.TempDir()
			s := newScripts(t, nil, quiet(), "[[notify]]\nname = \"a\"\ncommand = [\"/bin/true\"]\n",
				"[serve]\nlisten = \"127.0.0.1:0\"\n"+serveUser("anna", sshKey(t), ""))
			text, err := os.ReadFile(s.config)
			if err != nil {
				t.Fatal(err)
			}
			rewrite(t, s.config, strings.ReplaceAll(string(text), "[log]\nfile = \""+s.log+"\"", "[log]\nfile = \"stderr\""))
			args := append(strings.Fields(line), "--config", s.config)
			codes := []int{cmdutil.ExitOK}
			if strings.Contains(name, "--follow") { // depends on the last line
				codes = append(codes, cmdutil.ExitFailed)
			}
			p := startProgram(t, dir, "", args...)
			p.signal(syscall.SIGQUIT)
			p.quits()
			p = startProgram(t, dir, "", args...)
			p.signal(syscall.SIGINT)
			p.ends(codes...)
			p = startProgram(t, dir, "", args...)
			p.signal(syscall.SIGTSTP)
			p.becomes(true)
			p.signal(syscall.SIGCONT)
			p.becomes(false)
			p.signal(syscall.SIGHUP)
			if name == "status --follow" { // this command reports only warnings
				rewrite(t, s.config, "nonsense = 1\n")
				p.says("changed configuration rejected")
			} else {
				p.says("configuration reloaded: no changes")
			}
			p.signal(syscall.SIGTERM)
			p.ends(codes...)
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
	p.ends(cmdutil.ExitOK)
}

// TestSignalsOfSimulator compares the cells of docs/admin/signals.md with the behavior of the simulator.
func TestSignalsOfSimulator(t *testing.T) {
	t.Parallel()
	compareCells(t, "simulator", map[string]string{
		"SIGINT, SIGTERM": "ends", "SIGHUP": "nothing", "SIGQUIT": "writes the stacks, exits with 2", "SIGTSTP": "stops", "SIGCONT": "continues",
	})
	start := func() *program { return startProgram(t, t.TempDir(), "", "simulator", "--addr", "127.0.0.1:0") }
	for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := start()
		p.signal(syscall.SIGTSTP)
		p.becomes(true)
		p.signal(syscall.SIGCONT)
		p.becomes(false)
		p.signal(syscall.SIGHUP)
		select {
		case <-p.ended:
			t.Fatalf("it ends with SIGHUP: %v", p.err)
		case <-time.After(300 * time.Millisecond):
		}
		p.signal(end)
		p.ends(cmdutil.ExitOK)
	}
	p := start()
	p.signal(syscall.SIGQUIT)
	p.quits()
}

// TestSignalsOfOthers compares the last row of docs/admin/signals.md with the behavior of commands that
// wait for a platform that does not answer.
func TestSignalsOfOthers(t *testing.T) {
	t.Parallel()
	compareCells(t, others, map[string]string{
		"SIGINT, SIGTERM": "end", "SIGHUP": "end", "SIGQUIT": "write the stacks, exit with 2", "SIGTSTP": "stop", "SIGCONT": "continue",
	})
	for _, line := range []string{"doctor", "status", "dump", "handover", "campaign list"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			start := func() *program {
				asked, done := make(chan struct{}, 1), make(chan struct{})
				silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					select {
					case asked <- struct{}{}:
					default:
					}
					select {
					case <-r.Context().Done():
					case <-done:
					}
				}))
				t.Cleanup(func() { close(done); silent.Close() })
				config := configFile(t, "[rtd]\nurl = \""+silent.URL+"/rtd\"\naccess_token = \"a\"\n[rest]\nurl = \""+silent.URL+"\"\nauth = \"bearer\"\naccess_token = \"a\"\n")
				p, _ := launchProgram(t, t.TempDir(), "", append(strings.Fields(line), "--config", config)...)
				select {
				case <-asked:
				case <-p.ended:
					t.Fatalf("it ends with %v: %s", p.err, p.errs.String())
				case <-time.After(patience):
					t.Fatal("it does not ask the platform")
				}
				return p
			}
			for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
				p := start()
				p.signal(syscall.SIGTSTP)
				p.becomes(true)
				p.signal(syscall.SIGCONT)
				p.becomes(false)
				p.signal(end)
				p.ends(cmdutil.ExitOK, cmdutil.ExitFailed)
			}
			p := start()
			p.signal(syscall.SIGQUIT)
			p.quits()
		})
	}
}
