package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// TestManyViewers measures what a server takes for many viewers, each a real client of
// SSH with a terminal of 200x60 on the page Agents: the server, its platform and the
// clients are three processes. It takes a machine that has nothing else to do:
//
//	SERVE_VIEWERS=500 go test ./cli -run ManyViewers -v
func TestManyViewers(t *testing.T) { //nolint:paralleltest // it measures
	viewers, err := strconv.Atoi(os.Getenv("SERVE_VIEWERS"))
	if err != nil {
		t.Skip("SERVE_VIEWERS says how many")
	}
	args := os.Getenv("SERVE_PLATFORM")
	if args == "" {
		args = "--agents 60"
	}
	fo := platform(t, args)
	key := sshKey(t)
	dir := t.TempDir()
	config := configFile(t, fmt.Sprintf("[ui]\ntheme = \"dark\"\n[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n"+
		"[serve]\nlisten = \"127.0.0.1:0\"\nmax_viewers = 2000\nhost_key_file = %q\n", fo.URL, fo.WSURL, filepath.Join(dir, "host"))+
		serveUser("anna", key, "page = \"Agents\""))
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	environ := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOGC=") }) // as it is served
	cmd.Env = append(environ, platformEnv+"=serve --config "+config, "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
	lines, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() }()
	said := bufio.NewReader(out)
	text, err := said.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	addr, _, _ := strings.Cut(strings.TrimPrefix(text, "the board is at "), ",")
	<-time.After(5 * time.Second)
	pid := cmd.Process.Pid
	rest := func(long time.Duration) float64 {
		before, began := processorTime(t, pid), time.Now()
		<-time.After(long)
		return 100 * float64(processorTime(t, pid)-before) / float64(time.Since(began))
	}
	alone := rest(10 * time.Second)
	var received atomic.Int64
	var logins sync.WaitGroup
	room := make(chan struct{}, 16)
	before, began := processorTime(t, pid), time.Now()
	for range viewers {
		logins.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			watchBoard(t, addr, key, &received)
		})
	}
	logins.Wait()
	t.Logf("%d logins in %v, %v of the processor each", viewers, time.Since(began), (processorTime(t, pid)-before)/time.Duration(viewers))
	<-time.After(5 * time.Second)
	_, _ = io.WriteString(lines, "begin\n")
	bytes := received.Load()
	const long = 30 * time.Second
	core := rest(long)
	_, _ = io.WriteString(lines, "end\n")
	t.Logf("%d viewers: %.1f %% of a core (%.1f without any), %.0f MiB, at most %.0f, %d bytes/s each",
		viewers, core, alone, resident(t, pid, "VmRSS"), resident(t, pid, "VmHWM"), (received.Load()-bytes)/int64(long/time.Second)/int64(viewers))
	if os.Getenv(profileEnv) != "" {
		_, _ = said.ReadString('\n')
	}
}

// watchBoard is a viewer who only counts what comes.
func watchBoard(t *testing.T, addr string, key ssh.Signer, received *atomic.Int64) {
	t.Helper()
	c, err := ssh.Dial("tcp", addr, clientConfig(key))
	if err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() { _ = c.Close() })
	s, err := c.NewSession()
	if err != nil {
		t.Error(err)
		return
	}
	_ = s.Setenv("COLORTERM", "truecolor")
	_ = s.Setenv("LANG", "C.UTF-8")
	s.Stdout = countingWriter{received}
	in, err := s.StdinPipe()
	if err == nil {
		err = s.RequestPty("xterm-256color", 60, 200, nil)
	}
	if err == nil {
		err = s.Shell()
	}
	if err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() { _, _ = io.WriteString(in, "") })
}

type countingWriter struct{ n *atomic.Int64 }

func (w countingWriter) Write(b []byte) (int, error) {
	w.n.Add(int64(len(b)))
	return len(b), nil
}
