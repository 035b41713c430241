package statefile

import (
	"bytes"
	"log/slog"
)

// lastRead is the result of reading a file that is read again and again.
type lastRead struct {
	content []byte
	problem string // text of the error; "": it could be read
}

// update takes the result of reading the file again, and reports whether it could be read and has
// changed. An error is logged only if it differs from the last one. what names the file in the log.
func (l *lastRead) update(content []byte, err error, log *slog.Logger, what string) (changed bool) {
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
