package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/alert"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/hub"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/report/headless"
	"wallboard/internal/words"
	"wallboard/model"
)

// TestPlain checks that text mode needs no terminal and writes only text.
func TestPlain(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, errs := &lineStop{left: 2, cancel: cancel}, &bytes.Buffer{}
	code := Run(ctx, []string{"--plain", "--every", "0", "--config", s.config}, cmdutil.Streams{In: os.Stdin, Out: out, Err: errs})
	if code != cmdutil.ExitOK || errs.Len() > 0 {
		t.Errorf("exit %d: %s", code, errs)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || lines[0] != "Connecting to the platform." || !strings.Contains(lines[1], "logged in") || !strings.HasSuffix(lines[1], "Nothing needs action.") {
		t.Errorf("it says %q", lines)
	}
	if strings.ContainsAny(out.String(), "\x1b\r\x07") {
		t.Errorf("it says more than text: %q", out)
	}
}

// TestPlainThroughAPipe checks that commands from a pipe are answered as soon as the board has data.
func TestPlainThroughAPipe(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil, quiet())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	in := strings.NewReader("status\nbreaks\nquit\nstatus\n")
	code := Run(ctx, []string{"--plain", "--every", "0", "--config", s.config}, cmdutil.Streams{In: in, Out: &out, Err: &errs})
	if code != cmdutil.ExitOK || errs.Len() > 0 || ctx.Err() != nil {
		t.Errorf("exit %d: %s", code, &errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) < 6 || lines[1] != lines[2] || !strings.Contains(lines[2], "logged in") || !strings.Contains(lines[3], "on a break.") || lines[len(lines)-1] != "Goodbye." {
		t.Errorf("it says %q", lines)
	}
	if strings.Contains(out.String(), words.SpeakHelp().In(nil)) {
		t.Error("it tells a script what to type")
	}
}

func TestPlainWantsAPositiveEvery(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	if code, _, errs := s.run("", "--plain", "--every", "-1s"); code != cmdutil.ExitUsage || !strings.Contains(errs, "--every") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestTellAnswersUntilQuit(t *testing.T) {
	t.Parallel()
	feed, err := feeds.New(feeds.Options{URL: "http://127.0.0.1:1/rtd", WSURL: "ws://127.0.0.1:1/rtd"})
	if err != nil {
		t.Fatal(err)
	}
	h, err := hub.New(hub.Options{Source: feed, Engine: func(model.FloorPart) (*alert.Engine, error) { return alert.New(alert.Options{}) }})
	if err != nil {
		t.Fatal(err)
	}
	v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	typed := make(chan string)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	done := make(chan error)
	go func() {
		speaker := headless.NewSpeaker(headless.SpeakerOptions{Alerts: v})
		talk := headless.TextSession{
			Speakers: headless.NewMultiSpeaker([]string{""}, []*headless.Speaker{speaker}), Latest: []func() *model.Snapshot{v.Latest}, Input: typed, IsInteractive: true,
			Write: func(line string) error { return cmdutil.WriteText(&out, line+"\n") },
		}
		done <- talk.Run(ctx)
	}()
	typed <- "alerts"
	typed <- "quit"
	if err := <-done; err != nil {
		t.Error(err)
	}
	want := words.SpeakHelp().In(nil) + "\nConnecting to the platform.\nNo data yet.\nGoodbye.\n"
	if out.String() != want {
		t.Errorf("it says %q", out.String())
	}
}

// TestPlainTakeOverIsRecorded takes over an alert and quits at once: the recording contains the
// take-over.
func TestPlainTakeOverIsRecorded(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(testkit.PrivateDir(t), "recordings")
	s := newScripts(t, nil, quiet(), fmt.Sprintf("[record]\nenabled = true\ndir = %q\n", folder),
		"[[alert]]\nname = \"staffed\"\nscope = \"service\"\nservices = [\"SRV01\"]\nchannels = [\"CALL\"]\nwhen = \"loggedUsers >= 0\"\nmessage = \"{title} is staffed\"\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	in, keyboard := io.Pipe()
	typed := make(chan string, 2)
	go func() {
		for line := range typed {
			_, _ = io.WriteString(keyboard, line+"\n") // the program reads nothing after it has quit
		}
	}()
	defer close(typed)
	out, told := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, []string{"--plain", "--every", "0", "--config", s.config}, cmdutil.Streams{In: in, Out: told, Err: told})
		told.Close() //nolint:errcheck // it cannot fail
	}()
	typed <- "alerts" // the answer follows once the board has data
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		said = append(said, line)
		switch {
		case strings.Contains(line, "Taken over"):
			typed <- "quit"
		case strings.Contains(line, "is staffed"):
			typed <- "take Sales IT"
		}
	}
	if got := <-code; got != cmdutil.ExitOK {
		t.Fatalf("exit %d: %q", got, said)
	}
	r, err := record.Open(folder)
	if err != nil {
		t.Fatalf("%v; it says %q", err, said)
	}
	defer r.Close() //nolint:errcheck // only read from
	marks := r.Info().Marks
	if !slices.ContainsFunc(marks, func(m record.Mark) bool { return m.Taken.Rule == "staffed" }) {
		t.Errorf("no take-over among %+v; it says %q", marks, said)
	}
}
