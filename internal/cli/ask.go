package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/report/ask"
	"wallboard/internal/report/headless"
	"wallboard/model"
)

// askFlags select the floor that questions are about, and what the answers may show.
type askFlags struct {
	setup               *commandSetup
	selection           cmdutil.RecordingSelection
	recording, at       string
	asUser, names       string
	demo                bool
	wait                time.Duration
	hidesNamesByDefault bool // names are hidden unless a flag says otherwise
}

func (fl *askFlags) addTo(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&fl.recording, "recording", "", "ask about this recording, a file or folder, instead of the live platform")
	fs.StringVar(&fl.at, "at", "", "with --recording: the present of the answers: a time of day (13:50), a date and time, or a duration before the end (default: the end)")
	fs.BoolVar(&fl.demo, "demo", false, "ask about a simulated platform")
	fs.StringVar(&fl.asUser, "as", "", "show only what the [[serve.user]] with this name may see")
	fs.StringVar(&fl.names, "names", "", "names of agents: full, initials or hidden (default: as for a board; with --json and in mcp: hidden)")
	fs.DurationVar(&fl.wait, "for", 10*time.Second, "maximum time to wait until everything is live")
	fl.selection.AddFlags(cmd)
}

func newAskCommand(b *commandSetup) *cobra.Command {
	fl := askFlags{setup: b}
	cmd := &cobra.Command{
		Use: "ask QUESTION", Short: "Answer a question about the floor in plain words",
		Long: "Ask answers a question such as \"why sales at 14:05\" with the figures, causes and forecasts of the board. It uses a\n" +
			"fixed grammar, no language model; docs/user/ask.md describes it. Every answer says from when the figures are,\n" +
			"whether they were verified, and what is presumed or unknown. Ask cannot act on the platform.\n" +
			"The exit code is 0 for an answer, 1 if there is none, and 2 if the question was not understood.",
		Example: "wallboard ask \"why sales at 14:05\"\nwallboard ask who can go at 15\nwallboard ask --recording shift.wbr incidents --json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			fl.hidesNamesByDefault = b.JSON
			return fl.withFloor(cmd.Context(), func(ctx context.Context, f *ask.Responder) error {
				return fl.writeAnswer(f.Ask(ctx, strings.Join(words, " ")))
			})
		},
	}
	fl.addTo(cmd)
	return cmd
}

// writeAnswer writes an answer. It returns a statusError if a was not understood or has a problem.
func (fl *askFlags) writeAnswer(a *ask.Answer) error {
	if err := cmdutil.WriteResult(fl.setup.Streams.Out, fl.setup.JSON, a, a.Title()+"\n\n"+strings.Join(a.Lines(), "\n")+"\n"); err != nil {
		return err
	}
	switch {
	case !a.Understood:
		return statusError(cmdutil.ExitUsage)
	case a.Problem != "":
		return statusError(cmdutil.ExitFailed)
	}
	return nil
}

// withFloor opens the floor that the flags select and calls use with it. The floor cannot act: it is
// opened without a connection to the configuration service.
func (fl *askFlags) withFloor(ctx context.Context, use func(context.Context, *ask.Responder) error) error {
	if fl.wait <= 0 || fl.demo && fl.recording != "" || fl.at != "" && fl.recording == "" {
		return cmdutil.NewUsageError(errors.New("--for must be more than 0; --demo excludes --recording, and --at needs it"))
	}
	switch {
	case fl.recording != "":
		return fl.withRecordedFloor(ctx, use)
	case fl.demo:
		return fl.setup.withSimulation(ctx, *commands.AddSimulatorFlags(pflag.NewFlagSet("", pflag.ContinueOnError), true), 1, func(sources []app.ConfigSource) error {
			return fl.withLiveFloor(ctx, sources[0], false, use)
		})
	}
	return fl.withLiveFloor(ctx, fl.setup.sources.readConfigured, true, use)
}

// visibility returns what the answers may show.
func (fl *askFlags) visibility(c *config.Config) (hub.Visibility, error) {
	v := app.LocalVisibility(c)
	if fl.asUser != "" {
		found := false
		for i := range c.Serve.Users {
			if u := &c.Serve.Users[i]; u.Name == fl.asUser && u.CanSee(c.Platform) {
				v, found = app.VisibilityOf(u), true
			}
		}
		if !found {
			return v, cmdutil.NewUsageError(fmt.Errorf("--as %q: no [[serve.user]] of that name sees this platform", fl.asUser))
		}
	}
	strictness := map[model.NameMode]int{model.NamesFull: 0, model.NamesInitials: 1, model.NamesHidden: 2}
	mode := model.NameMode(fl.names)
	switch _, known := strictness[mode]; {
	case fl.names == "" && fl.hidesNamesByDefault:
		mode = model.NamesHidden
	case fl.names == "":
		mode = v.Names
	case !known:
		return v, cmdutil.NewUsageError(fmt.Errorf("--names %q: want full, initials or hidden", fl.names))
	}
	if strictness[mode] > strictness[v.Names] { // a flag never shows more than the viewer may see
		v.Names = mode
	}
	return v, nil
}

// withLiveFloor opens a platform, waits until it is live and calls use. isObserver is false for a
// simulated platform, which records its day.
func (fl *askFlags) withLiveFloor(ctx context.Context, read app.ConfigSource, isObserver bool, use func(context.Context, *ask.Responder) error) error {
	level := new(slog.LevelVar)
	level.Set(slog.LevelError)
	b := fl.setup
	p, err := b.environment().Open(ctx, read, b.NewLogger(b.Streams.Err, level), new(slog.LevelVar), app.PlatformOptions{IsObserver: isObserver, LoadAlerts: isObserver})
	if err != nil {
		return err
	}
	defer p.Close()
	visibility, err := fl.visibility(p.Config())
	if err != nil {
		return err
	}
	viewer, err := p.Hub.NewViewer(visibility, 0, 0)
	if err != nil {
		return err
	}
	ctx, stop := p.Run(ctx, nil)
	defer stop()
	if isObserver { // otherwise p.Run runs the hub
		evaluating := make(chan struct{})
		go func() { defer close(evaluating); p.Hub.Run(ctx) }()
		defer func() { stop(); <-evaluating }()
	}
	v := &headless.Viewer{Viewer: viewer}
	if err := v.AwaitLive(ctx, fl.wait); err != nil {
		return err
	}
	if v.Evaluate(); v.LastSnapshot != nil && visibility.Part.IsWholeFloor() && visibility.Names == model.NamesFull {
		p.Hub.LoadIncidents(ctx, v.EvaluatedAt)
	}
	if !isObserver {
		p.AwaitRecording(ctx, fl.wait)
	}
	return use(ctx, p.AnswerFloor(ctx, visibility, viewer, nil))
}

// withRecordedFloor opens a recording and calls use.
func (fl *askFlags) withRecordedFloor(ctx context.Context, use func(context.Context, *ask.Responder) error) error {
	b := fl.setup
	loaded, err := b.LoadAll(true)
	if err != nil {
		return err
	}
	c := *loaded
	r, err := fl.selection.OpenWithConfig(b.Streams, &c, []string{fl.recording})
	if err != nil {
		return err
	}
	in := r.Info()
	at, err := in.ParseInstant(fl.at, in.Last)
	if err != nil {
		return errors.Join(cmdutil.NewUsageError(fmt.Errorf("--at %w", err)), r.Close())
	}
	admin.AddNames(&c, in)
	player := r.Replay(at, 0, nil)
	defer player.Close() //nolint:errcheck // read-only: closing cannot lose data
	visibility, err := fl.visibility(&c)
	if err != nil {
		return err
	}
	f := app.NewAnswerFloor(&c, visibility, in.Location())
	o := f.EngineOptions
	o.Source, o.Salt, o.MinGroup, o.Secrets = player, time.Now().String(), c.Privacy.SmallestGroup, []string{c.RTD.Username, c.REST.Username}
	h, err := hub.New(o)
	if err != nil {
		return err
	}
	viewer, err := h.NewViewer(visibility, 0, 0)
	if err != nil {
		return err
	}
	if err := f.UseRecording(ctx, viewer, player, in.About.Names != string(model.NamesFull)); err != nil {
		return err
	}
	return use(ctx, f)
}
