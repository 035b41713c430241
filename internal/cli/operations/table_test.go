package operations

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"wallboard/internal/cli/cmdutil"
	"wallboard/model/resource"
)

func TestTableIsAlignedAndClean(t *testing.T) {
	t.Parallel()
	calls := []resource.Call{{UniqueID: "1", CLID: "\x1b[31m日本\u202e", Service: "SRV01"}, {UniqueID: "1234"}}
	var b bytes.Buffer
	s := &invocation{streams: cmdutil.Streams{Out: &b, Err: io.Discard}}
	if err := printRows(s, calls, Column{"CALL", "uniqueId"}, Column{"CALLER", "clid"}, Column{"SERVICE", "none|service"}); err != nil {
		t.Fatal(err)
	}
	want := "CALL  CALLER      SERVICE\n1     ␛[31m日本\ufffd  SRV01\n1234\n"
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word, answer string
		ok           bool
	}{
		{"", "y\n", true},
		{"", "YES\n", true},
		{"", "\n", false},
		{"", "", false},
		{"", "yesterday\n", false},
		{"Renewals", "Renewals\n", true},
		{"Renewals", "renewals\n", false},
		{"Renewals", "y\n", false},
	} {
		err := askConfirmation(t.Context(), strings.NewReader(c.answer), io.Discard, "Stop it?", c.word)
		if (err == nil) != c.ok {
			t.Errorf("%q to %q: %v", c.answer, c.word, err)
		}
		if refused := (cmdutil.UnconfirmedError{}); err != nil && (!errors.As(err, &refused) || refused.ExitCode() != cmdutil.ExitNotSent) {
			t.Errorf("%q to %q: %v", c.answer, c.word, err)
		}
	}
}

// TestAskIsInterrupted checks that a pending question is interrupted.
func TestAskIsInterrupted(t *testing.T) {
	t.Parallel()
	in, answer := io.Pipe()
	defer answer.Close() //nolint:errcheck // it ends the reader
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	var refused cmdutil.UnconfirmedError
	if err := askConfirmation(ctx, in, io.Discard, "Stop it?", ""); !errors.As(err, &refused) || refused.Outcome != resource.OutcomeNotSent {
		t.Errorf("%v", err)
	}
}

func TestParseMoment(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"":                          {},
		"24h":                       now.Add(-24 * time.Hour),
		"-30m":                      now.Add(-30 * time.Minute),
		"2026-11-20T10:00:00+01:00": time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
		"2026-11-20":                time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
		"2026-11-20 17:45":          time.Date(2026, 11, 20, 17, 45, 0, 0, time.UTC),
	} {
		if got, err := parseAuditTime(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
	if _, err := parseAuditTime("yesterday", now); err == nil {
		t.Error("yesterday is no time")
	}
}

func TestSizeOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "0 characters", "a": "1 character", strings.Repeat("ж", 71): "71 characters as 2 SMS"} {
		if got := describeLength(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
