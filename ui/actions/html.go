package actions

import (
	"strings"

	"wallboard/internal/htmltext"
	"wallboard/model/resource"
)

// isHTML reports whether a body is to be read as HTML. The content type decides;
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

// htmlText returns the text of an HTML body, clean: an entity may stand for any
// character, &#27; is an escape.
func htmlText(s string) string { return resource.CleanBody(htmltext.Text(s)) }
