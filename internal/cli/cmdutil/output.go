package cmdutil

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// WrapWriteError adds to an error that it occurred while writing the output of a command. It
// returns nil if err is nil.
func WrapWriteError(err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // omit the name of the stream, which means nothing to the user
	}
	return fmt.Errorf("the output cannot be written: %w", err)
}

// WriteJSON writes a value as indented JSON. It escapes control characters.
func WriteJSON(out io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return WrapWriteError(err)
	}
	_, err := out.Write(EscapeJSON(b.Bytes()))
	return WrapWriteError(err)
}

// EscapeJSON escapes characters in a JSON text that must not reach a terminal: control characters,
// and characters that hide or reorder text. Such characters can only occur in JSON strings, where
// an escape has the same meaning.
func EscapeJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\n' || r != utf8.RuneError && unicode.IsPrint(r):
			out = append(out, b[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[size:]
	}
	return out
}

// WriteTable writes rows of cells in aligned columns. It removes control characters from the cells,
// whose texts come from the platform. If out is a terminal, rows are cut to its width.
func WriteTable(out io.Writer, lines [][]string) error {
	for _, cells := range lines {
		for i := range cells {
			cells[i] = strings.TrimSpace(model.CleanText(cells[i], model.MaxBody))
		}
	}
	return WriteText(out, terminal.AlignColumns(lines, Streams{Out: out}.Width()))
}

// WriteText writes lines of text. If out is a terminal, it isolates right-to-left names from the
// rest of the line, like the board. Otherwise it writes the text unchanged, for scripts.
func WriteText(out io.Writer, lines string) error {
	if f, ok := out.(term.File); ok && term.IsTerminal(f.Fd()) && !terminal.IsPlain(os.Getenv("TERM")) {
		lines = textnorm.Isolate(lines)
	}
	_, err := out.Write([]byte(lines))
	return WrapWriteError(err)
}
