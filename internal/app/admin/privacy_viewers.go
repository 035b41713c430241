package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/internal/lib/secret"
	"wallboard/internal/serve/sshterminal"
	"wallboard/internal/textformat"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/alerts"
	"wallboard/ui/term"
)

// viewerClaims tests what each viewer can see and do: it opens their boards as at a login.
func viewerClaims(ctx context.Context, c *config.Config) ([]privacyClaim, error) {
	dir, err := os.MkdirTemp("", "wallboard-privacy-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // invented people only
	var claims []privacyClaim
	add := func(text string, tried trialResult, err error) {
		k := privacyClaim{text: text, problem: tried.problem, test: "a board with invented people was opened as for a real viewer; " + textformat.CountWithNoun(tried.frames, "frame", "frames") + " of its pages and dialogs were searched, and what it must not do was tried"}
		if err != nil {
			k.problem = "the board cannot be opened: " + err.Error()
		}
		claims = append(claims, k)
	}
	kiosk := *c
	kiosk.Kiosk.Enabled = true
	local, err := searchLocalBoard(ctx, c, dir)
	add("A board on this machine shows full names to the user who starts it", local, err)
	wall, err := searchLocalBoard(ctx, &kiosk, dir)
	add("A kiosk shows names "+string(app.LocalVisibility(&kiosk).Names), wall, err)
	results := make(map[string]trialResult) // by rights: users with the same rights are tried once
	for i := range c.Serve.Users {
		u := c.Serve.Users[i]
		name := u.Name
		u.Keys, u.REST, u.Name = nil, config.Login{}, "viewer"
		key := fmt.Sprintf("%+v %v", u, u.CanSilence())
		result, known := results[key]
		if !known {
			if result, err = searchUserBoard(ctx, c, u, dir); err == nil {
				results[key] = result
			}
		}
		add(name+" "+describeRights(c, &u), result, err)
	}
	return claims, nil
}

// describeRights says what a user may see and do.
func describeRights(c *config.Config, u *config.ServeUser) string {
	v := app.VisibilityOf(u)
	text := "(" + u.RoleName() + ") sees names " + string(cmp.Or(v.Names, model.NamesFull))
	if !v.Part.IsWholeFloor() {
		text += " of a part of the floor"
	}
	if u.NameMode() != string(model.NamesFull) && c.Privacy.SmallestGroup > 1 {
		text += ", and no group with fewer than " + strconv.Itoa(c.Privacy.SmallestGroup) + " agents"
	}
	for _, right := range []struct {
		text string
		has  bool
	}{
		{"act on the platform", u.CanAct()}, {"silence critical alerts", u.CanSilence()}, {"end sessions of others", u.RoleName() == config.RoleAdmin},
	} {
		text += map[bool]string{true: ", may ", false: ", may not "}[right.has] + right.text
	}
	return text
}

// trialResult is the result of a trial: the number of frames that were searched, and what is wrong with
// them.
type trialResult struct {
	frames  int
	problem string
}

// trialPlatform is a platform of invented people. It is opened with a configuration as for real viewers, but
// it reaches neither the platform nor the files of the configuration.
type trialPlatform struct {
	inventedPeople

	config   *config.Config
	platform *app.Platform
	server   *app.BoardServer
}

// openTrialPlatform opens a trial of the first platform that u may see. A nil u is the user of this machine.
// The files of the trial are in dir. The caller must close the server of the trial.
func openTrialPlatform(ctx context.Context, c *config.Config, u *config.ServeUser, dir string) (*trialPlatform, error) {
	platforms := c.PlatformConfigs()
	i := slices.IndexFunc(platforms, func(p *config.Config) bool { return u == nil || u.CanSee(p.Platform) })
	if i < 0 {
		return nil, errors.New("no platform is visible to the user")
	}
	private := *platforms[i]
	private.Kiosk, private.Privacy = c.Kiosk, c.Privacy
	private.Record.Enabled, private.History = false, config.History{}
	private.Audit.File, private.Audit.Heads = filepath.Join(dir, "audit.jsonl"), ""
	private.Serve.Users = nil
	part := model.FloorPart{}
	if u != nil {
		private.Serve.Users, part = []config.ServeUser{*u}, u.Part()
	}
	if private.REST.IsConfigured() {
		// No request is sent: the context of the action client has ended.
		private.REST.URL, private.REST.Auth = "https://127.0.0.1:1", config.AuthBearer
		private.REST.Login = config.Login{AccessToken: secret.New("invented")}
	}
	s := &trialPlatform{inventedPeople: inventPeople(private.Privacy.SmallestGroup, part), config: &private}
	env := &app.Environment{Simulated: true}
	log := slog.New(slog.DiscardHandler)
	s.server = app.NewBoardServer(env, &private, log)
	ended, end := context.WithCancel(ctx)
	end()
	err := s.server.AddPlatform(func(o app.PlatformOptions) (_ *app.Platform, err error) {
		o.IsObserver = true // nothing is recorded
		s.platform, err = env.OpenWithSource(ended, &private, inventedSource{s.snapshot}, log, o)
		return s.platform, err
	})
	if err != nil {
		s.server.Close()
		return nil, err
	}
	return s, nil
}

// searchLocalBoard searches the board of this machine or, if c enables it, the kiosk.
func searchLocalBoard(ctx context.Context, c *config.Config, dir string) (trialResult, error) {
	s, err := openTrialPlatform(ctx, c, nil, dir)
	if err != nil {
		return trialResult{}, err
	}
	defer s.server.Close()
	v, err := s.platform.LocalViewer()
	if err != nil {
		return trialResult{}, err
	}
	o, err := app.UIOptions(s.config, v)
	if err != nil {
		return trialResult{}, err
	}
	o.Source = v
	return s.searchFrames(o, app.LocalVisibility(s.config), len(s.config.Pages) == 0)
}

// searchUserBoard opens the board of a user as at a login, searches it and checks its rights.
func searchUserBoard(ctx context.Context, c *config.Config, u config.ServeUser, dir string) (trialResult, error) {
	s, err := openTrialPlatform(ctx, c, &u, dir)
	if err != nil {
		return trialResult{}, err
	}
	defer s.server.Close()
	o, leave, err := s.server.BoardOptions(&u, &sshterminal.Session{Account: sshterminal.Account{Name: u.Name}, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}})
	defer leave()
	if err != nil {
		return trialResult{}, err
	}
	result, err := s.searchFrames(o, app.VisibilityOf(&u), len(u.Pages)+len(s.config.Pages) == 0 && u.RoleName() != config.RoleKiosk)
	result.problem = cmp.Or(result.problem, s.checkRights(&o, &u))
	return result, err
}

// checkRights describes a right that the user's board has and the user does not, or the reverse, or returns "".
func (s *trialPlatform) checkRights(o *ui.Options, u *config.ServeUser) string {
	silence := o.Actions.Recorder(&alerts.Action{Kind: alerts.Snooze, Critical: true, UserName: u.Name})
	note := o.Actions.Recorder(&alerts.Action{Kind: alerts.WriteNote, UserName: u.Name})
	sees := u.NameMode() == string(model.NamesFull)
	part := u.Part()
	switch {
	case u.CanAct() && s.config.REST.IsConfigured() && !s.config.ReadOnly && o.Actions.Controller == nil:
		return "the board of a user who may act cannot act"
	case !u.CanAct() && o.Actions.Controller != nil:
		return "the board can act on the platform"
	case (silence == nil) != u.CanSilence():
		return "silencing critical alerts gives: " + fmt.Sprint(silence)
	case (note == nil) != u.CanSilence():
		return "writing a note for all gives: " + fmt.Sprint(note)
	case (o.OtherViewers.Sessions != nil) != (u.RoleName() == config.RoleAdmin):
		return "the right to end sessions of others is not that of the role"
	case o.Actions.Save != nil || o.Actions.Commands != nil || o.Archive.Save != nil:
		return "the board can write files on this machine or run programs"
	case (o.History != nil || o.Actions.PastActions != nil) && (!sees || !part.IsWholeFloor()):
		return "the board can read the history or the log of actions, which contain full names"
	}
	return ""
}

// boardSize is the size of the boards that are searched. It leaves room for whole names.
var boardSize = term.Size{Width: 200, Height: 60}

// searchFrames draws a board and searches its frames, and the snapshot that it gets, for what the viewer
// must not see. If showsAgents is true, a board with full names must show a name.
func (s *trialPlatform) searchFrames(o ui.Options, v hub.Visibility, showsAgents bool) (trialResult, error) {
	in, err := ui.Inspect(o, boardSize)
	if err != nil {
		return trialResult{}, err
	}
	text := strings.ToLower(strings.Join(in.Frames, "\n"))
	text += ansi.Strip(text) // a highlighted part does not divide a name
	full := v.Names == model.NamesFull || v.Names == ""
	result := trialResult{frames: len(in.Frames)}
	seen, small := o.Source.Latest(), !full && s.config.Privacy.SmallestGroup > 1
	sees := func(names []string) bool { return findName(seen, names) != "" || containsName(text, names) }
	switch {
	case seen.Users.Len() == 0:
		result.problem = "no invented person is visible at all"
	case !v.Part.IsWholeFloor() && (sees(s.outsider) || seen.Users.Len() > len(s.names)/3):
		result.problem = "a person outside the part of the floor is visible"
	case full && (findName(seen, s.names) == "" || showsAgents && !containsName(text, s.names)):
		result.problem = "the names are missing"
	case !full && sees(slices.Concat(s.names, s.outsider)):
		result.problem = "a name of an invented person is visible"
	case small && (containsGroup(seen, s.smallGroup) || containsName(text, []string{s.smallGroup})):
		result.problem = "a group with fewer agents than privacy.smallest_group is visible"
	case o.Actions.Controller == nil && len(in.ActionCommands) > 0:
		result.problem = "the palette offers to act: " + in.ActionCommands[0]
	}
	return result, nil
}

// minNameLetters is how many letters of a name must be on the screen for the name to be found. Columns
// cut names off, and the rest of an invented name is random.
const minNameLetters = 9

// containsName reports whether the beginning of a name occurs in a text in lower case.
func containsName(text string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(text, strings.ToLower(name[:min(len(name), minNameLetters)]))
	})
}

// Reconfigure implements [app.Source].
func (inventedSource) Reconfigure(feeds.RuntimeOptions) {}

// Reconnect implements [app.Source].
func (inventedSource) Reconnect(feeds.Options) error { return nil }

// RetryNow implements [app.Source].
func (inventedSource) RetryNow() {}

// Run implements [app.Source].
func (inventedSource) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Wait implements [app.Source].
func (s inventedSource) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if s.Seq > after {
		return s.Snapshot, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}
