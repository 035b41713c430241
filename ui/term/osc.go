package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// maxScreenSequence is the maximum length in bytes of a sequence that GNU Screen passes on to the
// terminal.
const maxScreenSequence = 768

// MaxClipboard is the maximum length in bytes of the text for [ClipboardSequence]. Terminals ignore
// longer texts.
const MaxClipboard = 64 << 10

// ClipboardSequence returns the output that copies text to the clipboard of the terminal. env holds
// the environment variables of the terminal. The result is "" if the terminal would display the
// output as text. Terminals do not report whether they have accepted the text.
func ClipboardSequence(env []string, text string) string {
	return wrapForMultiplexer(env, ansi.SetSystemClipboard(text))
}

// maxNotification is the maximum length in bytes of a desktop notification.
const maxNotification = 250

// NotificationSequence returns the output that makes the terminal show a desktop notification. env
// holds the environment variables of the terminal. The result is "" if the terminal would display
// the output as text.
func NotificationSequence(env []string, title, text string) string {
	if strings.HasPrefix(uv.Environ(env).Getenv("TERM"), "rxvt") { // rxvt does not support the sequence OSC 9
		return wrapForMultiplexer(env, "\x1b]777;notify;"+cleanNotification(title)+";"+cleanNotification(text)+"\a")
	}
	return wrapForMultiplexer(env, ansi.Notify(cleanNotification(title+": "+text)))
}

// cleanNotification returns s without control characters, cut to [maxNotification] bytes. It
// replaces semicolons with commas, because a semicolon would end a part of the sequence.
func cleanNotification(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ','
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	for len(s) > maxNotification {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}

// wrapForMultiplexer returns the output that sends a sequence to the terminal, through tmux or Screen if
// the program runs in one of them. It returns "" for a terminal that would display the sequence as
// text. tmux also gets the sequence itself, because it handles clipboard sequences; it passes on
// other sequences only if allow-passthrough is set.
func wrapForMultiplexer(env []string, sequence string) string {
	e := uv.Environ(env)
	switch name := e.Getenv("TERM"); {
	case terminal.IsPlain(name):
		return ""
	case e.Getenv("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		return sequence + ansi.TmuxPassthrough(sequence)
	case e.Getenv("STY") != "" || strings.HasPrefix(name, "screen"):
		return ansi.ScreenPassthrough(sequence, maxScreenSequence)
	}
	return sequence
}
