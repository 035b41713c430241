package actions

import (
	"strings"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// translate returns a text in the language of a look.
func translate(lk *style.Look, t words.Text) string { return t.In(lk.Format.Words) }

// labeledValue is a label with its value, for [labeledValueLines].
type labeledValue struct {
	label words.Text
	value string
}

// labeledValueLines returns the lines of [dialog.LabeledValueLines].
func labeledValueLines(lk *style.Look, w int, list ...labeledValue) []dialog.Line {
	told := make([]dialog.LabeledValue, len(list))
	for i := range list {
		told[i] = dialog.LabeledValue{Label: translate(lk, list[i].label), Value: list[i].value}
	}
	return dialog.LabeledValueLines(lk, w, told...)
}

// incompleteWarning returns the lines of a warning that a list is incomplete. remedy completes the text about
// the number of items by saying how to get the rest. If s is nil, the list is complete, and the result is nil.
func incompleteWarning(lk *style.Look, s *model.Incomplete, remedy func(words.Text) words.Text, w int) []dialog.Line {
	if s == nil {
		return nil
	}
	return dialog.ParagraphLines(lk, themes.Warn, translate(lk, remedy(words.ListShortfall(s))), w)
}

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
	arrow := "→"
	if lk.ASCII {
		arrow = "->"
	}
	var out []string
	for i := range list {
		c := &list[i]
		out = append(out, translate(lk, words.ActChange(changedField(c), changedValue(lk, c.Field, c.Old), arrow, changedValue(lk, c.Field, c.New))))
	}
	return out
}

// changedValue returns a value of a changed field on one line.
func changedValue(lk *style.Look, field, value string) words.Text {
	switch {
	case value == "":
		return words.ActNone()
	case isYesNo(field) && value == dialog.Yes:
		return words.DialogYes()
	case isYesNo(field) && value == dialog.No:
		return words.DialogNo()
	}
	if t, err := time.Parse("2006-01-02 15:04:05.999Z07:00", value); err == nil {
		return words.Name(dialog.FormatDate(t, lk.Zone()))
	}
	return words.Name(strings.ReplaceAll(value, "\n", " "))
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

// chooseYesNo returns yes or no, depending on enabled. It returns "" if enabled is nil.
func chooseYesNo(enabled *bool, yes, no string) string {
	switch {
	case enabled == nil:
		return ""
	case *enabled:
		return yes
	}
	return no
}

// yesNoText returns yes or no in the language of a look, or "" if enabled is nil.
func yesNoText(lk *style.Look, enabled *bool) string {
	return chooseYesNo(enabled, translate(lk, words.DialogYes()), translate(lk, words.DialogNo()))
}
