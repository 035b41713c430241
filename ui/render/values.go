package render

import (
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// The following functions format a value for a detail view. Unknown values are dimmed, as in
// tables.

func knownSpan(s []byte, ok bool) textlayout.Span {
	if !ok {
		return textlayout.NewSpan(string(s), themes.Unknown)
	}
	return textlayout.PlainSpan(string(s))
}

// countSpan is like knownSpan, but also dims the number 0.
func countSpan(s []byte, n model.Int) textlayout.Span {
	if n == model.IntOf(0) {
		return textlayout.NewSpan(string(s), themes.Dim)
	}
	return knownSpan(s, n.Known())
}

func (v *View) intSpan(n model.Int) textlayout.Span {
	return countSpan(v.Options.Format().Int(nil, n), n)
}

func (v *View) secondsSpan(n model.Int) textlayout.Span {
	return countSpan(v.Options.Format().Seconds(nil, n), n)
}

func (v *View) percentSpan(f model.Figure) textlayout.Span {
	return knownSpan(v.Options.Format().Percent(nil, f), f.Known())
}

func (v *View) figureSpan(f model.Figure) textlayout.Span {
	return knownSpan(v.Options.Format().Figure(nil, f), f.Known())
}

func (v *View) durationSpan(f model.Figure) textlayout.Span {
	return knownSpan(v.Options.Format().FigureSeconds(nil, f), f.Known())
}

func (v *View) sinceSpan(i model.Instant) textlayout.Span {
	return knownSpan(v.Options.Format().Since(nil, i, v.Now), i.Known())
}

// PresumedMark follows a duration whose time unit is presumed.
const PresumedMark = "?"

// markPresumed appends PresumedMark to a duration if the view presumes the time unit of this kind
// of duration.
func (v *View) markPresumed(s textlayout.Span, time model.Presumed) textlayout.Span {
	if v.Presumed.Has(time) && s.Token != themes.Unknown {
		s.Text += PresumedMark
	}
	return s
}

func (v *View) textSpan(s string) textlayout.Span {
	return knownSpan(v.Options.Format().Text(nil, s), s != "")
}

// momentarySpan returns a span about the present moment. The span is empty if figures are blanked
// because they are too old.
func (v *View) momentarySpan(s string) textlayout.Span {
	if v.Options.BlankFigures {
		return textlayout.Span{}
	}
	return textlayout.PlainSpan(s)
}

func (v *View) scalarSpan(s model.Scalar) textlayout.Span { return v.textSpan(s.String()) }

// withLevel returns a span in the color of a level. Normal does not change the color.
func withLevel(s textlayout.Span, l Level) textlayout.Span {
	if l > Normal {
		s.Token = l.Token()
	}
	return s
}

// stateSpan returns the glyph and the word of a state. If figures are blanked, it returns the mark
// for unknown values.
func (v *View) stateSpan(s State) textlayout.Span {
	if v.Options.BlankFigures {
		return v.textSpan("")
	}
	return textlayout.NewSpan(s.Glyph(v.Options.ASCII)+" "+v.translate(s.Word), s.Token)
}

// indented returns the label of a part of the value above it.
func indented(label string) string { return "  " + label }

// codeAndName returns "name (code)". If the name is empty or equal to the code, it returns only the
// code.
func codeAndName(code, name string) string {
	if name == "" || name == code {
		return code
	}
	return name + " (" + code + ")"
}
