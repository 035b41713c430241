package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"wallboard/internal/words"
)

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed pages/style.css
var styleSheet []byte

//go:embed pages/script.js
var script []byte

//go:embed pages/wall.css
var wallStyle string

// pages returns the parsed templates, which are never changed. html/template escapes all values in them.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"wallStyle": func() template.CSS { return template.CSS(wallStyle) }, //nolint:gosec // our own file
		"tell":      func(l *words.Language, t words.Text) string { return t.In(l) },
		"tag":       (*words.Language).Tag,
		"skip":      words.WebSkip, "pause": words.WebPause, "resume": words.WebResume, "showNow": words.WebShowNow, "showAt": words.WebShowAt, "show": words.WebShow,
		"leave": words.WebLeave, "left": words.WebLeft, "question": words.WebQuestion, "showBoard": words.WebShowBoard, "noPicture": words.WebNoPicture,
		"lost": words.WebLost, "paused": words.WebPaused,
		"terminal": words.WebTerminal, "notNow": words.WebNotNow,
	}).ParseFS(pageFiles, "pages/*.html"))
})

// languageOf returns the language with a tag or, if there is none ("auto"), the first one that the
// browser asks for and that is offered, or nil.
func languageOf(r *http.Request, tag string) *words.Language {
	for _, wanted := range append([]string{tag}, strings.Split(r.Header.Get("Accept-Language"), ",")...) {
		wanted, _, _ = strings.Cut(wanted, ";")
		primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(wanted)), "-")
		if l, ok := words.AvailableLanguages.Lookup(primary); ok {
			return l
		}
	}
	return nil
}

// writeNotice writes a page with a short text, in the language of the browser.
func writeNotice(w http.ResponseWriter, r *http.Request, status int, text words.Text) {
	isLinked := status == http.StatusConflict || text.Equal(words.WebNoPage())
	writeTemplate(w, status, "notice", map[string]any{"L": languageOf(r, ""), "Text": text, "Linked": isLinked, "Ended": text.Equal(words.WebEnded())})
}

// writePage writes a page of text. If isLive is true, the browser keeps the page up to date.
func writePage(w http.ResponseWriter, p *Page, isLive bool, l *words.Language) {
	writeTemplate(w, http.StatusOK, "page", map[string]any{
		"L": l, "Title": p.Title, "Main": template.HTML(p.Main), "Live": isLive, //nolint:gosec // Content escapes it
	})
}

func writeTemplate(w http.ResponseWriter, status int, name string, data any) {
	text := renderTemplate(name, data)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // the client may have gone
}

// renderTemplate returns a page made from a template.
func renderTemplate(name string, data any) string {
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

// SituationTimePath returns the path of the page about the beginning of a situation: the first full minute at
// which it was there.
func SituationTimePath(since time.Time) string {
	return "/at/" + since.Add(time.Minute-time.Nanosecond).Format("15:04")
}

// HostNames returns the names by which browsers reach a server: the configured ones or, if there are none,
// that of the machine.
func HostNames(configured []string) []string {
	if len(configured) > 0 {
		return configured
	}
	name, err := os.Hostname()
	if err != nil || name == "" {
		name = "localhost"
	}
	return []string{name}
}

// Address returns the address of a path of a server that listens on the address listen. hosts are its
// configured names.
func Address(listen string, hosts []string, path string) string {
	host := HostNames(hosts)[0]
	_, port, err := net.SplitHostPort(listen)
	if err != nil || port == "443" {
		if strings.Contains(host, ":") { // IPv6
			host = "[" + host + "]"
		}
		return "https://" + host + path
	}
	return "https://" + net.JoinHostPort(host, port) + path
}

// wallPath returns the path of a wall.
func wallPath(name string) string { return "/wall/" + url.PathEscape(name) }

// wallSecurity returns the Content-Security-Policy of the page of a wall, which has no script. Its style
// is in the page, because another request could fail.
func wallSecurity() string {
	sum := sha256.Sum256([]byte(wallStyle))
	return "default-src 'none'; img-src 'self'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
}
