package web

import (
	"bytes"
	"cmp"
	"html"
	"io"
	"net/http"
	"strings"
	"time"

	"wallboard/internal/words"
)

// maxPictureAge is how old a picture may be when it is sent. The board has stopped drawing if it is
// older.
const maxPictureAge = 3 * time.Second

// wallLifetime is how long a page of a wall grows until the browser loads it again.
const wallLifetime = 5 * time.Minute

// reloadPage is the end of a page that the browser must load again at once.
const reloadPage = `<meta http-equiv="refresh" content="0">`

// showWall shows the page of a wall, which works without a script and in browsers of 2015.
//
// The server does not finish the page. Once a second it appends an image and a paragraph. The style shows
// the last image but one, so that the last one can load unseen, and three seconds later the last
// paragraph, which says that the picture is old; the next paragraph hides it. A text takes the place of an
// image that cannot be loaded. When the connection ends, the browser considers the page complete and
// loads it again after ten seconds.
func (s *Server) showWall(w http.ResponseWriter, r *http.Request, v Viewer, d *Device) {
	stream, ok := s.newStream(w, r, d)
	if !ok {
		s.writeUnavailable(w, r, errDeviceLimit)
		return
	}
	defer stream.close()
	renewCookie(w, r)
	w.Header().Set("Content-Security-Policy", wallSecurity())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	l := languageOf(r, v.Language)
	if !stream.send(renderTemplate("wall", map[string]any{"L": l, "Name": v.Name})) {
		return
	}
	shownAt := ""
	for endAt := time.Now().Add(wallLifetime); time.Now().Before(endAt); {
		if p, err := s.picture(r, v); err == nil { // otherwise the browser soon says that the picture is old
			at := p.DrawnAt.Format(time.TimeOnly)
			if !stream.send(pictureTag(l, v.Name, p, at, cmp.Or(shownAt, at))) {
				return
			}
			shownAt = at
		}
		if !stream.wait() || !s.isStillAdmitted(r, v) {
			return
		}
	}
	stream.send(reloadPage)
}

// pictureTag returns the image and the paragraph of a picture that was drawn at the time of day at. They
// are appended to the page. shownAt is the time of the picture that the page shows until this one is
// loaded. A template would cost more than all the rest of a page.
func pictureTag(l *words.Language, name string, p *Picture, at, shownAt string) string {
	src := wallPath(name) + "/picture.png?" + strings.Trim(p.ETag, `"`)
	return `<img src="` + html.EscapeString(src) + `" alt="` + html.EscapeString(words.WebPictureMissing(at).In(l)) +
		`"><p>` + html.EscapeString(words.WebPictureOld(shownAt).In(l)) + "</p>\n"
}

// sendPicture sends the picture of a wall.
func (s *Server) sendPicture(w http.ResponseWriter, r *http.Request, v Viewer, _ *Device) {
	p, err := s.picture(r, v)
	if err != nil {
		s.writeUnavailable(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("ETag", p.ETag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(p.PNG))
}

// picture returns the current picture of a wall.
func (s *Server) picture(r *http.Request, v Viewer) (*Picture, error) {
	p, err := s.options.Content.Picture(r.Context(), v.Name)
	if err == nil && s.options.Now().Sub(p.DrawnAt) > maxPictureAge {
		err = errOldPicture
	}
	return p, err
}

// stream is an answer that the server sends little by little.
type stream struct {
	writer        http.ResponseWriter
	request       *http.Request
	control       *http.ResponseController
	timer         *time.Timer
	page          *openPage
	server        *Server
	writeDeadline time.Time // time at which a write fails if the client has not read the data
}

// newStream begins an answer to a device. ok is false if too many pages are open or the device is gone.
func (s *Server) newStream(w http.ResponseWriter, r *http.Request, d *Device) (_ *stream, ok bool) {
	page, ok := s.openPage(d, remoteOf(r))
	if !ok {
		return nil, false
	}
	x := &stream{writer: w, request: r, control: http.NewResponseController(w), timer: time.NewTimer(time.Hour), page: page, server: s}
	if x.control.SetReadDeadline(time.Time{}) != nil {
		x.close()
		return nil, false
	}
	w.Header().Set("X-Accel-Buffering", "no") // for proxies
	return x, true
}

func (x *stream) close() {
	x.timer.Stop()
	x.server.closePage(x.page)
}

// send sends text. It returns false if the client is gone, does not read, or wants only the headers.
func (x *stream) send(text string) bool {
	if x.request.Method == http.MethodHead {
		return false
	}
	if now := time.Now(); x.writeDeadline.Sub(now) < sendTimeout { // not for each write, because it wakes up another goroutine
		if x.writeDeadline = now.Add(2 * sendTimeout); x.control.SetWriteDeadline(x.writeDeadline) != nil {
			return false
		}
	}
	n, err := io.WriteString(x.writer, text) //nolint:gosec // markup of this package around escaped text
	x.page.sent.Add(int64(n))
	return err == nil && x.control.Flush() == nil
}

// heartbeatPhase is the time of the beats in each second, as a share of the second. It is after the frames
// of the walls, which are drawn at the full second.
const heartbeatPhase = 0.4

// wait waits for the next beat. It returns false if the client is gone or the server ends. All streams
// have their beats at the same time, because each wake-up of the process costs more than a beat.
func (x *stream) wait() bool {
	beat, now := x.server.options.heartbeat, time.Now()
	phase := time.Duration(heartbeatPhase * float64(beat))
	x.timer.Reset(now.Add(-phase).Truncate(beat).Add(beat + phase).Sub(now))
	select {
	case <-x.request.Context().Done():
		return false
	case <-x.timer.C:
		return true
	}
}

// isStillAdmitted reports whether the device is admitted, its user unchanged and its session not ended.
func (s *Server) isStillAdmitted(r *http.Request, v Viewer) bool {
	c, err := r.Cookie(deviceCookie)
	if err != nil {
		return false
	}
	d, isDevice := s.options.Access.device(c.Value)
	now, isUser := s.options.Content.Viewer(v.Name)
	return isDevice && isUser && now == v && !s.isEnded(&d)
}
