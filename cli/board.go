package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"

	"wallboard/config"
	"wallboard/feeds"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/themes"
	"wallboard/ui"
)

// board is what the commands share that show a platform.
type board struct {
	streams  Streams
	config   string
	readOnly bool // nothing may act on the platform
	json     bool // results as JSON
}

// load reads the configuration.
func (b *board) load(demo bool) (*config.Config, error) {
	c, err := config.Load(b.config, config.Options{
		Demo: demo, Themes: append([]string{"auto"}, themes.Names()...), Pages: ui.Pages(), Operations: restclient.Operations(),
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // config.Errors say everything
	}
	return c, nil
}

// run opens the board on the configured platform.
func (b *board) run(ctx context.Context) error {
	c, err := b.load(false)
	if err != nil {
		return err
	}
	return b.show(ctx, c, feedOptions(c))
}

// errNoTerminal says what to do where there is no terminal to draw on.
var errNoTerminal = errors.New("the board needs a terminal; for scripts there is `wallboard dump`")

// show runs the feed, and the board on it, until the viewer quits.
func (b *board) show(ctx context.Context, c *config.Config, fo feeds.Options) error {
	if f, ok := b.streams.Out.(term.File); !ok || !term.IsTerminal(f.Fd()) || os.Getenv("TERM") == "dumb" {
		return errNoTerminal
	}
	o, err := uiOptions(c)
	if err != nil {
		return err
	}
	log, closeLog, err := openLog(c)
	if err != nil {
		return err
	}
	defer closeLog()
	fo.Logger = log
	feed, err := feeds.New(fo)
	if err != nil {
		return fmt.Errorf("prepare the feed: %w", err)
	}
	o.Source = feed
	ctl, err := b.openControls(ctx, c, feed.Latest, log)
	if err != nil {
		return err
	}
	defer ctl.stop()
	o.Retry = func() { feed.Retry(); ctl.retry() }
	if o.Controller = ctl.controller; o.Controller == nil {
		log.Info("the board can only look", "why", ctl.why)
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel(feed.Run(ctx)) // a board without a feed ends, the terminal restored
	}()
	err = ui.Run(ctx, o)
	cause := context.Cause(ctx)
	cancel(nil)
	<-done
	if err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// feedOptions are the feed's part of the configuration.
func feedOptions(c *config.Config) feeds.Options {
	o := feeds.Options{
		URL: c.RTD.URL, WSURL: c.RTD.WSURL(), Auth: feeds.AuthMode(c.RTD.Auth),
		Credentials: feeds.Credentials{
			Username: c.RTD.Username, Password: c.RTD.Password.Reveal(), AccessToken: c.RTD.AccessToken.Reveal(),
		},
		TLS: c.RTD.TLSConfig(), InsecureTLS: c.RTD.InsecureSkipVerify,
		UserSite: int64(c.RTD.UserSite), Services: c.RTD.Services, Groups: c.RTD.Groups,
		Roots: c.RTD.Dialect.Roots, PublishEvery: c.RTD.PublishInterval,
	}
	for _, id := range c.RTD.Campaigns {
		o.Campaigns = append(o.Campaigns, int64(id))
	}
	if c.RTD.Subprotocol != config.SubprotocolAuto {
		o.Subprotocols = []string{c.RTD.Subprotocol}
	}
	return o
}

// uiOptions are the board's part of the configuration.
func uiOptions(c *config.Config) (ui.Options, error) {
	o := ui.Options{
		Names: make(model.Names), Title: c.UI.Site, SLTarget: c.UI.ServiceLevelTarget,
		ASCII: c.UI.ASCII || !unicodeLocale(os.Getenv), Mouse: c.UI.Mouse, Flash: c.UI.Flash, StartPage: c.UI.Page,
		MarkInsecure: c.RTD.InsecureSkipVerify || c.REST.InsecureSkipVerify,
	}
	for _, n := range c.RTD.Names {
		o.Names.Add(model.NameKind(n.Kind), model.CleanText(n.Code, model.MaxName), model.CleanText(n.Name, model.MaxName))
	}
	name := c.UI.Theme
	if name == "auto" {
		light, err := themes.Load("light")
		if err != nil {
			return o, fmt.Errorf("load the theme: %w", err)
		}
		name, o.LightTheme = "dark", light
	}
	theme, err := themes.Load(name)
	if err != nil {
		return o, fmt.Errorf("load the theme: %w", err)
	}
	o.Theme = theme
	return o, nil
}

// unicodeLocale tells whether the terminal's locale has more than ASCII. A
// system that names no locale at all is given the benefit of the doubt.
func unicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// openLog opens the log file; nothing is ever logged to the terminal.
func openLog(c *config.Config) (*slog.Logger, func(), error) {
	path := c.Log.Path()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, fmt.Errorf("log file: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) //nolint:gosec // the user names the file
	if err != nil {
		return nil, nil, fmt.Errorf("log file: %w", err)
	}
	return newLogger(f, c), func() { _ = f.Close() }, nil
}

func newLogger(w io.Writer, c *config.Config) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: c.Log.SlogLevel()}))
}
