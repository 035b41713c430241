package dialog

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

func pressKeys(f *Fields, keys ...string) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
		"space": {Code: tea.KeySpace, Text: " "}, "backspace": {Code: tea.KeyBackspace},
		"ctrl+s": {Code: 's', Mod: tea.ModCtrl}, "ctrl+n": {Code: 'n', Mod: tea.ModCtrl}, "ctrl+p": {Code: 'p', Mod: tea.ModCtrl},
	}
	for _, k := range keys {
		msg, ok := codes[k]
		if !ok {
			msg = tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		}
		f.Update(msg)
	}
}

func typeText(f *Fields, s string) { pressKeys(f, strings.Split(s, "")...) }

func fieldText(f *Fields, w, h int) string {
	return ansi.Strip(strings.Join(f.Lines(w, h), "\n"))
}

// findText returns the position of a text.
func findText(t *testing.T, f *Fields, w, h int, what string) (x, y int) {
	t.Helper()
	for y, l := range strings.Split(fieldText(f, w, h), "\n") {
		if before, _, ok := strings.Cut(l, what); ok {
			return ansi.StringWidth(before), y
		}
	}
	t.Fatalf("no %q in\n%s", what, fieldText(f, w, h))
	return 0, 0
}

func everyKind() []Field {
	return []Field{
		{ID: "id", Label: "Id", Value: "17", ReadOnly: true},
		{ID: "number", Label: "Number", Required: true, Hint: "with the country code"},
		{ID: "account", Label: "Account", Kind: NumberField},
		{ID: "exten", Label: "Extension", Kind: ChoiceField, Choices: []string{"SIP", "EXTERNAL", "MCS_APP_WEBRTC"}},
		{ID: "record", Label: "Record the call", Kind: ToggleField},
		{ID: "service", Label: "Service", Kind: ChoiceField, AnyText: true, Choices: []string{"sales", "support"}},
		{ID: "start", Label: "Start", Kind: DateField, Hidden: true},
		{ID: "text", Label: "Text", Kind: BodyField, Hidden: true},
		{ID: "token", Label: "Token", Kind: SecretField, Hidden: true},
	}
}

func testFields(fields []Field) *Fields {
	return NewFields(fields, FieldOptions{Submit: "Send", Location: time.UTC, Clean: model.CleanText})
}

func TestFillIn(t *testing.T) {
	t.Parallel()
	f := testFields(everyKind())
	typeText(f, "+39 02")
	pressKeys(f, "tab")
	typeText(f, "1x2")
	pressKeys(f, "enter", "right", "down", "y", "tab", "ctrl+n", "ctrl+n", "tab", "enter")
	typeText(f, "2026-01-31 14:30")
	pressKeys(f, "tab")
	typeText(f, "a")
	pressKeys(f, "enter")
	typeText(f, "b")
	pressKeys(f, "tab")
	typeText(f, "s3cret")
	pressKeys(f, "enter")
	if f.Submitted() {
		t.Error("submitted before the button was pressed")
	}
	pressKeys(f, "enter")
	if !f.Submitted() || f.Submitted() {
		t.Errorf("submitted must be reported once; %v\n%s", f.Err(), fieldText(f, 80, 24))
	}
	want := map[string]string{
		"id": "17", "number": "+39 02", "account": "12", "exten": "SIP", "record": Yes, "service": "support",
		"start": "2026-01-31 14:30", "text": "a\nb", "token": "s3cret", "nothing": "",
	}
	got := map[string]string{}
	for id := range want {
		got[id] = f.Value(id)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n, ok := f.Int("account"); n != 12 || !ok {
		t.Errorf("account is %d, %v", n, ok)
	}
	if at, ok := f.Date("start"); !ok || !at.Equal(time.Date(2026, 1, 31, 14, 30, 0, 0, time.UTC)) {
		t.Errorf("start is %v, %v", at, ok)
	}
	if on := f.Bool("record"); on == nil || !*on {
		t.Errorf("record is %v", on)
	}
	if strings.Contains(fieldText(f, 80, 30), "s3cret") {
		t.Error("the secret is drawn")
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	f := testFields(append(everyKind(), Field{ID: "b", Label: "B", Hidden: true, Check: func(v string) error {
		if v != "good" {
			return errors.New("say good")
		}
		return nil
	}}))
	if strings.Contains(fieldText(f, 80, 24), "! ") {
		t.Error("an untouched field has a problem")
	}
	pressKeys(f, "tab")
	if _, y := findText(t, f, 80, 24, "! needed"); y != 2 {
		t.Errorf("the problem is on line %d", y)
	}
	typeText(f, "1-")
	findText(t, f, 80, 24, "a whole number is needed")
	pressKeys(f, "ctrl+s")
	if f.Submitted() {
		t.Error("submitted with problems")
	}
	f.Lines(80, 24)
	if _, y, ok := f.Cursor(); !ok || y != 1 {
		t.Errorf("the cursor is not in the first field with a problem: %d, %v", y, ok)
	}
	if err := f.Err(); err == nil || err.Error() != "Number: needed" {
		t.Errorf("the first problem is %v", err)
	}
	typeText(f, "5")
	f.SetValue("account", "7")
	f.SetValue("b", "bad")
	pressKeys(f, "ctrl+s")
	findText(t, f, 80, 24, "! say good") // hidden fields are shown
	typeText(f, "!")
	f.SetValue("b", "good")
	pressKeys(f, "ctrl+s")
	if !f.Submitted() {
		t.Error("not submitted", f.Err())
	}
}

func TestChanged(t *testing.T) {
	t.Parallel()
	f := testFields([]Field{
		{ID: "a", Value: "one"},
		{ID: "b", Kind: ToggleField, Value: Yes},
		{ID: "c", Kind: ChoiceField, Choices: []string{"no", "yes"}, Value: "odd", Required: true},
		{ID: "d", Kind: BodyField, Value: "x\ny"},
	})
	if f.HasChanges() {
		t.Fatal("changed at the start:", f.Changed())
	}
	typeText(f, "!")
	pressKeys(f, "tab", "n", "tab", "right", "tab")
	typeText(f, "z")
	if d := cmp.Diff([]string{"a", "b", "c", "d"}, f.Changed()); d != "" {
		t.Error(d)
	}
	if got := []string{f.Value("a"), f.Value("b"), f.Value("c"), f.Value("d")}; !cmp.Equal(got, []string{"one!", "no", "no", "x\nyz"}) {
		t.Errorf("%q", got)
	}
	f.SetValue("a", "one")
	pressKeys(f, "shift+tab", "end", "shift+tab", "y")
	if d := cmp.Diff([]string{"d"}, f.Changed()); d != "" {
		t.Error("a value that was changed back:", d)
	}
}

func TestMouse(t *testing.T) {
	t.Parallel()
	f := testFields(everyKind())
	click := func(what string) {
		t.Helper()
		x, y := findText(t, f, 60, 12, what)
		f.Click(x+1, y)
	}
	f.SetValue("number", "12345")
	click("345")
	typeText(f, "x")
	if got := f.Value("number"); got != "123x45" {
		t.Errorf("typed into %q", got)
	}
	click(" yes ")
	if f.Value("record") != Yes {
		t.Error("yes was not picked")
	}
	f.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	click("more fields")
	click("Start") // a click on the label gives the field the keyboard focus
	typeText(f, "2026-01-31")
	if got := f.Value("start"); got != "2026-01-31" {
		t.Errorf("start is %q", got)
	}
	f.Lines(60, 24)
	click2 := func(what string) {
		t.Helper()
		x, y := findText(t, f, 60, 24, what)
		f.Click(x, y)
	}
	click2("Send")
	if !f.Submitted() {
		t.Error("not submitted")
	}
}

// TestScrolls checks that the field with the keyboard focus is visible at any height.
func TestScrolls(t *testing.T) {
	t.Parallel()
	f := testFields(everyKind())
	f.showsHidden = true
	for _, label := range []string{"Number", "Account", "Extension", "Record", "Service", "Start", "Text", "Token", "[ Send"} {
		findText(t, f, 36, 4, "▌ "+label[:4])
		pressKeys(f, "tab")
	}
	findText(t, f, 36, 4, "17") // read-only fields are shown with the first field
	findText(t, f, 36, 4, "↓")
	pressKeys(f, "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown")
	findText(t, f, 36, 4, "Send")
	pressKeys(f, "1")
	findText(t, f, 36, 4, "Number")
}

func TestCursorFollowsWideText(t *testing.T) {
	t.Parallel()
	f := testFields([]Field{{ID: "a", Label: "A", Value: "日本語のとても長いテキスト"}})
	for range 30 {
		f.Lines(20, 3)
		x, _, ok := f.Cursor()
		if !ok || x < 4 || x > 19 {
			t.Fatalf("the cursor is at %d, %v", x, ok)
		}
		pressKeys(f, "left")
	}
}

func TestPasteIsCleaned(t *testing.T) {
	t.Parallel()
	f := testFields([]Field{{ID: "a"}, {ID: "b", Kind: BodyField}})
	f.Update(tea.PasteMsg{Content: "x\x1b[31m\u202ey\nz"})
	pressKeys(f, "tab")
	f.Update(tea.PasteMsg{Content: "1\x1b]0;t\a\r\n2\t\u009b3"})
	for _, id := range []string{"a", "b"} {
		if got := f.Value(id); strings.ContainsAny(got, "\x1b\a\r\t\u009b\u202e") {
			t.Errorf("%s is %q", id, got)
		}
	}
	if got := strings.Count(f.Value("b"), "\n"); got != 1 {
		t.Errorf("%q has not two lines", f.Value("b"))
	}
}

// TestPasteThatDoesNotFit checks that a paste that does not fit is not cut.
func TestPasteThatDoesNotFit(t *testing.T) {
	t.Parallel()
	f := testFields([]Field{
		{ID: "a", Label: "A", MaxLength: 5, Value: "123"},
		{ID: "b", Label: "B", Kind: BodyField, MaxLength: 5 * maxBodyLines, Value: "x"},
	})
	for _, id := range []string{"a", "b"} {
		before := f.Value(id)
		f.Update(tea.PasteMsg{Content: strings.Repeat("4\n", maxBodyLines)})
		if got := f.Value(id); got != before {
			t.Errorf("%s is %q", id, got)
		}
		pressKeys(f, "ctrl+s")
		if f.Submitted() {
			t.Error("submitted without the pasted text")
		}
		findText(t, f, 60, 12, "does not fit")
		f.Update(tea.PasteMsg{Content: "4"})
		if got := f.Value(id); got != before+"4" {
			t.Errorf("%s is %q", id, got)
		}
		pressKeys(f, "tab")
	}
	pressKeys(f, "ctrl+s")
	if !f.Submitted() {
		t.Error("not submitted:", f.Err())
	}
}

// TestOddValuesMayStay checks that an invalid initial value is accepted unless the user changes it.
func TestOddValuesMayStay(t *testing.T) {
	t.Parallel()
	f := testFields([]Field{{ID: "a", Label: "A", Kind: DateField, Value: "soon"}})
	if err := f.Err(); err != nil {
		t.Error(err)
	}
	typeText(f, "er")
	if err := f.Err(); err == nil {
		t.Error("sooner is a date")
	}
}

func TestBodyIsLeftAtItsEdges(t *testing.T) {
	t.Parallel()
	f := testFields([]Field{{ID: "a", Label: "A"}, {ID: "b", Label: "B", Kind: BodyField, Value: "1\n2"}, {ID: "c", Label: "C"}})
	f.Lines(40, 20)
	pressKeys(f, "down", "up")
	typeText(f, "x") // typed into line 1 of field b
	pressKeys(f, "up")
	typeText(f, "y")
	pressKeys(f, "down", "down", "down")
	typeText(f, "z")
	if got := f.Value("a") + "|" + f.Value("b") + "|" + f.Value("c"); got != "y|1x\n2|z" {
		t.Errorf("%q", got)
	}
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	loc := time.FixedZone("there", 3600)
	for in, want := range map[string]time.Time{
		"2026-01-31":                  time.Date(2026, 1, 31, 0, 0, 0, 0, loc),
		" 2026-01-31 14:30 ":          time.Date(2026, 1, 31, 14, 30, 0, 0, loc),
		"2026-01-31 14:30:05":         time.Date(2026, 1, 31, 14, 30, 5, 0, loc),
		"2026-01-31T14:30:05Z":        time.Date(2026, 1, 31, 14, 30, 5, 0, time.UTC),
		"2026-01-31T14:30:05.5-07:00": time.Date(2026, 1, 31, 21, 30, 5, 5e8, time.UTC),
	} {
		if got, err := ParseDate(in, loc); err != nil || !got.Equal(want) {
			t.Errorf("%q is %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "tomorrow", "2026-02-30", "31.01.2026"} {
		if _, err := ParseDate(in, loc); err == nil {
			t.Errorf("%q is a date", in)
		}
	}
	at := time.Date(2026, 1, 31, 14, 30, 5, 0, time.UTC)
	if got, err := ParseDate(FormatDate(at, loc), loc); err != nil || !got.Equal(at) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestKeepsToItsRoom checks that the form keeps its size after any input.
func TestKeepsToItsRoom(t *testing.T) {
	t.Parallel()
	keys := []string{
		"enter", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgdown", "pgup",
		"space", "backspace", "ctrl+s", "ctrl+n", "ctrl+p", "x", "7", "日", "e\u0301", "-",
	}
	rapid.Check(t, func(rt *rapid.T) {
		f := NewFields(everyKind(), FieldOptions{Submit: "Send", ASCII: rapid.Bool().Draw(rt, "ascii")})
		w, h := rapid.IntRange(1, 90).Draw(rt, "w"), rapid.IntRange(0, 12).Draw(rt, "h")
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 40).Draw(rt, "keys") {
			pressKeys(f, k)
			lines := f.Lines(w, h)
			if len(lines) != h {
				rt.Fatalf("%d lines, want %d", len(lines), h)
			}
			for _, l := range lines {
				if got := ansi.StringWidth(l); got != w {
					rt.Fatalf("%q is %d cells wide, want %d", l, got, w)
				}
			}
			if x, y, ok := f.Cursor(); ok && (x < 0 || x > max(w, fieldMargin+2) || y < 0 || y >= h) {
				rt.Fatalf("the cursor is at %d,%d of %dx%d", x, y, w, h)
			}
			f.Click(rapid.IntRange(0, w).Draw(rt, "x"), rapid.IntRange(0, h).Draw(rt, "y"))
		}
	})
}

func TestASCII(t *testing.T) {
	t.Parallel()
	f := NewFields(everyKind(), FieldOptions{Submit: "Send", ASCII: true})
	for range 12 {
		for _, r := range fieldText(f, 36, 6) {
			if r > '~' {
				t.Fatalf("%q in\n%s", r, fieldText(f, 36, 6))
			}
		}
		pressKeys(f, "tab")
	}
}
