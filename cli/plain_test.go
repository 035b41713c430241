package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/cli/command"
	"wallboard/feeds"
	"wallboard/hub"
	"wallboard/model"
	"wallboard/plain"
)

// A board in lines of text needs no terminal, and sends it nothing but text.
func TestPlain(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, errs := &lineStop{left: 2, cancel: cancel}, &bytes.Buffer{}
	code := Run(ctx, []string{"--plain", "--every", "0", "--config", s.config}, command.Streams{In: os.Stdin, Out: out, Err: errs})
	if code != command.ExitOK || errs.Len() > 0 {
		t.Errorf("exit %d: %s", code, errs)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || lines[0] != "Connecting to the platform." || !strings.Contains(lines[1], "logged in") || !strings.HasSuffix(lines[1], "Nothing needs you.") {
		t.Errorf("it says %q", lines)
	}
	if strings.ContainsAny(out.String(), "\x1b\r\x07") {
		t.Errorf("it says more than text: %q", out)
	}
}

// What comes through a pipe is answered once there is something to tell.
func TestPlainThroughAPipe(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	in := strings.NewReader("status\nquit\nstatus\n")
	code := Run(ctx, []string{"--plain", "--every", "0", "--config", s.config}, command.Streams{In: in, Out: &out, Err: &errs})
	if code != command.ExitOK || errs.Len() > 0 || ctx.Err() != nil {
		t.Errorf("exit %d: %s", code, &errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || lines[1] != lines[2] || !strings.Contains(lines[2], "logged in") || lines[3] != "Goodbye." {
		t.Errorf("it says %q", lines)
	}
	if strings.Contains(out.String(), plain.Help) {
		t.Error("it tells a script what to type")
	}
}

func TestPlainWantsAPositiveEvery(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	if code, _, errs := s.run("", "--plain", "--every", "-1s"); code != command.ExitUsage || !strings.Contains(errs, "--every") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestTellAnswersUntilQuit(t *testing.T) {
	t.Parallel()
	feed, err := feeds.New(feeds.Options{URL: "http://127.0.0.1:1/rtd", WSURL: "ws://127.0.0.1:1/rtd"})
	if err != nil {
		t.Fatal(err)
	}
	h, err := hub.New(hub.Options{Source: feed, Engine: func(model.Part) (*alert.Engine, error) { return alert.New(alert.Options{}) }})
	if err != nil {
		t.Fatal(err)
	}
	v, err := h.Viewer(hub.Sight{Names: model.NamesFull}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	typed := make(chan string)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	done := make(chan error)
	go func() {
		speaker := plain.New(plain.Options{Alerts: v, Situations: v.Situations()})
		s := &speech{floors: []*spokenFloor{{viewer: v, speaker: speaker}}, all: plain.NewSeveral([]string{""}, []*plain.Speaker{speaker})}
		done <- s.tell(ctx, typed, true, nil, &out)
	}()
	typed <- "alerts"
	typed <- "quit"
	if err := <-done; err != nil {
		t.Error(err)
	}
	want := plain.Help + "\nConnecting to the platform.\nNothing is known of the floor yet.\nGoodbye.\n"
	if out.String() != want {
		t.Errorf("it says %q", out.String())
	}
}
