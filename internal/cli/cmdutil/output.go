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

	"github.com/charmbracelet/x/term"

	"wallboard/internal/lib/safedecode"
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
	_, err := out.Write(safedecode.EscapeJSON(b.Bytes()))
	return wrapWriteError(err)
}

// WriteResult writes the result of a command: v as JSON, or text.
func WriteResult(out io.Writer, asJSON bool, v any, text string) error {
	if asJSON {
		return WriteJSON(out, v)
	}
	return WriteText(out, text)
}

// WriteRows is like [WriteResult], with rows of cells for [WriteTable] instead of a text.
func WriteRows(out io.Writer, asJSON bool, v any, rows [][]string) error {
	if asJSON {
		return WriteJSON(out, v)
	}
	return WriteTable(out, rows)
}

// WriteJSONLine writes v as a line of JSON, with control characters escaped.
func WriteJSONLine(out io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = out.Write(append(safedecode.EscapeJSON(line), '\n'))
	}
	return wrapWriteError(err)
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
		lines = textnorm.AddDirectionMarks(lines)
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

// CreateFile is like [securefile.Create], but if the file exists, the error is a [UsageError] that
// contains hint.
func CreateFile(path, hint string, write func(*os.File) error) error {
	err := securefile.Create(path, write)
	if errors.Is(err, fs.ErrExist) {
		return NewUsageError(fmt.Errorf("%s exists%s", path, hint))
	}
	return err
}

// TerminalOf returns a stream as a terminal. ok is false if the stream is not a terminal.
func TerminalOf(stream any) (f term.File, ok bool) {
	f, ok = stream.(term.File)
	return f, ok && term.IsTerminal(f.Fd())
}
