package render

import (
	"wallboard/model"
	"wallboard/themes"
)

// The functions below print a value as a span: unknown ones step back, as they
// do in the tables.

func known(s []byte, ok bool) span {
	if !ok {
		return span{string(s), themes.Unknown}
	}
	return plain(string(s))
}

func (v *View) int(n model.Int) span {
	s := known(v.Options.Format().Int(nil, n), n.Known())
	if n == model.IntOf(0) {
		s.token = themes.Dim
	}
	return s
}

func (v *View) seconds(n model.Int) span {
	s := known(v.Options.Format().Seconds(nil, n), n.Known())
	if n == model.IntOf(0) {
		s.token = themes.Dim
	}
	return s
}

func (v *View) percent(f model.Figure) span {
	return known(v.Options.Format().Percent(nil, f), f.Known())
}

func (v *View) figure(f model.Figure) span {
	return known(v.Options.Format().Figure(nil, f), f.Known())
}

func (v *View) duration(f model.Figure) span {
	return known(v.Options.Format().FigureSeconds(nil, f), f.Known())
}

func (v *View) since(i model.Instant) span {
	return known(v.Options.Format().Since(nil, i, v.Now), i.Known())
}

func (v *View) text(s string) span {
	return known(v.Options.Format().Text(nil, s), s != "")
}

// passing is a text that holds only for the moment, as figures do.
func (v *View) passing(s string) span {
	if v.Options.Blank {
		return span{}
	}
	return plain(s)
}

func (v *View) scalar(s model.Scalar) span { return v.text(s.String()) }

// at draws a span with the token of a level, unless that is normal.
func (s span) at(l Level) span {
	if l > Normal {
		s.token = l.Token()
	}
	return s
}

// state returns a state's glyph and word.
func (v *View) state(s State) span {
	if v.Options.Blank {
		return v.text("")
	}
	return span{s.Glyph(v.Options.ASCII) + " " + s.Word, s.Token}
}

// codeAndName returns "name (code)", or the code alone when it has no name.
func codeAndName(code, name string) string {
	if name == "" || name == code {
		return code
	}
	return name + " (" + code + ")"
}
