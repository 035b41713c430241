package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/cli/command"
	"wallboard/model/resource"
)

func TestTableIsAlignedAndClean(t *testing.T) {
	t.Parallel()
	calls := []resource.Call{{UniqueID: "1", CLID: "\x1b[31m日本\u202e", Service: "SRV01"}, {UniqueID: "1234"}}
	var b bytes.Buffer
	s := &session{streams: command.Streams{Out: &b, Err: io.Discard}}
	if err := showAll(s, calls, column{"CALL", "uniqueId"}, column{"CALLER", "clid"}, column{"SERVICE", "none|service"}); err != nil {
		t.Fatal(err)
	}
	want := "CALL  CALLER      SERVICE\n1     ␛[31m日本\ufffd  SRV01\n1234\n"
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

func TestFieldsOf(t *testing.T) {
	t.Parallel()
	got, err := fieldsOf([]byte(`{"b": "x", "a": 12345678901234567890, "no": null, "at": "2026-11-21T12:00:00.5+01:00", "flag": false, "list": [{"c": 1}], "deep": {"d": 2}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"b", "x"}, {"a", "12345678901234567890"}, {"at", "2026-11-21 11:00:00Z"}, {"flag", "no"}, {"list", `[{"c": 1}]`}, {"deep", `{"d": 2}`}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
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
		err := ask(t.Context(), strings.NewReader(c.answer), io.Discard, "Stop it?", c.word)
		if (err == nil) != c.ok {
			t.Errorf("%q to %q: %v", c.answer, c.word, err)
		}
		if err != nil && exitCode(err) != command.ExitNotSent {
			t.Errorf("exit code %d", exitCode(err))
		}
	}
}

// Nobody answers, and the program is interrupted.
func TestAskIsInterrupted(t *testing.T) {
	t.Parallel()
	in, answer := io.Pipe()
	defer answer.Close() //nolint:errcheck // it ends the reader
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	var refused command.OutcomeError
	if err := ask(ctx, in, io.Discard, "Stop it?", ""); !errors.As(err, &refused) || refused.Outcome != resource.NotSent {
		t.Errorf("%v", err)
	}
}
