package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/alert"
	"wallboard/config"
	"wallboard/feeds"
	"wallboard/internal/output"
	"wallboard/model"
)

// Exit codes of status beside 0 (no alert), 1 (not live) and 2 (a wrong command
// line or configuration).
const (
	exitWarning  = 10
	exitCritical = 11
)

// statusError ends status where something is not well. The line has said it.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }

// statusFlags are the flags of status.
type statusFlags struct {
	wait, watch time.Duration
	follow      bool
}

func newStatus(b *board) *cobra.Command {
	var fl statusFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say in one line how the floor is doing",
		Long: "Status connects, waits until everything is live, and writes one line: service level, calls waiting and agents\n" +
			"ready of the whole floor for calls, how many alerts there are, and the most urgent one.\n" +
			"With --json it writes the figures, the alerts and the state of the connection; agents have no figures in it.\n\n" +
			"It ends with 0 when there is no alert, 10 when the worst one is a warning, 11 when it is critical, 1 when not\n" +
			"everything is live, and 2 on a wrong command line or configuration.\n\n" +
			"Some alerts need their condition to last, \"stranded\" for 20 seconds: --watch looks on for so long.",
		Example: "wallboard status\nwallboard status --watch 30s --json | jq .alerts\nwallboard status --follow",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fl.wait <= 0 || fl.watch < 0 {
				return usageError{errors.New("--for must be more than 0, --watch at least 0")}
			}
			h, err := b.openHeadless()
			if err != nil {
				return err
			}
			h.level.Set(max(h.level.Level(), slog.LevelWarn)) // it stands beside one line
			v, err := newViewer(h.config, h.feed)
			if err != nil {
				return err
			}
			changes := make(chan func(*viewer) *viewer)
			ctx, stop := h.run(cmd.Context(), fl.following(h.feed, changes))
			defer stop()
			return b.status(ctx, v, fl, changes)
		},
	}
	cmd.Flags().DurationVar(&fl.wait, "for", 10*time.Second, "how long to wait until everything is live")
	cmd.Flags().DurationVar(&fl.watch, "watch", 0, "how long to look on after that, for alerts that take a while")
	cmd.Flags().BoolVar(&fl.follow, "follow", false, "go on, and write a line whenever it changes, once a second at most")
	return cmd
}

// following hands what becomes of a viewer when the configuration changes to who
// writes its status, as long as that goes on.
func (fl *statusFlags) following(feed *feeds.Feed, changes chan<- func(*viewer) *viewer) *following {
	if !fl.follow {
		return nil
	}
	return &following{take: func(ctx context.Context, c *config.Config, elsewhere bool) error {
		next, err := newViewer(c, feed)
		if err != nil {
			return err
		}
		select {
		case changes <- func(before *viewer) *viewer {
			if !elsewhere {
				next.inherit(before)
			}
			return next
		}:
		case <-ctx.Done():
		}
		return nil
	}}
}

// status writes how the floor is doing, once or whenever it changes.
func (b *board) status(ctx context.Context, v *viewer, fl statusFlags, changes <-chan func(*viewer) *viewer) error {
	if err := v.awaitLive(ctx, fl.wait); err != nil {
		return err
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	look := time.Now().Add(fl.watch)
	for said := ""; ; {
		v.look()
		if over := !time.Now().Before(look); over || !v.live() {
			if line := v.line(); line != said {
				said = line
				if err := b.writeStatus(v, fl.follow); err != nil {
					return err
				}
			}
			if !fl.follow {
				return v.verdict()
			}
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
				return cause //nolint:wrapcheck // the feed's own end
			}
			return v.verdict()
		case change := <-changes:
			v = change(v)
		case <-tick.C:
		}
	}
}

// awaitLive waits until everything is live, or the time is over.
func (v *viewer) awaitLive(ctx context.Context, within time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := v.feed.Wait(waiting, seq)
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %w", context.Cause(ctx))
		case err != nil || s.Health.Live():
			return nil
		}
		seq = s.Seq
	}
}

// verdict returns the exit code as an error.
func (v *viewer) verdict() error {
	critical, warning := count(v.engine.Active())
	switch {
	case !v.live():
		return statusError(exitFailed)
	case critical > 0:
		return statusError(exitCritical)
	case warning > 0:
		return statusError(exitWarning)
	}
	return nil
}

// line is how the floor is doing, for a status line.
func (v *viewer) line() string {
	dot, ring, none := "●", "○", "–"
	if !unicodeLocale(os.Getenv) {
		dot, ring, none = "*", "o", "-"
	}
	if v.last == nil {
		return ring + " NOT LIVE"
	}
	var b strings.Builder
	if v.live() {
		b.WriteString(dot + " LIVE")
	} else {
		link := &v.last.Health.Link
		b.WriteString(ring + " NOT LIVE (connection: " + string(link.State) + cmp.Or(reason(link.Reason), reason(v.last.Health.Notice)) + ")")
	}
	floor := alert.Key{Scope: alert.Floor, Channel: model.Call}
	figure := func(name string, factor float64, decimals int) string {
		f := v.engine.Value(name, floor)
		if x, ok := f.Get(); ok {
			return strconv.FormatFloat(x*factor, 'f', decimals, 64)
		}
		if f.NA() {
			return "n/a"
		}
		return none
	}
	level := figure("serviceLevel", 100, 1)
	if v.engine.Value("serviceLevel", floor).Known() {
		level += " %"
	}
	fmt.Fprintf(&b, "  SL %s  waiting %s  ready %s", level, figure("queuedCalls", 1, 0), figure("readyUsers", 1, 0))
	alerts := v.engine.Active()
	if len(alerts) == 0 {
		return b.String()
	}
	critical, warning := count(alerts)
	b.WriteString(" ")
	if critical > 0 {
		fmt.Fprintf(&b, " %d critical", critical)
	}
	if warning > 0 {
		fmt.Fprintf(&b, " %d warning", warning)
	}
	b.WriteString(": " + alerts[0].Text)
	return b.String()
}

// statusDoc is the JSON document of status.
type statusDoc struct {
	At   time.Time `json:"at"`
	Live bool      `json:"live"` // everything comes as it happens
	// Polling is what is asked for again and again instead, and its age in seconds.
	Polling map[string]float64 `json:"polling,omitempty"`
	Line    string             `json:"line"`
	Alerts  []alertDoc         `json:"alerts"` // the most urgent first
	KPIs    []figureDoc        `json:"kpis"`
	Feed    feedDoc            `json:"feed"`
}

type alertDoc struct {
	ID         string     `json:"id"`
	Rule       string     `json:"rule"`
	Severity   string     `json:"severity"`
	Scope      string     `json:"scope"`
	Code       string     `json:"code"`
	Channel    string     `json:"channel"`
	Text       string     `json:"text"`
	Since      time.Time  `json:"since"`
	Raised     time.Time  `json:"raised"`
	Unverified *time.Time `json:"unverifiedSince"`
	Notify     []string   `json:"notify"`
}

// figureDoc is a figure: percentages are shares from 0 to 1, durations seconds.
// A value that is null is unknown, or without meaning if na is true.
type figureDoc struct {
	Scope   string   `json:"scope"`
	Code    string   `json:"code"`
	Channel string   `json:"channel"`
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Format  string   `json:"format"`
	Value   *float64 `json:"value"`
	NA      bool     `json:"na"`
}

type feedDoc struct {
	Link          string            `json:"link"`
	Since         time.Time         `json:"since"`
	Reason        string            `json:"reason"`
	Notice        string            `json:"notice"`
	Reconnects    uint64            `json:"reconnects"`
	BadFrames     uint64            `json:"badFrames"`
	Subscriptions []subscriptionDoc `json:"subscriptions"`
}

type subscriptionDoc struct {
	Name       string     `json:"name"`
	State      string     `json:"state"`
	Reason     string     `json:"reason"`
	Records    int        `json:"records"`
	VerifiedAt *time.Time `json:"verifiedAt"`
}

// writeStatus writes the line, or the document: of several each on a line.
func (b *board) writeStatus(v *viewer, several bool) error {
	if !b.json {
		_, err := fmt.Fprintln(b.streams.Out, v.line())
		return output.Failed(err)
	}
	doc := v.document()
	if !several {
		return output.JSON(b.streams.Out, doc)
	}
	line, err := json.Marshal(doc)
	if err != nil {
		return output.Failed(err)
	}
	_, err = b.streams.Out.Write(append(output.EscapeJSON(line), '\n'))
	return output.Failed(err)
}

func (v *viewer) document() statusDoc {
	var polling map[string]float64
	if v.last != nil {
		polling = pollingOf(v.last)
	}
	doc := statusDoc{At: v.at.UTC(), Live: v.live() && polling == nil, Polling: polling, Line: v.line(), Alerts: []alertDoc{}, KPIs: []figureDoc{}}
	for _, a := range v.engine.Active() {
		doc.Alerts = append(doc.Alerts, alertDoc{
			ID: a.ID, Rule: a.Rule, Severity: a.Level.String(), Scope: string(a.Key.Scope), Code: a.Key.Code,
			Channel: string(a.Key.Channel), Text: a.Text, Since: a.Since.UTC(), Raised: a.Raised.UTC(),
			Unverified: known(a.Unverified), Notify: append([]string{}, a.Notify...),
		})
	}
	for _, k := range v.keys() {
		for _, kpi := range v.engine.KPIs(k.Scope) {
			f := v.engine.Value(kpi.Name, k)
			figure := figureDoc{
				Scope: string(k.Scope), Code: k.Code, Channel: string(k.Channel), Name: kpi.Name,
				Title: cmp.Or(kpi.Title, kpi.Name), Format: string(kpi.Format), NA: f.NA(),
			}
			if x, ok := f.Get(); ok {
				figure.Value = &x
			}
			doc.KPIs = append(doc.KPIs, figure)
		}
	}
	if v.last != nil {
		doc.Feed = feedOf(&v.last.Health)
	}
	return doc
}

func feedOf(h *model.Health) feedDoc {
	doc := feedDoc{
		Link: string(h.Link.State), Since: h.Link.Since.UTC(), Reason: h.Link.Reason, Notice: h.Notice,
		Reconnects: h.Link.Reconnects, BadFrames: h.BadFrames, Subscriptions: []subscriptionDoc{},
	}
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		doc.Subscriptions = append(doc.Subscriptions, subscriptionDoc{
			Name: s.Name, State: string(s.State), Reason: s.Reason, Records: s.Records, VerifiedAt: known(s.VerifiedAt),
		})
	}
	return doc
}

// known returns a time for JSON: null when there is none.
func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
