// Package webboards shows the boards of a server in browsers. It connects the web server with the
// platforms: it draws the boards of walls as pictures, and writes pages of text for the other users.
//
// Users with the same part of the floor share a page, and walls with the same cells share a picture. The
// board of a wall runs in goroutines of its own from the first request until a while after the last
// one; all of them have ended when the function returned by [Start] returns.
//
// A [Drawer] draws the cells of a terminal as an image, with an embedded font. Lines, blocks, Braille
// patterns and geometric shapes fill their cells exactly, as in a terminal. A character that the font
// lacks is an empty box.
package webboards

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/netconn"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/serve/web"
)

// Start starts the web server of s, which [config.Web] configures. listening is called with the address.
// Its first three parameters are those of [app.Environment.StartWeb].
func Start(ctx context.Context, s *app.BoardServer, onEvent func(sshterminal.Event), log *slog.Logger, listening func(net.Addr) error) (stop func(), err error) {
	c := &s.CurrentConfig().Serve
	current, err := openCertificate(&c.Web, log)
	if err != nil {
		return nil, err
	}
	access, err := web.OpenAccess(c.Web.AccessPath(), time.Now)
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Web.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for browsers: %w", err)
	}
	if err := listening(l.Addr()); err != nil {
		_ = l.Close()
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	content := newContent(ctx, s, log)
	server := web.New(web.Options{
		Certificate: current, Access: access, Content: content, MaxEvents: c.MaxViewers, Log: log,
		OnEvent: func(e web.Event) {
			onEvent(sshterminal.Event{Kind: e.Kind, User: e.User, Remote: e.Remote, Reason: e.Reason})
		},
	})
	s.SetBrowserSessions(app.BrowserSessions{EndSessionsOf: server.EndSessionsOf, Sessions: func() (all []app.ViewerSession) {
		for _, x := range server.Sessions() {
			all = append(all, app.ViewerSession{User: x.User, Rights: "browser", From: x.Remote, Since: x.Since, SentBytes: x.Sent})
		}
		return all
	}})
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := server.Serve(ctx, l); err != nil {
			log.Error("the web server has ended", "error", err)
		}
	})
	return func() {
		cancel()
		serving.Wait()
		content.wait()
	}, nil
}

// openCertificate returns a function that returns the current certificate of the server.
func openCertificate(w *config.Web, log *slog.Logger) (func() *tls.Certificate, error) {
	if w.CertFile != "" {
		files, err := netconn.OpenCertificate(w.CertFile, w.KeyFile)
		if err != nil {
			return nil, app.ConfigError{Err: fmt.Errorf("serve.web.cert_file: %w", err)}
		}
		return func() *tls.Certificate { return files.Current(time.Now()) }, nil
	}
	own, created, err := netconn.SelfSignedCertificate(w.SelfSignedPath(), web.HostNames(w.Hosts), time.Now())
	if err != nil {
		return nil, fmt.Errorf("certificate for browsers: %w", err)
	}
	if created {
		log.Info("self-signed certificate created", "file", w.SelfSignedPath())
	}
	return func() *tls.Certificate { return own }, nil
}
