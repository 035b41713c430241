package netconn_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/testkit"
)

// at starts a program that answers each question with the words of the question. It returns the socket of the
// program once the program is listening.
func at(t *testing.T) netconn.ControlSocket {
	t.Helper()
	d := netconn.ControlSocket{Path: filepath.Join(testkit.PrivateDir(t), "state", "desk.sock"), Timeout: time.Minute, MaxQuestion: 64}
	ended := make(chan error, 1)
	go func() {
		ended <- d.AnswerQuestions(t.Context(), func(_ context.Context, question string, out *json.Encoder) {
			for w := range strings.FieldsSeq(question) {
				_ = out.Encode(w)
			}
		})
	}()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	for !d.IsListening(t.Context()) {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v", err)
		default:
		}
	}
	return d
}

func asked(t *testing.T, d netconn.ControlSocket, question string) ([]string, error) {
	t.Helper()
	var out []string
	err := netconn.AskSocket(t.Context(), d, question, func(s *string) error {
		out = append(out, *s)
		return nil
	})
	return out, err
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	d := at(t)
	for _, question := range []string{"who", "kick anna", ""} {
		got, err := asked(t, d, question)
		if want := strings.Fields(question); err != nil || !slices.Equal(got, want) {
			t.Errorf("asked %q: %q, %v", question, got, err)
		}
	}
	if got, err := asked(t, d, strings.Repeat("x", 65)); len(got) != 0 || err != nil && !errors.Is(err, netconn.ErrNoListener) {
		t.Errorf("a question without an end: %q, %v", got, err)
	}
	info, err := os.Stat(d.Path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others may ask: %v", info.Mode())
	}
	stop := errors.New("enough")
	if err := netconn.AskSocket(t.Context(), d, "a b", func(*string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("who asked had enough: %v", err)
	}
	if err := netconn.AskSocket(t.Context(), d, "a", func(*int) error { return nil }); !errors.Is(err, netconn.ErrNoListener) {
		t.Errorf("an answer of another form: %v", err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	d := netconn.ControlSocket{Path: filepath.Join(testkit.PrivateDir(t), "desk.sock"), Timeout: time.Minute, MaxQuestion: 64}
	if d.IsListening(t.Context()) {
		t.Error("taken")
	}
	if _, err := asked(t, d, "who"); !errors.Is(err, netconn.ErrNoListener) {
		t.Error(err)
	}
}
