package model_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"wallboard/model"
)

func TestCleanText(t *testing.T) {
	t.Parallel()
	const bad = "\ufffd"
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "Anna O'Neil <3>", "Anna O'Neil <3>"},
		{"letters", "Zoë Müller 日本 Ωμέγα עברית", "Zoë Müller 日本 Ωμέγα עברית"},
		{"escape sequence", "a\x1b[2Jb", "a␛[2Jb"},
		{"title, unterminated", "\x1b]0;owned", "␛]0;owned"},
		{"NUL, BEL, BS, tab, LF, CR, DEL", "\x00\a\b\t\n\r\x7f", "␀␇␈␉␊␍␡"},
		{"C1 CSI as a rune", "\u009b2J", bad + "2J"},
		{"C1 next line", "a\u0085b", "a" + bad + "b"},
		{"C1 CSI as a byte", "\x9b2J", bad + "2J"},
		{"invalid UTF-8", "a\xff\xc3(", "a" + bad + bad + "("},
		{"encoded surrogate", "\xed\xa0\x80", bad + bad + bad},
		{"overlong", "\xc0\xaf", bad + bad},
		{"bidi override", "a\u202eb\u2066c\u061c\u200f", "a" + bad + "b" + bad + "c" + bad + bad},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ad", "a" + bad + "b" + bad + "c" + bad + "d" + bad},
		{"line separators", "a\u2028b\u2029", "a" + bad + "b" + bad},
		{"private use", "\ue000\U000f0000\U0010fffd", bad + bad + bad},
		{"noncharacters", "\ufdd0\ufffe\U0001ffff", bad + bad + bad},
		{"tags", "\U000e0041\U000e007f", bad + bad},
		{"fillers", "\u3164\u115f\uffa0\u2800\u034f\u2065\ufff0", strings.Repeat(bad, 7)},
		{"odd spaces", "a\u00a0b\u2003c\u202fd", "a b c d"},
		{"wide space", "日\u3000本", "日\u3000本"},
		{"musical control", "\U0001d173", bad},
		{"joined emoji", "👩\u200d🚒", "👩\u200d🚒"},
		{"emoji presentation", "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		{"joiner between letters", "a\u200db", "a" + bad + "b"},
		{"joiners in a row", "👩\u200d\u200d", "👩\u200d" + bad},
		{"selector after a letter", "a\ufe0f", "a" + bad},
		{"selectors in a row", "☺\ufe0f\ufe0f", "☺\ufe0f" + bad},
		{"supplementary selector", "a\U000e0100", "a" + bad},
		{"non-joiner in a word", "می\u200cخواهم", "می\u200cخواهم"},
		{"non-joiner alone", " \u200c", " " + bad},
		{"accents", "e\u0301\u0302", "e\u0301\u0302"},
		{"pile of marks", "e" + strings.Repeat("\u0301", 9) + "x", "e\u0301\u0301\u0301\u0301x"},
		{"two piles", "e" + strings.Repeat("\u0301", 5) + "a" + strings.Repeat("\u0301", 5), "e\u0301\u0301\u0301\u0301a\u0301\u0301\u0301\u0301"},
		{"mark without a base", "\u0301x", bad + "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := model.CleanText(c.in, model.MaxName); got != c.want {
				t.Errorf("CleanText(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestCleanTextLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"abcd", 5, "abcd"},
		{"abcd", 4, "abcd"},
		{"abcd", 3, "ab…"},
		{"日本語日本", 4, "日本語…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"", 0, ""},
		{"\x1b\x1b\x1b", 2, "␛…"},
		{"ae\u0301\u0301\u0301\u0301\u0301\u0301", 6, "ae\u0301\u0301\u0301\u0301"}, // dropped marks do not count
	} {
		if got := model.CleanText(c.in, c.limit); got != c.want {
			t.Errorf("CleanText(%q, %d) = %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}

// checkClean fails unless out is a safe version of in for a terminal.
func checkClean(t rapid.TB, in string, limit int) {
	t.Helper()
	out := model.CleanText(in, limit)
	if !utf8.ValidString(out) {
		t.Fatalf("CleanText(%q) = %q: invalid UTF-8", in, out)
	}
	runes := utf8.RuneCountInString(out)
	if runes > limit {
		t.Fatalf("CleanText(%q) = %q: %d runes, limit %d", in, out, runes, limit)
	}
	marks := 0
	for i, r := range out {
		joiner := r == '\u200c' || r == '\u200d'
		switch {
		case unicode.In(r, unicode.Cc, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
			unicode.Noncharacter_Code_Point, unicode.Other_Default_Ignorable_Code_Point),
			unicode.Is(unicode.Cf, r) && !joiner,
			joiner && i == 0:
			t.Fatalf("CleanText(%q) = %q: %U is in it", in, out, r)
		}
		if unicode.In(r, unicode.Mn, unicode.Me) && r != '\ufe0e' && r != '\ufe0f' {
			if marks++; marks > 4 || i == 0 {
				t.Fatalf("CleanText(%q) = %q: mark %d on one base", in, out, marks)
			}
		} else {
			marks = 0
		}
	}
	// The text measurement finds no control sequence, and no rune is wider than two cells.
	if ansi.Strip(out) != out {
		t.Fatalf("CleanText(%q) = %q: a terminal would act on it", in, out)
	}
	if w := max(ansi.StringWidth(out), uniseg.StringWidth(out)); w > 2*runes {
		t.Fatalf("CleanText(%q) = %q: %d cells for %d runes", in, out, w, runes)
	}
	if again := model.CleanText(out, limit); again != out {
		t.Fatalf("CleanText(%q) = %q, and cleaned again %q", in, out, again)
	}
	if limit >= len(in) && (in == "") != (out == "") {
		t.Fatalf("CleanText(%q) = %q: nothing is left to see", in, out)
	}
}

func TestCleanTextIsClean(t *testing.T) {
	t.Parallel()
	hostile := rapid.SampledFrom([]rune(
		"\x00\x07\x1b\x7f\u0085\u009b\u00a0\u00ad\u0301\u0302\u034f\u061c\u115f\u180b\u180e\u200b\u200c\u200d\u200e\u202e" +
			"\u2028\u2066\u20dd\u2800\u3000\u3164\ufe00\ufe0e\ufe0f\ufeff\ufff9\ufffd\ufffe\ue000\U0001f469\U0001f3fb\U0001f1ee" +
			"\u2764aé日\u05d0\u0627\u1100\u1161\u0e33\U000e0041\U000e0100\U0010ffff"))
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 40).Draw(t, "runes") {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				b.WriteByte(rapid.Byte().Draw(t, "byte"))
			case 1:
				b.WriteRune(rapid.Rune().Draw(t, "rune"))
			default:
				b.WriteRune(hostile.Draw(t, "hostile"))
			}
		}
		checkClean(t, b.String(), rapid.IntRange(0, 60).Draw(t, "limit"))
	})
}

func FuzzCleanText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "\x1b[31mred", "\u009b2J", "a\u202eb", "👩\u200d🚒", "e\u0301\u0301\u0301\u0301\u0301",
		"\xed\xa0\x80", "❤\ufe0f\u200d🔥", "می\u200cخواهم", "\U000e0041", strings.Repeat("x", 300),
	} {
		f.Add(s, 256)
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 0 || limit > 1<<16 {
			t.Skip("no such limit")
		}
		checkClean(t, s, limit)
	})
}

func TestSplitName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "EMEA": "EMEA", "noAnswerAttempts": "no answer attempts", "SMSLimit": "SMS limit", "userID": "user ID", "P1": "p1",
		"SLA1": "SLA1", "VIP-Queue": "VIP-Queue", "answered15": "answered15", "call2Agent": "call2 agent", "Service Level": "Service Level", "öÄn": "ö än",
	} {
		if got := model.SplitCamelCase(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// TestCleanTextDoesNotCopyPlainText checks that plain text is returned without a copy.
func TestCleanTextDoesNotCopyPlainText(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	s := strings.Repeat("agent 007 ", 20)
	if n := testing.AllocsPerRun(100, func() { _ = model.CleanText(s, model.MaxName) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
