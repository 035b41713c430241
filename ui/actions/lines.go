package actions

import (
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// incompleteWarning returns the lines of a warning that a list is incomplete. remedy tells the
// viewer how to get the rest. If s is nil, the list is complete, and the result is nil.
func incompleteWarning(lk *style.Look, s *model.Incomplete, remedy string, w int) []dialog.Line {
	if s == nil {
		return nil
	}
	return dialog.Paragraph(lk, themes.Warn, joinNonEmpty(". ", s.String(), remedy)+".", w)
}

// Messages that tell the viewer how to get the rest of an incomplete list.
const (
	hintReadAll   = "Press a for all of them"
	hintReadAgain = "Press r to read it again"
)

// formatTime formats a time in the board's time zone. It returns the received string if the format
// of the time is unknown.
func formatTime(lk *style.Look, t resource.Time) string {
	if at, ok := t.Get(); ok {
		return dialog.FormatDate(at, lk.Zone())
	}
	return t.String()
}

// changeLines returns a line for each changed field, with the old value and the new value. Times
// are in the board's time zone.
func changeLines(lk *style.Look, list []resource.FieldChange) []string {
	arrow := " → "
	if lk.ASCII {
		arrow = " -> "
	}
	said := func(value string) string {
		if value == "" {
			return "nothing"
		}
		if t, err := time.Parse("2006-01-02 15:04:05.999Z07:00", value); err == nil {
			return dialog.FormatDate(t, lk.Zone())
		}
		return strings.ReplaceAll(value, "\n", " ")
	}
	var out []string
	for _, c := range list {
		out = append(out, c.Label+": "+said(c.Old)+arrow+said(c.New))
	}
	return out
}

// orDefault returns s, or fallback if s is blank.
func orDefault(s, fallback string) string {
	if strings.TrimSpace(s) == "" {
		return fallback
	}
	return s
}

// joinNonEmpty joins the parts that are not empty, with sep between them.
func joinNonEmpty(sep string, parts ...string) string {
	var nonEmpty []string
	for _, p := range parts {
		if p != "" {
			nonEmpty = append(nonEmpty, p)
		}
	}
	return strings.Join(nonEmpty, sep)
}

func parenthesize(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// yesNo returns yes or no, depending on enabled. It returns "" if enabled is nil.
func yesNo(enabled *bool, yes, no string) string {
	switch {
	case enabled == nil:
		return ""
	case *enabled:
		return yes
	}
	return no
}
