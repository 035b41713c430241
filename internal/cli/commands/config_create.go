package commands

import (
	"fmt"
	"io"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/securefile"
)

// createFile writes a file with mode 0600. If the file exists, it returns an error or, if overwrite
// is true, replaces the file atomically.
func createFile(path, text string, overwrite bool) error {
	if !overwrite {
		return cmdutil.CreateFile(path, " already: --force overwrites it", func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	if err := securefile.Write(path, []byte(text)); err != nil {
		return fmt.Errorf("cannot write the file: %w", err)
	}
	return nil
}
