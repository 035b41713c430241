package actions

import (
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/style"
)

// short draws a warning above an incomplete list, with how to get the rest.
func short(lk *style.Look, s *model.Incomplete, how string, w int) []dialog.Line {
	if s == nil {
		return nil
	}
	return dialog.Paragraph(lk, themes.Warn, joined(". ", s.String(), how)+".", w)
}

// toAll and again explain how to get the rest of a list.
const (
	toAll = "Press a for all of them"
	again = "Press r to read it again"
)

// when formats a time in the board's time zone, or returns it unchanged if its format is
// unknown.
func when(lk *style.Look, t resource.Time) string {
	if at, ok := t.Get(); ok {
		return form.FormatDate(at, lk.Zone())
	}
	return t.String()
}

// changes describes a change with a line for each field. Times are in the board's time
// zone.
func changes(lk *style.Look, list []resource.FieldChange) []string {
	arrow := " → "
	if lk.ASCII {
		arrow = " -> "
	}
	said := func(value string) string {
		if value == "" {
			return "nothing"
		}
		if t, err := time.Parse("2006-01-02 15:04:05.999Z07:00", value); err == nil {
			return form.FormatDate(t, lk.Zone())
		}
		return strings.ReplaceAll(value, "\n", " ")
	}
	var out []string
	for _, c := range list {
		out = append(out, c.Label+": "+said(c.Old)+arrow+said(c.New))
	}
	return out
}

// or returns s, or instead if s is blank.
func or(s, instead string) string {
	if strings.TrimSpace(s) == "" {
		return instead
	}
	return s
}

// joined joins the parts that are not empty.
func joined(sep string, parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, sep)
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

// firstLine returns the first line that is not blank.
func firstLine(s string) string {
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// yesNo returns the word for the state of a switch, "" if it is not set.
func yesNo(on *bool, yes, no string) string {
	switch {
	case on == nil:
		return ""
	case *on:
		return yes
	}
	return no
}
