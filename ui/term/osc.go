package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// screenLimit is the longest sequence that GNU Screen passes on, in bytes.
const screenLimit = 768

// MaxClipboard is the longest text for [Clipboard] in bytes: terminals ignore longer ones.
const MaxClipboard = 64 << 10

// Clipboard returns the output that puts a text into the clipboard of a terminal with an
// environment, "" if the terminal would show it instead. Whether a terminal accepts it is not known.
func Clipboard(env []string, text string) string { return outside(env, ansi.SetSystemClipboard(text)) }

// maxNotification is the longest desktop notification in bytes.
const maxNotification = 250

// Notification returns the output that shows a notification on the desktop of a terminal with an
// environment, "" if the terminal would show it instead.
func Notification(env []string, title, text string) string {
	if strings.HasPrefix(uv.Environ(env).Getenv("TERM"), "rxvt") { // it knows no OSC 9
		return outside(env, "\x1b]777;notify;"+clean(title)+";"+clean(text)+"\a")
	}
	return outside(env, ansi.Notify(clean(title+": "+text)))
}

// clean returns a text without control characters and separators, cut to [maxNotification].
func clean(s string) string {
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

// outside returns the output that sends a sequence to the terminal, through tmux or Screen if
// there is one. tmux gets the sequence itself as well: it handles that of the clipboard, and
// passes nothing on unless allow-passthrough is set.
func outside(env []string, sequence string) string {
	e := uv.Environ(env)
	switch name := e.Getenv("TERM"); {
	case terminal.Plain(name):
		return ""
	case e.Getenv("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		return sequence + ansi.TmuxPassthrough(sequence)
	case e.Getenv("STY") != "" || strings.HasPrefix(name, "screen"):
		return ansi.ScreenPassthrough(sequence, screenLimit)
	}
	return sequence
}
