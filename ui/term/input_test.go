package term

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
)

// decoded returns the events for the input b, which arrives in pieces of n bytes.
func decoded(b []byte, n int) []uv.Event {
	var all []uv.Event
	var d Decoder
	take := func(e uv.Event) { all = append(all, e) }
	for len(b) > 0 {
		k := min(n, len(b))
		d.Feed(b[:k], take)
		b = b[k:]
	}
	if d.Wait() > 0 {
		d.Flush(take)
	}
	return all
}

// read returns the events of ultraviolet's own reader.
func read(t *testing.T, b []byte) []uv.Event {
	t.Helper()
	events, all := make(chan uv.Event), []uv.Event(nil)
	done := make(chan error, 1)
	go func() {
		done <- uv.NewTerminalReader(bytes.NewReader(b), "xterm-256color").StreamEvents(context.Background(), events)
	}()
	for {
		select {
		case e := <-events:
			switch e.(type) {
			case uv.PasteStartEvent, uv.PasteEndEvent: // the paste event between them contains the text
			default:
				all = append(all, e)
			}
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
	}
}

// TestKeysAreThoseOfBubbleTea sends common keys, in pieces of any size.
func TestKeysAreThoseOfBubbleTea(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{
		"q", "Hello, world", "ü日本語🙂", "e\u0301", "👨‍👩‍👧", "\r", "\t", "\x7f", "\x03", "\x00", " ", "\x1b[A", "\x1b[B\x1b[C\x1b[D", "\x1bOA", "\x1bOP", "\x1b[11~", "\x1b[15~",
		"\x1b[3~", "\x1b[5~\x1b[6~", "\x1b[H\x1b[F", "\x1b[1~", "\x1b[Z", "\x1b[1;5A", "\x1b[27u", "\x1b[97;5u", "\x1b[27;5;13~", "\x1bx", "\x1bü", "\x1b\r", "\x1b\x1b[A",
		"\x1b[<0;10;20M\x1b[<0;10;20m", "\x1b[<64;1;1M", "\x1b[<32;5;6M", "\x1b[I\x1b[O", "\x1b[200~two\nlines, \x1b[31mé\x1b[201~x", "\x1b]11;rgb:1e1e/1e1e/2e2e\x07", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
		"\x1b[?2026;2$y", "\x1b[?2027;0$y", "\x1b[?1u", "\x1bP1+r524742\x1b\\", "\x1bP>|xterm(390)\x1b\\",
	} {
		want := read(t, []byte(keys))
		for _, n := range []int{1, 2, 3, 7, 4096} {
			if strings.Contains(keys, "\u200d") || strings.Contains(keys, "\u0301") && n < 4 {
				n = 4096 // a combining mark that arrives later counts as a separate key
			}
			if diff := cmp.Diff(want, decoded([]byte(keys), n)); diff != "" {
				t.Errorf("%q in pieces of %d bytes (-ultraviolet +here):\n%s", keys, n, diff)
			}
		}
	}
}

// TestKeyThatMayBeTheBeginningOfASequence waits for input that does not arrive.
func TestKeyThatMayBeTheBeginningOfASequence(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{"\x1b": "esc", "\x1b[": "alt+[", "\x1bO": "alt+shift+o", "\x1b]": "alt+]", "\x1bP": "alt+shift+p"} {
		got := decoded([]byte(keys), 1)
		if len(got) != 1 || fmt.Sprint(got[0]) != want {
			t.Errorf("%q is %v, should be %s", keys, got, want)
		}
	}
}

// TestHostileInput sends invalid input, then a key, which must arrive.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("1;", 40) + "1"
	for name, b := range map[string]string{
		"more parameters than a parser has room for": "\x1b[" + many + "A",
		"the same after a mark":                      "\x1b!" + "\x1b[" + many + "m",
		"the same in eight bits":                     "\xe0\x9b" + many + "A\x9b" + many + "A",
		"in a device control string":                 "\x1bP" + many + "q\x1b\\",
		"in a string that another one ends":          "\x1b]\x9c\x9b" + many + "A\x18",
		"in two bytes":                               "\x1b[<" + strings.Repeat(":", 70) + "M",
		"a sequence without an end":                  "\x1b[" + strings.Repeat("9", 1<<16) + "~",
		"a string without an end":                    "\x1b]11;" + strings.Repeat("rgb:", 1<<14) + "\x07",
		"a key that was pressed 65535 times":         "\x1b[65;30;97;1;0;65535_",
		"a window of 65535 columns":                  "\x1b[8;65535;65535t\x1b[48;65535;65535;1;1t",
		"escapes":                                    strings.Repeat("\x1b", 200) + "\x1b[",
		"no UTF-8":                                   strings.Repeat("\xff\xc3\xe2\x82", 1000),
		"marks without end":                          "e" + strings.Repeat("\u0301", 1000),
	} {
		events := decoded([]byte(b+"\x18\x1b[31~Z"), 4096)
		var last uv.Event
		for _, e := range events {
			if _, is := e.(uv.WindowSizeEvent); is {
				t.Errorf("%s: %v", name, e)
			}
			last = e
		}
		if len(events) > maxEventBurst || fmt.Sprint(last) != "Z" && fmt.Sprint(last) != "shift+z" {
			t.Errorf("%s: %d events, the last of them %v", name, len(events), last)
		}
	}
}

// TestKeysBeyondWhatAPersonTypes sends ten million keys in one second; only as many as a person can type
// are passed on.
func TestKeysBeyondWhatAPersonTypes(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	d := Decoder{Now: func() time.Time { return now }}
	n := 0
	for range 100 {
		d.Feed(bytes.Repeat([]byte("j"), 100_000), func(uv.Event) { n++ })
		now = now.Add(10 * time.Millisecond)
	}
	if n < maxEventBurst || n > maxEventBurst+maxEventRate {
		t.Errorf("%d keys of ten million in a second", n)
	}
	now = now.Add(time.Minute)
	n = 0
	d.Feed([]byte("jjj"), func(uv.Event) { n++ })
	if n != 3 {
		t.Errorf("%d keys of three a minute later", n)
	}
}

// TestPasteIsNeverKeys pastes more than the limits allow: no part of the text may arrive as keys.
func TestPasteIsNeverKeys(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	d := Decoder{Now: func() time.Time { return now }}
	take := func(e uv.Event) {
		if p, is := e.(uv.PasteEvent); !is || len(p.Content) > maxPasteLen {
			t.Fatalf("%T %v", e, e)
		}
	}
	for range maxEventBurst + 10 {
		d.Feed([]byte("\x1b[200~"+strings.Repeat("q", 100)+"\x1b[20"), take)
		d.Feed([]byte("1~"), take)
	}
	d.Feed([]byte("\x1b[200~"), take)
	for range 100 {
		d.Feed(bytes.Repeat([]byte("q"), 10_000), take)
	}
	if d.Wait() != pasteTimeout || cap(d.paste)+cap(d.buf) > 3*maxPasteLen {
		t.Errorf("%d and %d bytes are kept", cap(d.paste), cap(d.buf))
	}
	d.Flush(take)
	if d.Wait() != 0 {
		t.Error("it goes on")
	}
}

// TestTimeOfDecoding checks that the time of decoding is proportional to the input.
func TestTimeOfDecoding(t *testing.T) {
	patterns := []testkit.Pattern{}
	for _, again := range []string{
		"a", "\x1b", "\x1b[", "\x1b[1;", "1;", "\x1b]", "\x1bP", "\x1b]11;a\x07", "\u0301", "e\u0301", "\U0001f468\u200d", "\xff", "\xe2\x82", "日", "\x1bO", "\x1bO1", "\x1b[M", "\x1b[200~", "\x1b[201~",
		"\x1b[20", "\x1b[<0;1;1M", "\x1b[12q", "\x1b\x1b[",
	} {
		for _, before := range []string{"", "\x1b[", "\x1b]", "\x1b[200~"} {
			patterns = append(patterns, testkit.Pattern{Before: before, Repeated: again})
		}
	}
	testkit.CheckLinear(t, patterns, func(s string) { decoded([]byte(s), 100) })
}

func FuzzDecoder(f *testing.F) {
	f.Add([]byte("\x1b["+strings.Repeat("1;", 33)+"A"), 3)
	f.Add([]byte("\x1b[200~text\x1b[201~\x1b]11;rgb:1/2/3\x07q"), 1)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		d := Decoder{}
		take := func(uv.Event) {}
		for rest := b; len(rest) > 0; {
			k := min(max(n, 1), len(rest))
			d.Feed(rest[:k], take)
			rest = rest[k:]
			if len(d.buf) > maxStringLen {
				t.Fatalf("%d bytes are kept", len(d.buf))
			}
		}
		d.Flush(take)
		if d.Wait() != 0 {
			t.Fatal("something is left")
		}
	})
}

// TestTimerOfAnOlderReadFlushesNothing fires a timer while more is read: the sequence
// that has begun since then is not flushed.
func TestTimerOfAnOlderReadFlushesNothing(t *testing.T) {
	t.Parallel()
	var got []string
	in, keys := io.Pipe()
	k, _ := NewKeyboard(in, func(e uv.Event) { got = append(got, fmt.Sprint(e)) })
	defer k.Close()
	typed := func(text string) {
		t.Helper()
		go func() { _, _ = io.WriteString(keys, text) }()
		if _, err := k.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	typed("\x1b")
	older := k.readCount
	typed("[A\x1b")
	k.flushIfIdle(older)
	typed("[B")
	if want := []string{"up", "down"}; !slices.Equal(got, want) {
		t.Errorf("%v was typed, should be %v", got, want)
	}
}

// TestKeyboardGivesNothingToWhoReadsIt checks that a keyboard passes on events but
// returns no bytes.
func TestKeyboardGivesNothingToWhoReadsIt(t *testing.T) {
	t.Parallel()
	in, keys := io.Pipe()
	events := make(chan uv.Event, 10)
	k, reader := NewKeyboard(in, func(e uv.Event) { events <- e })
	defer k.Close()
	done := make(chan error, 1)
	go func() {
		b := make([]byte, 100)
		for {
			n, err := reader.Read(b)
			if n > 0 || err != nil {
				done <- fmt.Errorf("%d bytes, %w", n, err)
				return
			}
		}
	}()
	_, _ = io.WriteString(keys, "a\x1b")
	for _, want := range []string{"a", "esc"} {
		if e := <-events; fmt.Sprint(e) != want {
			t.Errorf("%v, should be %s", e, want)
		}
	}
	_ = keys.Close()
	if err := <-done; err.Error() != "0 bytes, EOF" {
		t.Error(err)
	}
}
