package ui

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
)

// raw returns the output that a message causes in addition to the frame.
func (b *board) raw(msg tea.Msg) string {
	b.t.Helper()
	_, cmd := b.Update(msg)
	out := ""
	for _, m := range messages(cmd) {
		if r, ok := m.(tea.RawMsg); ok {
			out += fmt.Sprint(r.Msg)
		}
	}
	return out
}

// copied returns the text that a key sends to the clipboard.
func (b *board) copied(msg tea.Msg) string {
	b.t.Helper()
	_, text, _ := strings.Cut(strings.TrimSuffix(b.raw(msg), "\a"), "\x1b]52;c;")
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(out)
}

func TestCopy(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	b.press("2", "down", "ctrl+y")
	b.shows("This terminal has no clipboard.")
	b.send(tea.EnvMsg{"TERM=xterm-256color"})

	lines := strings.Split(b.copied(keyPress("ctrl+y")), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "Service\t") || strings.Count(lines[0], "\t") != strings.Count(lines[1], "\t") {
		t.Fatalf("the row is %q", lines)
	}
	name, _, _ := strings.Cut(lines[1], "\t")
	b.shows(name + " sent to the terminal's clipboard.")

	b.press(":")
	b.words("copy the table")
	rows := strings.Split(strings.TrimSpace(b.copied(keyPress("enter"))), "\n")
	b.shows("12 rows of services sent to the terminal's clipboard.")
	if len(rows) != 13 || strings.ContainsAny(strings.Join(rows, ""), "\x1b·") {
		t.Errorf("the table is %q", rows)
	}

	b.press("1", "home")
	b.press("2", "7")
	if got := b.copied(keyPress("ctrl+y")); !strings.Contains(got, ": ") || strings.Contains(got, "\t") {
		t.Errorf("the sentence is %q", got)
	}
	b.press("w")
	if got := b.copied(keyPress("ctrl+y")); !strings.HasPrefix(got, "Why: ") || strings.Contains(got, "\x1b") {
		t.Errorf("the explanation is %q", got)
	}
}

// TestCopyKeepsTheOrder checks that a copied table has the rows of the screen in their order, with
// pins and groups.
func TestCopyKeepsTheOrder(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	b.send(tea.EnvMsg{"TERM=xterm"})
	b.press("4")
	copied := func() (names []string) {
		t.Helper()
		b.press(":")
		b.words("copy the table")
		for _, line := range strings.Split(strings.TrimSpace(b.copied(keyPress("enter"))), "\n")[1:] {
			name, _, _ := strings.Cut(line, "\t")
			names = append(names, name)
		}
		return names
	}
	compare := func(what string) {
		t.Helper()
		names, lines := copied(), strings.Split(b.text(), "\n")[4:]
		for _, name := range names[:min(len(names), 30)] {
			y := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, name) })
			if y < 0 {
				t.Fatalf("%s: %s is not below the rows before it of\n%s\ncopied: %q", what, name, b.text(), names)
			}
			lines = lines[y+1:]
		}
	}
	b.press("s", "down", "down", "down")
	pinned, _, _ := strings.Cut(strings.Split(b.copied(keyPress("ctrl+y")), "\n")[1], "\t")
	b.press("ctrl+t", "home")
	if got := copied()[0]; got != pinned {
		t.Errorf("the first row is %s, want %s", got, pinned)
	}
	compare("pinned")
	b.press("b")
	if got := copied()[0]; got != "Billing" {
		t.Errorf("the first line is %s, want the first group", got)
	}
	b.press("b", "*")
	compare("groups")
	if len(copied()) > 12 {
		t.Error("rows of folded groups are copied")
	}
}

// TestCopyOfAll checks that a table that is too large for a clipboard is cut at a row.
func TestCopyOfAll(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, newTestFloor(5000), 200, 45)
	b.send(tea.EnvMsg{"TERM=xterm"})
	b.press("4", ":")
	b.words("copy the table")
	got := b.copied(keyPress("enter"))
	b.shows(", only the first ")
	if !strings.HasSuffix(got, "\n") || len(got) > 64<<10 {
		t.Errorf("%d bytes, at the end %q", len(got), got[max(len(got)-50, 0):])
	}
}

// TestDesktopNotification checks that a new critical situation is shown on the desktop once, if the
// viewer wants that, and that the window title counts.
func TestDesktopNotification(t *testing.T) {
	t.Parallel()
	for _, enabled := range []bool{false, true} {
		b := newBoardOn(t, quietFloor(), 120, 40, func(o *Options) { o.Alarm = AlarmSignals{Title: enabled, Desktop: enabled} })
		b.send(tea.EnvMsg{"TERM=xterm"})
		b.floor.wait(model.Call, 61)
		b.Now = b.Now.Add(time.Second)
		got := b.raw(snapshotMsg{Snapshot: b.floor.publish()})
		if strings.Contains(got, "\x1b]9;Bolzano: ▲ Sales Italy") != enabled {
			t.Errorf("%v: %q", enabled, got)
		}
		want := "Bolzano"
		if enabled {
			want = "▲ 1 Sales Italy – Bolzano"
		}
		if title := b.View().WindowTitle; title != want {
			t.Errorf("the title is %q, want %q", title, want)
		}
		b.floor.wait(model.Chat, 61)
		b.Now = b.Now.Add(time.Second)
		if got := b.raw(snapshotMsg{Snapshot: b.floor.publish()}); strings.Contains(got, "\x1b]9;") {
			t.Errorf("a second one at once: %q", got)
		}
	}
}
