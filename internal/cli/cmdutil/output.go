package cmdutil

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// wrapWriteError adds context to an error of writing a command's output. It returns nil if err
// is nil.
func wrapWriteError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the output cannot be written: %w", securefile.WithoutPath(err)) // the user did not choose the name of the stream
}

// WriteJSON writes v as indented JSON, with control characters escaped.
func WriteJSON(out io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return wrapWriteError(err)
	}
	_, err := out.Write(EscapeJSON(b.Bytes()))
	return wrapWriteError(err)
}

// WriteJSONLine writes v as a line of JSON, with control characters escaped.
func WriteJSONLine(out io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = out.Write(append(EscapeJSON(line), '\n'))
	}
	return wrapWriteError(err)
}

// EscapeJSON escapes the characters of a JSON document that must not reach a terminal: control
// characters, and characters that hide or reorder text. These characters occur only in JSON
// strings, where the escaped form has the same meaning.
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

// WriteTable writes rows of cells in aligned columns. It removes control characters from the
// cells, because their content comes from the platform. If out is a terminal, it cuts rows to
// the terminal's width.
func WriteTable(out io.Writer, lines [][]string) error {
	for _, cells := range lines {
		for i := range cells {
			cells[i] = strings.TrimSpace(model.CleanText(cells[i], model.MaxBody))
		}
	}
	return WriteText(out, terminal.AlignColumns(lines, Streams{Out: out}.Width()))
}

// WriteText writes lines of text. If out is a terminal, WriteText isolates right-to-left names
// from the rest of the line. Otherwise it writes the lines unchanged, for scripts.
func WriteText(out io.Writer, lines string) error {
	if _, ok := TerminalOf(out); ok && !terminal.IsPlain(os.Getenv("TERM")) {
		lines = textnorm.Isolate(lines)
	}
	_, err := out.Write([]byte(lines))
	return wrapWriteError(err)
}

// Printf formats args like [fmt.Sprintf] and writes the result like [WriteText].
func Printf(out io.Writer, format string, args ...any) error {
	return WriteText(out, fmt.Sprintf(format, args...))
}

// WriteOutput writes the result of a command to a file with mode 0600, or to out if file is
// "". It replaces an existing file, whatever its mode. If file is not a regular file, such as
// a pipe, WriteOutput writes to it directly.
func WriteOutput(out io.Writer, file, text string) error {
	if file == "" {
		return WriteText(out, text)
	}
	if err := writeOutputFile(file, text); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

func writeOutputFile(path, text string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil { // there is no file yet
		target = path
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(target, []byte(text), 0o600)
	}
	return securefile.Write(target, []byte(text))
}

// CreateFile writes a new file with mode 0600 by calling write, and syncs it to the disk. If the file
// exists, the error is a [UsageError] that contains hint. If writing fails, CreateFile removes the file.
func CreateFile(path, hint string, write func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the path is the user's
	switch {
	case errors.Is(err, fs.ErrExist):
		return NewUsageError(fmt.Errorf("%s exists%s", path, hint))
	case err != nil:
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path) // an incomplete file is useless
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// TerminalOf returns a stream as a terminal. ok is false if the stream is not a terminal.
func TerminalOf(stream any) (f term.File, ok bool) {
	f, ok = stream.(term.File)
	return f, ok && term.IsTerminal(f.Fd())
}
