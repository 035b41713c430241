package ui

import (
	"html"
	"strings"
	"unicode"

	"wallboard/model/resource"
)

// isHTML tells whether a body is to be read as HTML. The content type decides;
// only a body without one is looked at.
func isHTML(contentType, body string) bool {
	if contentType != "" {
		return strings.Contains(strings.ToLower(contentType), "html")
	}
	start := strings.ToLower(strings.TrimSpace(body))
	for _, tag := range []string{"<!doctype html", "<html", "<body", "<div", "<p>", "<table", "<span", "<br"} {
		if strings.HasPrefix(start, tag) {
			return true
		}
	}
	return false
}

// htmlText returns the text of an HTML body: nothing in it is loaded, followed
// or run. It is not a browser: what is not well formed comes out as text.
func htmlText(s string) string {
	var out strings.Builder
	for s != "" {
		text, rest, found := strings.Cut(s, "<")
		out.WriteString(collapse(html.UnescapeString(text)))
		if !found {
			break
		}
		if rest == "" || !startsTag(rest[0]) {
			out.WriteByte('<')
			s = rest
			continue
		}
		s = htmlTag(&out, rest)
	}
	// An entity may stand for any character: &#27; is an escape.
	return squeeze(resource.CleanBody(out.String()))
}

func startsTag(c byte) bool {
	return c == '/' || c == '!' || c == '?' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// htmlTag writes what a tag stands for and returns what comes after it. rest
// begins behind its "<".
func htmlTag(out *strings.Builder, rest string) string {
	if comment, ok := strings.CutPrefix(rest, "!--"); ok {
		_, after, _ := strings.Cut(comment, "-->")
		return after
	}
	tag, after := cutTag(rest)
	end := strings.IndexFunc(strings.TrimPrefix(tag, "/"), func(r rune) bool { return unicode.IsSpace(r) || r == '/' })
	name := strings.ToLower(strings.TrimPrefix(tag, "/"))
	if end >= 0 {
		name = name[:end]
	}
	closing := strings.HasPrefix(tag, "/")
	switch name {
	case "script", "style", "head", "title", "template":
		if !closing {
			return afterTag(after, "</"+name)
		}
	case "li":
		if !closing {
			out.WriteString("\n- ")
		}
	case "td", "th":
		if closing {
			out.WriteString("  ")
		}
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "ul", "ol", "hr":
		out.WriteString("\n\n")
	case "br":
		out.WriteByte('\n')
	case "div", "tr", "dt", "dd", "section", "article", "header", "footer", "address":
		if !strings.HasSuffix(out.String(), "\n") {
			out.WriteByte('\n')
		}
	}
	return after
}

// cutTag cuts after the ">" that ends a tag: not one in a quoted value.
func cutTag(s string) (tag, after string) {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return s[:i], s[i+1:]
		}
	}
	tag, after, _ = strings.Cut(s, ">") // a quote that never ends
	return tag, after
}

// afterTag returns what comes after the end tag of what is not to be read.
func afterTag(s, end string) string {
	for i := 0; i+len(end) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(end)], end) {
			_, after, _ := strings.Cut(s[i:], ">")
			return after
		}
	}
	return ""
}

// collapse makes every run of white space one blank: in HTML line breaks are
// tags.
func collapse(s string) string {
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

// squeeze takes the blanks from the ends of lines, and leaves one empty line
// where there are several.
func squeeze(s string) string {
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
