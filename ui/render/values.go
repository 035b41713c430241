package render

import (
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/sheet"
)

// The functions below print a value as a span. Unknown values are dimmed, as in tables.

func known(s []byte, ok bool) sheet.Span {
	if !ok {
		return sheet.Say(string(s), themes.Unknown)
	}
	return sheet.Plain(string(s))
}

// counted is known for numbers, and also dims 0.
func counted(s []byte, n model.Int) sheet.Span {
	if n == model.IntOf(0) {
		return sheet.Say(string(s), themes.Dim)
	}
	return known(s, n.Known())
}

func (v *View) int(n model.Int) sheet.Span { return counted(v.Options.Format().Int(nil, n), n) }

func (v *View) seconds(n model.Int) sheet.Span { return counted(v.Options.Format().Seconds(nil, n), n) }

func (v *View) percent(f model.Figure) sheet.Span {
	return known(v.Options.Format().Percent(nil, f), f.Known())
}

func (v *View) figure(f model.Figure) sheet.Span {
	return known(v.Options.Format().Figure(nil, f), f.Known())
}

func (v *View) duration(f model.Figure) sheet.Span {
	return known(v.Options.Format().FigureSeconds(nil, f), f.Known())
}

func (v *View) since(i model.Instant) sheet.Span {
	return known(v.Options.Format().Since(nil, i, v.Now), i.Known())
}

// PresumedMark follows a time whose unit is presumed.
const PresumedMark = "?"

// presumed marks a time if its unit is presumed.
func (v *View) presumed(s sheet.Span, time model.Presumed) sheet.Span {
	if v.Presumed.Has(time) && s.Token != themes.Unknown {
		s.Text += PresumedMark
	}
	return s
}

func (v *View) text(s string) sheet.Span {
	return known(v.Options.Format().Text(nil, s), s != "")
}

// passing returns a text that holds only for the moment, such as a figure.
func (v *View) passing(s string) sheet.Span {
	if v.Options.Blank {
		return sheet.Span{}
	}
	return sheet.Plain(s)
}

func (v *View) scalar(s model.Scalar) sheet.Span { return v.text(s.String()) }

// leveled gives a span the token of a level, unless that is Normal.
func leveled(s sheet.Span, l Level) sheet.Span {
	if l > Normal {
		s.Token = l.Token()
	}
	return s
}

// state returns a state's glyph and word.
func (v *View) state(s State) sheet.Span {
	if v.Options.Blank {
		return v.text("")
	}
	return sheet.Say(s.Glyph(v.Options.ASCII)+" "+s.Word, s.Token)
}

// codeAndName returns "name (code)", or only the code if there is no name.
func codeAndName(code, name string) string {
	if name == "" || name == code {
		return code
	}
	return name + " (" + code + ")"
}
