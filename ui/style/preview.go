package style

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
)

// PreviewWidth is the usual width of a theme preview, in cells.
const PreviewWidth = 80

const sampleColumn = 19 // column after the name of a token at which its sample begins

// preview draws samples of a theme: words, glyphs and rows of the board.
type preview struct {
	theme themes.Theme
	ascii bool
	width int
	out   strings.Builder
}

// ThemePreview returns lines with a sample of each token of a theme, and with some rows of a
// board. width is in cells.
func ThemePreview(t themes.Theme, width int, ascii bool) string {
	p := &preview{theme: t, ascii: ascii, width: width}
	title := " " + t.Name
	if t.Description != "" {
		title += "  " + t.Description
	}
	p.writeLine(p.drawText(themes.StatusBar, p.padText(ansi.Truncate(title, width, ""), width)))
	p.writeRows()
	for _, s := range p.sections() {
		p.writeSection(s.title, s.samples)
	}
	p.writeLine("")
	p.out.WriteString("\n")
	return p.out.String()
}

// glyphOrASCII returns glyph, or plain if the terminal shows only ASCII.
func (p *preview) glyphOrASCII(glyph, plain string) string {
	if p.ascii {
		return plain
	}
	return glyph
}

// drawText returns text in the style of a token.
func (p *preview) drawText(tok themes.Token, text string) string {
	return p.theme.Style(tok).Render(text)
}

// styleOver returns text in the style of a token. Parts of text may have styles of their own,
// for example in a selected row; after each of them, the style of the token continues.
func (p *preview) styleOver(tok themes.Token, text string) string {
	open := p.theme.OpenSequence(tok)
	return open + strings.ReplaceAll(text, ansi.ResetStyle, ansi.ResetStyle+open) + ansi.ResetStyle
}

func (p *preview) padText(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// writeLine writes a line on the theme's background. The background is set again after every reset
// of styles within the line.
func (p *preview) writeLine(text string) {
	base := p.theme.BaseSequence()
	text = p.padText(text, p.width)
	if base != "" {
		text = base + strings.ReplaceAll(text, ansi.ResetStyle, ansi.ResetStyle+base) + ansi.ResetStyle
	}
	p.out.WriteString(text + "\n")
}

// writeRows draws a small table of agents that uses each style of a row.
func (p *preview) writeRows() {
	cells := func(agent string, s model.UserStatus, since, waits string, l rowUrgency) string {
		state := render.StateOf(s, model.Call)
		waits = l.mark + " " + waits
		if l.text != themes.Text { // ordinary text has the style of the row
			waits = p.drawText(l.text, waits)
		}
		return "  " + p.padText(agent, 18) + p.padText(p.drawText(state.Token, state.Glyph(p.ascii)+" "+state.Word.In(nil)), 16) +
			p.padText(p.drawText(themes.Dim, since), 8) + p.padText(waits, 8) +
			chart.Gauge{Width: 16, Style: p.theme.OpenSequence(l.gauge), EmptyStyle: p.theme.OpenSequence(themes.GaugeEmpty), Set: p.gaugeSet()}.
				Render(l.fill)
	}
	normal := rowUrgency{" ", themes.Text, themes.Gauge, 0.3}
	warn := rowUrgency{p.warnMark(), themes.Warn, themes.GaugeWarn, 0.7}
	critical := rowUrgency{p.criticalMark(), themes.Critical, themes.GaugeCritical, 1}
	flash := p.drawText(themes.Flash, "12")
	head := "  " + p.padText("AGENT", 18) + p.padText("STATE", 16) + p.padText("SINCE", 8) + "  "
	sorted := p.drawText(themes.HeaderSorted, "WAITS"+p.glyphOrASCII("▼", "v"))
	p.writeLine(p.styleOver(themes.Header, p.padText(head+sorted+" LOAD", p.width)))
	p.writeLine(cells("Anna Rossi", model.Busy, "0:42", flash, normal))
	p.writeLine(cells("Ben Okafor", model.Ready, "3:10", "31", warn))
	p.writeLine(p.styleOver(themes.Selection, p.padText(cells("Chloe Martin", model.NotReady, "12:05", "58", critical), p.width)))
	p.writeLine(p.styleOver(themes.SelectionBlurred, p.padText(cells("Dai Nakamura", model.WNR, "0:08", "4", normal), p.width)))
	p.writeLine(p.drawText(themes.Stale, ansi.Strip(cells("Eva Lind", model.Booked, "0:03", "7", normal))))
}

// rowUrgency describes how a row of an urgency looks: its mark, the tokens of its text and
// gauge, and the fill of the gauge.
type rowUrgency struct {
	mark        string
	text, gauge themes.Token
	fill        float64
}

func (p *preview) warnMark() string { return p.glyphOrASCII("△", "*") }

func (p *preview) criticalMark() string { return p.glyphOrASCII("▲", "!") }

func (p *preview) gaugeSet() chart.CharSet {
	if p.ascii {
		return chart.ASCII
	}
	return chart.Blocks
}

type sample struct {
	token themes.Token
	text  string
}

// writeSection draws a title and, below it, the samples in two columns.
func (p *preview) writeSection(title string, samples []sample) {
	p.writeLine("")
	p.writeLine(" " + p.drawText(themes.Title, title))
	column := p.width / 2
	half := (len(samples) + 1) / 2
	for i := range half {
		line := p.sampleText(samples[i])
		if i+half < len(samples) {
			line = p.padText(line, column) + p.sampleText(samples[i+half])
		}
		p.writeLine(line)
	}
}

func (p *preview) sampleText(s sample) string {
	return p.padText(" "+p.drawText(themes.Dim, s.token.String()), sampleColumn) + p.drawText(s.token, s.text)
}

// titledSamples holds the samples of related tokens under a common title.
type titledSamples struct {
	title   string
	samples []sample
}

// sections returns samples of all tokens, grouped under titles.
func (p *preview) sections() []titledSamples {
	rule, block := strings.Repeat(p.glyphOrASCII("─", "-"), 12), strings.Repeat(p.glyphOrASCII("█", "#"), 12)
	return []titledSamples{
		{"Text", []sample{
			{themes.Text, "Customer care"},
			{themes.Dim, "since 14:02"},
			{themes.Faint, strings.Repeat(p.glyphOrASCII("·", "."), 12)},
			{themes.Accent, "north"},
			{themes.Title, "Services"},
			{themes.Digits, "1 204"},
			{themes.Match, "Rossi"},
			{themes.Border, rule},
			{themes.BorderFocus, rule},
		}},
		{"Rows", []sample{
			{themes.Header, " SERVICE "},
			{themes.HeaderSorted, " WAITING" + p.glyphOrASCII("▼", "v")},
			{themes.Selection, " selected row "},
			{themes.SelectionBlurred, " keyboard elsewhere "},
			{themes.Flash, "12"},
		}},
		{"Judgements", []sample{
			{themes.OK, p.glyphOrASCII("✓", "+") + " 92 %"},
			{themes.Warn, p.warnMark() + " 74 %"},
			{themes.Critical, p.criticalMark() + " 41 %"},
			{themes.Unknown, p.glyphOrASCII("–", "-") + " not known"},
			{themes.Stale, "STALE 0:42"},
			{themes.Pending, p.glyphOrASCII("◌", "o") + " under way"},
		}},
		{"States", p.stateSamples()},
		{"Bars", []sample{
			{themes.Sparkline, p.glyphOrASCII("▁▂▃▅▆▇█▇▅▃▂▁", "._-=+*#*+=-_")},
			{themes.Gauge, block},
			{themes.GaugeWarn, block},
			{themes.GaugeCritical, block},
			{themes.GaugeEmpty, strings.Repeat(p.glyphOrASCII("·", "."), 12)},
			{themes.Series1, block},
			{themes.Series2, block},
			{themes.Series3, block},
			{themes.Series4, block},
			{themes.Series5, block},
			{themes.Series6, block},
		}},
		{"Labels and dialogs", []sample{
			{themes.Badge, " demo "},
			{themes.BadgeOK, " " + p.glyphOrASCII("●", "*") + " LIVE "},
			{themes.BadgeWarn, " " + p.glyphOrASCII("◌", "o") + " CONNECTING "},
			{themes.BadgeCritical, " " + p.criticalMark() + " DOWN "},
			{themes.BadgeReplay, " FROZEN 0:42 "},
			{themes.StatusBar, " 14:02:11 "},
			{themes.Key, "enter"},
			{themes.KeyText, "open"},
			{themes.Input, "0815 "},
			{themes.Button, " Cancel "},
			{themes.ButtonActive, " Call "},
		}},
	}
}

// stateSamples returns a sample for each agent state, with its word and glyph.
func (p *preview) stateSamples() []sample {
	var out []sample
	for _, s := range []model.UserStatus{
		model.Ready, model.Busy, model.Booked, model.WNR, model.NotReady, model.BusyDNCallOut, "TRAINING",
	} {
		state := render.StateOf(s, model.Call)
		out = append(out, sample{state.Token, state.Glyph(p.ascii) + " " + state.Word.In(nil)})
	}
	return append(out, sample{themes.StateHold, p.glyphOrASCII("‖", "=") + " On hold"})
}
