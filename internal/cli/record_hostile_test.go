package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// hostileTexts contain control sequences, text direction marks, line breaks, formulas and
// quotes.
var hostileTexts = []string{
	"\x1b]0;owned\a\x1b[2J", "\u009b2J\u009d0;owned\u009c", "a\r\nb\n", "\u202eevil\u2066", "=cmd|' /C calc'!A0", "+1;-1,@SUM(1)", `q"uo"te\`, "\u2028\u0085\u200b",
	"</script><b>x</b>", "*a* | `b` [c](http://x)", "\xff\xfe",
}

// hostileRecording returns a recording in which all names are hostile.
func hostileRecording(t *testing.T) (dir string) {
	t.Helper()
	dir = testkit.PrivateDir(t)
	about := record.Metadata{Platform: hostileTexts[0], Names: "full", Board: hostileTexts[1]}
	for i, text := range hostileTexts {
		about.Codes = append(about.Codes, record.Code{Kind: "service", Code: fmt.Sprint("S", i), Name: text}, record.Code{Kind: text, Code: text, Name: text})
	}
	tape, err := record.NewBatchWriter(dir, about)
	if err != nil {
		t.Fatal(err)
	}
	st, from := model.NewStore(), time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	for at := from; at.Before(from.Add(5 * time.Minute)); at = at.Add(10 * time.Second) {
		for i, text := range hostileTexts {
			s := &model.Service{Channel: model.Call}
			s.Code = model.TextOf(fmt.Sprint("S", i))
			s.ChannelStats.QueuedCalls = model.IntOf(9)
			s.ChannelStats.MaxTimeCallOnQueue = model.IntOf(600)
			s.ChannelStats.ReceivedCalls = model.IntOf(int64(at.Sub(from) / time.Second))
			st.Services.Put(s)
			own := *s
			own.Code = model.TextOf(text)
			st.Services.Put(&own)
			u := &model.User{Username: model.TextOf(text), Name: model.TextOf(text), Surname: model.TextOf(text)}
			st.Users.Put(u)
			c := &model.Campaign{CampaignID: model.IntOf(int64(i))}
			st.Campaigns.Put(c)
		}
		h := model.Health{
			Link: model.Link{State: model.LinkUp, LastFrame: at, Reason: hostileTexts[0]}, Notice: hostileTexts[1],
			Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive, Records: 1, LastData: at, VerifiedAt: at, Reason: hostileTexts[2]}},
		}
		if err := tape.Add(st.Publish(at, h)); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range hostileTexts {
		m := record.Mark{At: from.Add(time.Duration(i) * 10 * time.Second), Kind: record.MarkNote, Text: text, Taken: model.TakenAlert{Rule: text, Scope: text, Code: text, By: text}}
		if i == 0 {
			m.Kind = record.MarkKind(text)
		}
		if err := tape.WriteMark(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// strange returns the part of a text that must not reach a terminal or an editor, or "".
func strange(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsGraphic(r) }); i >= 0 {
			return fmt.Sprintf("%.60q", line[i:])
		}
	}
	return ""
}

// TestHostileRecording checks the output of all commands on a hostile recording.
func TestHostileRecording(t *testing.T) {
	t.Parallel()
	dir := hostileRecording(t)
	out := func(name string) string { return filepath.Join(testkit.PrivateDir(t), name) }
	part, given, film, rule := out("part.wbr"), out("given.wbr"), out("a.cast"), configFile(t, "[ui]\n")
	for _, args := range [][]string{
		{"record", "ls", dir},
		{"record", "ls", dir, "--json"},
		{"record", "info", dir},
		{"record", "info", dir, "--json"},
		{"record", "info", dir, "--of", "nobody"},
		{"record", "cat", dir, "--every", "1m"},
		{"record", "cut", dir, "--out", part},
		{"record", "info", part},
		{"record", "cat", part, "--every", "1m"},
		{"record", "export", dir, "--names", "hidden", "--out", given},
		{"record", "info", given},
		{"record", "cat", given, "--every", "1m"},
		{"record", "cast", dir, "--from", "4m", "--to", "3m", "--speed", "10", "--out", film},
		{"alerts", "try", dir, "--base", rule, "--all"},
		{"alerts", "try", dir, "--base", rule, "--json"},
		{"alerts", "report", dir},
		{"alerts", "report", dir, "--json"},
		{"history", "intervals", dir},
		{"history", "intervals", dir, "--format", "markdown"},
		{"history", "intervals", dir, "--format", "html"},
		{"history", "intervals", dir, "--json"},
	} {
		code, text, errs := run(t, args...)
		if refuses := args[len(args)-1] == "nobody"; (code != 0) != refuses {
			t.Errorf("%v: %d, %s", args, code, errs)
		}
		for _, s := range []string{text, errs} {
			if found := strange(s); found != "" {
				t.Errorf("%v: %s", args, found)
			}
		}
		if args[len(args)-1] == "--json" && !json.Valid([]byte(text)) {
			t.Errorf("%v: no JSON", args)
		}
	}
	harmlessCast(t, film)
	harmlessCells(t, dir)
}

// harmlessCast checks a cast of hostile texts.
func harmlessCast(t *testing.T, film string) {
	t.Helper()
	frames, err := os.ReadFile(film)
	if err != nil {
		t.Fatal(err)
	}
	if found := strange(string(frames)); found != "" || strings.Contains(string(frames), "]0;owned\\u0007") {
		t.Errorf("the cast has %s", found)
	}
	marks := 0
	for line := range strings.Lines(string(frames)) {
		var event []any
		if json.Unmarshal([]byte(line), &event) == nil && len(event) == 3 && event[1] == "m" {
			if marks++; strange(fmt.Sprint(event[2])) != "" || strings.Contains(fmt.Sprint(event[2]), "\n") {
				t.Errorf("a mark of the cast: %q", event[2])
			}
		}
	}
	if marks == 0 {
		t.Error("the cast has no mark")
	}
}

// harmlessCells checks exports for spreadsheets.
func harmlessCells(t *testing.T, dir string) {
	t.Helper()
	_, cells, _ := run(t, "history", "intervals", dir, "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(cells)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strange(cell) != "" || strings.IndexAny(cell, "=+-@\t\r") == 0 {
				t.Errorf("a cell is %q", cell)
			}
		}
	}
}
