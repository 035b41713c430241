package statefile

import (
	"bytes"
	"log/slog"
)

// lastFileRead holds the last content and error of a file that is read repeatedly.
type lastFileRead struct {
	content []byte
	problem string // message of the error; "": the file could be read
}

// update records the result of reading the file. It reports whether the file could be read and has
// changed. It logs an error only if it differs from the previous error. what names the file in the
// log.
func (l *lastFileRead) update(content []byte, err error, log *slog.Logger, what string) (changed bool) {
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	if problem != "" && problem != l.problem {
		log.Warn("cannot read a file", "file", what, "error", err)
	}
	l.problem = problem
	if err != nil || bytes.Equal(content, l.content) {
		return false
	}
	l.content = content
	return true
}
