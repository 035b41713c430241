package actions

import (
	"strings"

	"wallboard/internal/lib/textnorm"
	"wallboard/model/resource"
)

// isHTML reports whether a body is HTML, according to its content type or, if that is "", to the
// start of the body.
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

// htmlText returns the text of an HTML body. It replaces control characters, because entities such
// as &#27; can produce them.
func htmlText(s string) string { return resource.CleanBody(textnorm.FromHTML(s)) }
