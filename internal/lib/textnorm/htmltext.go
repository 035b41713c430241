package textnorm

import (
	"strings"

	"golang.org/x/net/html"
)

// FromHTML returns the text of an HTML document or fragment, in linear time. It omits content
// that browsers do not display. If nothing else is left, it returns the document's title. The
// result may contain control characters, because an HTML entity may stand for any character.
func FromHTML(s string) string {
	var p htmlText
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: reading from memory cannot fail
			return p.text()
		case html.TextToken:
			p.addText(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			p.startTag(string(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			p.endTag(string(name))
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

// htmlText collects the text of an HTML document.
type htmlText struct {
	out, title    strings.Builder
	hiddenElement string // current element whose text is omitted; "" for none
	templates     int    // number of open template elements, which nest
	isAtLineStart bool   // the last added text ends with a newline
}

// startTag handles a start tag. The tokenizer returns the content of a script or style element
// as a single token.
func (p *htmlText) startTag(name string) {
	switch name {
	case "script", "style", "title", "noscript", "iframe", "textarea":
		p.hiddenElement = name
	case "template":
		p.templates++
	case "li":
		p.add("\n- ")
	default:
		p.addBlockBreak(name)
	}
}

func (p *htmlText) endTag(name string) {
	switch name {
	case p.hiddenElement:
		p.hiddenElement = ""
	case "template":
		p.templates = max(0, p.templates-1)
	case "td", "th":
		p.add("  ")
	default:
		p.addBlockBreak(name)
	}
}

// addBlockBreak starts a new paragraph or line if name is a block element.
func (p *htmlText) addBlockBreak(name string) {
	switch name {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "ul", "ol", "hr":
		p.add("\n\n")
	case "br":
		p.add("\n")
	case "div", "tr", "dt", "dd", "section", "article", "header", "footer", "address":
		if !p.isAtLineStart {
			p.add("\n")
		}
	}
}

func (p *htmlText) add(s string) {
	if p.templates == 0 {
		p.out.WriteString(s)
		p.isAtLineStart = strings.HasSuffix(s, "\n")
	}
}

func (p *htmlText) addText(s string) {
	switch p.hiddenElement {
	case "":
		p.add(collapseSpace(s))
	case "title":
		p.title.WriteString(s)
	}
}

func (p *htmlText) text() string {
	if text := squeezeLines(p.out.String()); text != "" {
		return text
	}
	return squeezeLines(collapseSpace(p.title.String()))
}

// collapseSpace replaces each run of white space with a single blank.
func collapseSpace(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}

// squeezeLines trims the lines and replaces consecutive empty lines with a single one.
func squeezeLines(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
