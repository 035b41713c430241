package cli

import (
	"bytes"
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/feeds/graphql"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestFilterReachesThePlatform sets each key of [rtd.filter], at the start and while the connection is
// open.
func TestFilterReachesThePlatform(t *testing.T) {
	t.Parallel()
	on := func(ok func(ch model.Channel) bool) bool {
		channels := model.Channels()
		return slices.ContainsFunc(channels[:], ok)
	}
	for key, tt := range map[string]struct {
		value func(s *model.Snapshot, u *model.User) string
		fits  func(filter string, u *model.User) bool
	}{
		"surname":   {func(_ *model.Snapshot, u *model.User) string { return said(u.Surname)[1:] }, func(f string, u *model.User) bool { return strings.Contains(said(u.Surname), f) }},
		"name":      {func(_ *model.Snapshot, u *model.User) string { return said(u.Name) }, func(f string, u *model.User) bool { return strings.Contains(said(u.Name), f) }},
		"skillsets": {func(_ *model.Snapshot, u *model.User) string { return u.Skillsets[0] }, func(f string, u *model.User) bool { return slices.Contains(u.Skillsets, f) }},
		"services":  {func(_ *model.Snapshot, u *model.User) string { return u.Services[0] }, func(f string, u *model.User) bool { return slices.Contains(u.Services, f) }},
		"channels":  {func(*model.Snapshot, *model.User) string { return "CHAT" }, func(_ string, u *model.User) bool { return u.Statuses.ForChannel(model.Chat) != "" }},
		"statuses": {func(*model.Snapshot, *model.User) string { return "READY" }, func(_ string, u *model.User) bool {
			return on(func(ch model.Channel) bool { return u.Statuses.ForChannel(ch) == "READY" })
		}},
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 4, Agents: 30, Groups: 3}}, nil)
				defer r.stop()
				r.srv.Pause()
				all := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && s.Users.Len() > 10 })
				users := slices.Clone(all.Users.Rows())
				slices.SortFunc(users, func(a, b *model.User) int { return strings.Compare(a.Key(), b.Key()) })
				value := tt.value(all, users[0])
				want := 0
				for _, u := range users {
					if tt.fits(value, u) {
						want++
					}
				}
				if want == 0 || want == len(users) {
					t.Fatalf("%q fits %d of %d", value, want, len(users))
				}
				toml := config.QuotedList([]string{value})
				if key == "name" || key == "surname" {
					toml = config.Quoted(value)
				}
				c, err := config.Parse("[rtd]\nurl = \"https://x.example/rtd\"\n[rtd.filter]\n"+key+" = "+toml+"\n", "config.toml", config.Options{Demo: true})
				if err != nil {
					t.Fatal(err)
				}
				r.feed.Reconfigure(feeds.RuntimeOptions{Restriction: app.FeedOptions(c).Restriction})
				s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && s.Users.Len() == want && s.UserStats.Len() > 0 })
				for _, u := range s.Users.Rows() {
					if !tt.fits(value, u) {
						t.Errorf("%s is shown", u.Key())
					}
				}
				for _, u := range s.UserStats.Rows() {
					if s.Users.Get(said(u.Username)) == nil {
						t.Errorf("figures of %s are shown", said(u.Username))
					}
				}
			})
		})
	}
}

// TestFiguresAreNarrowed requests one custom figure and the figures of one activity code.
func TestFiguresAreNarrowed(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 4, Agents: 30}}, nil)
		defer r.stop()
		r.srv.Pause()
		s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && s.Services.Len() > 0 })
		custom := func(s *model.Snapshot) (keys []string) {
			for _, x := range s.Services.Rows() {
				for _, c := range x.CustomStats {
					keys = append(keys, c.Key)
				}
			}
			slices.Sort(keys)
			return slices.Compact(keys)
		}
		keys := custom(s)
		code := ""
		for _, u := range s.UserStats.Rows() {
			if c := said(u.ActivityCode); c != "" && c != "__EMPTY__" {
				code = c
			}
		}
		if len(keys) < 2 || code == "" {
			t.Fatalf("keys %v, code %q", keys, code)
		}
		r.feed.Reconfigure(feeds.RuntimeOptions{Restriction: graphql.Restriction{CustomStatKeys: keys[:1], ActivityCodes: []string{code}}})
		s = r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && len(custom(s)) == 1 })
		r.until(time.Minute, func(s *model.Snapshot) bool {
			return s.Health.Live() && s.UserStats.Len() > 0 && !slices.ContainsFunc(s.UserStats.Rows(), func(u *model.UserStat) bool { return said(u.ActivityCode) != code })
		})
		if got := custom(s); !slices.Equal(got, keys[:1]) {
			t.Errorf("custom figures are %v", got)
		}
	})
}

func said(x model.Text) string {
	s, _ := x.Get()
	return s
}

// overheard records what is written to a connection.
type overheard struct {
	net.Conn
	mu   *sync.Mutex
	text *bytes.Buffer
}

func (o overheard) Write(p []byte) (int, error) {
	o.mu.Lock()
	o.text.Write(p)
	o.mu.Unlock()
	return o.Conn.Write(p)
}

// TestLoginWithAccessToken logs in with the token by the mutation of document 2 and uses the session that
// this returns.
func TestLoginWithAccessToken(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var mu sync.Mutex
		var text bytes.Buffer
		r := newRig(t, simulator.Options{World: world.Options{Seed: 4, Services: 2, Agents: 5}}, func(o *feeds.Options) {
			o.Auth = feeds.AuthTokenLogin
			o.Credentials.Username = ""
			dial := o.DialContext
			o.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
				c, err := dial(ctx, network, addr)
				return overheard{c, &mu, &text}, err
			}
		})
		defer r.stop()
		r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Live() && s.Users.Len() > 0 })
		mu.Lock()
		defer mu.Unlock()
		if got := text.String(); !strings.Contains(got, "loginWithAccessToken(accessToken: ") || !strings.Contains(got, "Cookie: vendorRtdSessionID=") {
			t.Errorf("it says %q", got)
		}
	})
}
