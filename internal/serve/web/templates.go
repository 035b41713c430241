package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed pages/style.css
var styleSheet []byte

//go:embed pages/script.js
var script []byte

//go:embed pages/wall.css
var wallStyle string

// pages returns the parsed templates, which nothing changes. html/template escapes whatever they contain.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"wallStyle": func() template.CSS { return template.CSS(wallStyle) }, //nolint:gosec // our own file
	}).ParseFS(pageFiles, "pages/*.html"))
})

// notice is a page with a short text. Its name selects the text in notice.html.
type notice string

// Notices.
const (
	noticeMoment   notice = "moment"
	noticeNoDevice notice = "no-device"
	noticeLinkUsed notice = "link-used"
	noticeTooMany  notice = "too-many"
	noticeNoWall   notice = "no-wall"
	noticeNoPage   notice = "no-page"
	noticeNotNow   notice = "not-now"
	noticeLeft     notice = "left"
)

func writeNotice(w http.ResponseWriter, status int, n notice) {
	writeTemplate(w, status, "notice", map[string]any{"Notice": string(n)})
}

// writePage writes a page of text. A live one is updated.
func writePage(w http.ResponseWriter, p *Page, isLive bool) {
	writeTemplate(w, http.StatusOK, "page", map[string]any{
		"Title": p.Title, "Main": template.HTML(p.Main), "Live": isLive, //nolint:gosec // Content escapes it
	})
}

func writeTemplate(w http.ResponseWriter, status int, name string, data any) {
	text := executed(name, data)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the client may have gone
}

// executed returns a page made from a template.
func executed(name string, data any) string {
	var b strings.Builder
	if err := pages().ExecuteTemplate(&b, name+".html", data); err != nil {
		panic("web: " + err.Error()) // cannot happen: a test executes all templates
	}
	return b.String()
}

// sendFile returns a handler that sends an embedded file.
func sendFile(text []byte, contentType string) http.HandlerFunc {
	tag := entityTag(text)
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	}
}

// entityTag returns the ETag of a content.
func entityTag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// wallPath returns the path of a wall.
func wallPath(name string) string { return "/wall/" + url.PathEscape(name) }

// wallSecurity returns the Content-Security-Policy of the page of a wall, which has no script. Its style
// is in the page, because another request could fail.
func wallSecurity() string {
	sum := sha256.Sum256([]byte(wallStyle))
	return "default-src 'none'; img-src 'self'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
}
