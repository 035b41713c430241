package admin

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/internal/serve/sshterminal"
	"wallboard/model"
)

// privacySite is a folder with a configuration, its state and two keys.
type privacySite struct {
	dir, config    string
	public, keys   []string
	names          string
	encrypted, two bool
}

// newPrivacySite writes a random configuration that is intact: recordings of the last hour, with
// the configured names and keys, and audit logs with stored hashes.
func newPrivacySite(t *testing.T, random *rand.Rand) *privacySite {
	t.Helper()
	p := &privacySite{dir: testkit.PrivateDir(t), names: []string{"full", "initials", "hidden"}[random.IntN(3)], encrypted: random.IntN(2) == 0}
	p.two = p.encrypted && random.IntN(2) == 0
	for range 3 {
		public, key := testkit.AgeKey(t)
		p.public, p.keys = append(p.public, public.String()), append(p.keys, key)
	}
	text := "[audit]\nfile = \"audit.jsonl\"\nheads = \"heads.jsonl\"\n[record]\nenabled = true\ndir = \"recordings\"\nnames = \"" + p.names + "\"\n"
	if p.encrypted {
		text += fmt.Sprintf("recipients = [%q, %q]\nkey_files = [%q]\n", p.public[0], p.public[1], p.keys[0])
	}
	text += "[privacy]\nlongest_retention = \"72h\"\n"
	if p.two {
		other, _ := testkit.AgeKey(t)
		text += fmt.Sprintf("second_key = [%q, %q]\n", p.public[2], other)
	}
	for i := range random.IntN(4) {
		names, role := []string{"full", "initials", "hidden"}[random.IntN(3)], []string{"view", "kiosk"}[random.IntN(2)]
		part := random.IntN(2) == 0
		if names == "full" && !part { // these roles would need a REST login of the user
			role = []string{"view", "act", "admin", "kiosk"}[random.IntN(4)]
		}
		text += fmt.Sprintf("[[serve.user]]\nname = \"user%d\"\nkeys = [%q]\nnames = %q\nrole = %q\n", i, testkit.NewAuthorizedKey(t), names, role)
		if part {
			text += "services = [\"SRV01\"]\n"
		}
	}
	p.config = p.write(t, "config.toml", text)
	p.record(t, p.names, time.Now().Add(-time.Minute))
	for _, log := range []string{"audit", "audit-visits"} {
		for i := range 3 {
			o := audit.Options{Path: filepath.Join(p.dir, log+".jsonl"), HeadsPath: filepath.Join(p.dir, strings.Replace(log, "audit", "heads", 1)+".jsonl")}
			if err := audit.Append(o, audit.Intent{Action: "viewer-replay", Person: "carla", Target: fmt.Sprintf("recording %d", i)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

func (p *privacySite) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// record writes a recording that begins at a time, with the keys of the configuration.
func (p *privacySite) record(t *testing.T, names string, at time.Time) (path string) {
	t.Helper()
	c, err := config.Load(p.config, config.Options{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(p.dir, "recordings")
	w, err := record.NewBatchWriter(dir, record.Metadata{Names: names}, c.Privacy.RecipientSets(&c.Record, names)...)
	if err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	store.Users.Put(&model.User{Username: model.TextOf("Agent 1"), Skillsets: []string{"G1"}})
	for i := range 3 {
		if err := w.Add(store.Publish(at.Add(time.Duration(i)*time.Second), model.Health{})); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, at.UTC().Format("20060102T150405.000Z.wbr"))
}

func (p *privacySite) load() (*config.Config, error) {
	return config.Load(p.config, config.Options{Demo: true})
}

// report returns the privacy report and the number of claims that do not hold.
func (p *privacySite) report(t *testing.T) (page string, broken int) {
	t.Helper()
	r, err := NewPrivacyReport(t.Context(), p.load, p.config, "test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return r.Page, r.BrokenClaims
}

// TestPrivacyReportOfRandomConfigurations writes the reports of PRIVACY_CONFIGURATIONS random
// configurations: every claim holds, and the report names the mode of recorded names, the keys, each
// user, and the users who opened replays.
func TestPrivacyReportOfRandomConfigurations(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(44, 1))
	count, err := strconv.Atoi(os.Getenv("PRIVACY_CONFIGURATIONS"))
	if err != nil {
		count = 6
	}
	for i := range count {
		p := newPrivacySite(t, random)
		page, broken := p.report(t)
		if broken != 0 || strings.Contains(page, "DOES NOT HOLD") {
			t.Fatalf("configuration %d: %d broken\n%s", i, broken, page)
		}
		wants := []string{"with names " + p.names, "kept for 3 days, at most 3 days", "carla: replay, 3 times", "6 stored hashes", "G1 with 1 agent"}
		if p.encrypted {
			wants = append(wants, "one of 2 keys opens them")
		}
		if p.two && p.names == "full" {
			wants = append(wants, "of a second person")
			wants = slices.DeleteFunc(wants, func(s string) bool { return s == "G1 with 1 agent" }) // with one key alone, the recordings cannot be read
		}
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("configuration %d: no %q in\n%s", i, want, page)
			}
		}
		if err := os.RemoveAll(p.dir); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPrivacyReportFindsBrokenClaims breaks an intact configuration in 20 ways and expects the report to
// say which claim does not hold.
func TestPrivacyReportFindsBrokenClaims(t *testing.T) {
	t.Parallel()
	newest := func(t *testing.T, p *privacySite) string {
		found, _ := filepath.Glob(filepath.Join(p.dir, "recordings", "*.wbr"))
		if len(found) == 0 {
			t.Fatal("no recording")
		}
		return found[len(found)-1]
	}
	chmod := func(t *testing.T, path string, mode os.FileMode) {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(t *testing.T, path string, change func(lines []string) []string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(change(strings.SplitAfter(string(text), "\n")), "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	setting := func(t *testing.T, p *privacySite, old, text string) {
		edit(t, p.config, func(lines []string) []string { return []string{strings.Replace(strings.Join(lines, ""), old, text, 1)} })
	}
	audits := func(p *privacySite) string { return filepath.Join(p.dir, "audit.jsonl") }
	visits := func(p *privacySite) string { return filepath.Join(p.dir, "audit-visits.jsonl") }
	for _, test := range []struct {
		name  string
		want  string
		broke func(t *testing.T, p *privacySite)
	}{
		{"a recording that others can read", "is open to others", func(t *testing.T, p *privacySite) { chmod(t, newest(t, p), 0o644) }},
		{"a recording that others can change", "is open to others", func(t *testing.T, p *privacySite) { chmod(t, newest(t, p), 0o602) }},
		{"a folder that others can change", "recordings", func(t *testing.T, p *privacySite) { chmod(t, filepath.Join(p.dir, "recordings"), 0o777) }},
		{"an audit log that others can read", "is open to others", func(t *testing.T, p *privacySite) { chmod(t, audits(p), 0o644) }},
		{"a log of visits that others can read", "is open to others", func(t *testing.T, p *privacySite) { chmod(t, visits(p), 0o604) }},
		{"a recording that is too old, but not for longest_retention", "old; renamed files", func(t *testing.T, p *privacySite) {
			old := time.Now().Add(-80 * time.Hour)
			if err := os.Chtimes(p.record(t, p.names, old), old, old); err != nil {
				t.Fatal(err)
			}
			setting(t, p, `longest_retention = "72h"`, `longest_retention = "200h"`)
		}},
		{"a damaged recording", "1 file could not be read", func(t *testing.T, p *privacySite) { p.write(t, "recordings/bad.wbr", "wallboard recording 1\nHH") }},
		{"stored hashes that are gone", "heads-visits.jsonl", func(t *testing.T, p *privacySite) {
			if err := os.Remove(filepath.Join(p.dir, "heads-visits.jsonl")); err != nil {
				t.Fatal(err)
			}
		}},
		{"a log of visits that is gone", "is missing, but not its stored hashes", func(t *testing.T, p *privacySite) {
			if err := os.Remove(visits(p)); err != nil {
				t.Fatal(err)
			}
		}},
		{"a recording that is too old", "old; renamed files", func(t *testing.T, p *privacySite) {
			old := time.Now().Add(-80 * time.Hour)
			if err := os.Chtimes(p.record(t, p.names, old), old, old); err != nil {
				t.Fatal(err)
			}
		}},
		{"a renamed recording that is too old", "old; renamed files", func(t *testing.T, p *privacySite) {
			old, kept := time.Now().Add(-100*24*time.Hour), filepath.Join(p.dir, "recordings", "kept.wbr")
			if err := os.Rename(p.record(t, p.names, old), kept); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(kept, old, old); err != nil {
				t.Fatal(err)
			}
		}},
		{"names in an older recording", "has names full", func(t *testing.T, p *privacySite) {
			setting(t, p, `names = "`+p.names+`"`, `names = "full"`)
			p.record(t, "full", time.Now().Add(-2*time.Hour))
			setting(t, p, `names = "full"`, `names = "hidden"`)
		}},
		{"initials in an older recording", "has names initials", func(t *testing.T, p *privacySite) {
			p.record(t, "initials", time.Now().Add(-2*time.Hour))
			setting(t, p, `names = "`+p.names+`"`, `names = "hidden"`)
		}},
		{"a recording from before encryption", "not encrypted", func(t *testing.T, p *privacySite) {
			setting(t, p, "key_files", "#") // a new line would set the key twice
			setting(t, p, "recipients", "# recipients")
			setting(t, p, "second_key", "# second_key")
			p.record(t, p.names, time.Now().Add(-2*time.Hour))
			setting(t, p, "# recipients", "recipients")
			setting(t, p, "#", "key_files")
		}},
		{"a key that is lost", "key_files", func(t *testing.T, p *privacySite) {
			if err := os.Remove(p.keys[0]); err != nil {
				t.Fatal(err)
			}
		}},
		{"a group that is too small", "the group G1 has 1 agent", func(t *testing.T, p *privacySite) { setting(t, p, "[privacy]\n", "[privacy]\nsmallest_group = 5\n") }},
		{"another key", "do not open", func(t *testing.T, p *privacySite) { setting(t, p, p.keys[0], p.keys[2]) }},
		{"only one key", "only one key", func(t *testing.T, p *privacySite) { setting(t, p, `, "`+p.public[1]+`"]`, "]") }},
		{"no key on this machine", "no key on this machine", func(t *testing.T, p *privacySite) { setting(t, p, `key_files = ["`+p.keys[0]+`"]`, "key_files = []") }},
		{"a changed line of the audit log", "damaged place", func(t *testing.T, p *privacySite) {
			edit(t, audits(p), func(l []string) []string { l[1] = strings.Replace(l[1], "carla", "anna", 1); return l })
		}},
		{"a removed visit", "damaged place", func(t *testing.T, p *privacySite) {
			edit(t, visits(p), func(l []string) []string { return slices.Delete(l, 2, 4) })
		}},
		{"exchanged visits", "damaged place", func(t *testing.T, p *privacySite) {
			edit(t, visits(p), func(l []string) []string { l[1], l[3] = l[3], l[1]; return l })
		}},
		{"an inserted action", "damaged place", func(t *testing.T, p *privacySite) {
			edit(t, audits(p), func(l []string) []string { return slices.Insert(l, 3, l[1]) })
		}},
		{"a cut end of the log of visits", "damaged place", func(t *testing.T, p *privacySite) {
			edit(t, visits(p), func(l []string) []string { return l[:len(l)-3] })
		}},
		{"recording that is off but goes on", "is being written", func(t *testing.T, p *privacySite) { setting(t, p, "enabled = true", "enabled = false") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(44, 2))
			p := newPrivacySite(t, random)
			for p.names != "initials" || !p.encrypted || p.two { // until every kind of break is possible
				p = newPrivacySite(t, random)
			}
			if page, broken := p.report(t); broken != 0 {
				t.Fatalf("intact: %d broken\n%s", broken, page)
			}
			test.broke(t, p)
			page, broken := p.report(t)
			at := strings.Index(page, "DOES NOT HOLD")
			if broken == 0 || at < 0 || !strings.Contains(page[at:], test.want) {
				t.Errorf("%d broken, want %q after the claim\n%s", broken, test.want, page)
			}
		})
	}
}

// TestPrivacyReportFindsOpenState makes a file below the state folder readable for others. It is not
// parallel, because other tests use this folder.
func TestPrivacyReportFindsOpenState(t *testing.T) {
	p := newPrivacySite(t, rand.New(rand.NewPCG(44, 4)))
	dir := filepath.Join(xdg.StateHome, "wallboard", "servers")
	path := filepath.Join(dir, "open.json")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(path) })
	if page, broken := p.report(t); broken == 0 || !strings.Contains(page, path+" is open to others") {
		t.Errorf("%d broken\n%s", broken, page)
	}
}

// TestPrivacyReportFindsOneKeyForTwo puts the keys of two persons into one file, which alone can then
// open recordings with full names.
func TestPrivacyReportFindsOneKeyForTwo(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(44, 5))
	p := newPrivacySite(t, random)
	for !p.two || p.names != "full" {
		p = newPrivacySite(t, random)
	}
	first, err := os.ReadFile(p.keys[0])
	second, err2 := os.ReadFile(p.keys[2])
	if err := errors.Join(err, err2, os.WriteFile(p.keys[0], slices.Concat(first, []byte{'\n'}, second), 0o600)); err != nil {
		t.Fatal(err)
	}
	if page, broken := p.report(t); broken == 0 || !strings.Contains(page, "opens with "+p.keys[0]+" alone") {
		t.Errorf("%d broken\n%s", broken, page)
	}
}

// TestConfigurationChangesDuringTheReport changes the configuration while it is read, and while the
// claims are tested.
func TestConfigurationChangesDuringTheReport(t *testing.T) {
	t.Parallel()
	for changed := range 2 {
		p := newPrivacySite(t, rand.New(rand.NewPCG(44, 6)))
		text, err := os.ReadFile(p.config)
		if err != nil {
			t.Fatal(err)
		}
		loads := 0
		load := func() (*config.Config, error) {
			if loads++; loads == 2 && changed == 0 {
				p.write(t, "config.toml", string(text)+"\n# changed before it was read\n")
			}
			c, err := p.load()
			if loads == 2 && changed == 1 {
				p.write(t, "config.toml", string(text)+"\n# changed after it was read\n")
			}
			return c, err
		}
		if r, err := NewPrivacyReport(t.Context(), load, p.config, "test", time.Now()); !errors.Is(err, errConfigChanged) {
			t.Errorf("change %d: %v, %v", changed, r, err)
		}
	}
}

// TestViewersAreTried opens the boards of users with different roles, visibilities of names, parts of the
// floor and rights, and finds no problem.
func TestViewersAreTried(t *testing.T) {
	t.Parallel()
	allowed, forbidden := true, false
	users := []config.ServeUser{
		{Name: "viewer"},
		{Name: "viewer", Role: config.RoleAct},
		{Name: "viewer", Role: config.RoleAdmin, ConfiguredNames: "hidden"},
		{Name: "viewer", Role: config.RoleKiosk},
		{Name: "viewer", ConfiguredNames: "initials", Services: []string{"SALES"}},
		{Name: "viewer", Groups: []string{"G2"}, SilenceAllowed: &allowed},
		{Name: "viewer", Role: config.RoleAct, Sites: []int{7}, SilenceAllowed: &forbidden},
		{Name: "viewer", ConfiguredNames: "hidden", Pages: []string{"Agents"}},
	}
	for _, smallest := range []int{0, 2, 5} {
		c := config.Default()
		c.Privacy.SmallestGroup = smallest
		c.REST.URL, c.REST.Auth = "https://rest.example.org", config.AuthBasic
		for i, u := range users {
			got, err := searchUserBoard(t.Context(), &c, u, testkit.PrivateDir(t))
			if err != nil || got.problem != "" || got.frames < 10 {
				t.Errorf("smallest group %d, user %d: %+v, %v", smallest, i, got, err)
			}
		}
	}
}

// TestBrokenBoardsAreFound opens boards that show or allow more than they should.
func TestBrokenBoardsAreFound(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.Privacy.SmallestGroup = 4
	c.REST.URL, c.REST.Auth = "https://rest.example.org", config.AuthBasic
	hidden := config.ServeUser{Name: "viewer", ConfiguredNames: "hidden"}
	part := config.ServeUser{Name: "viewer", Services: []string{"SRV01"}}
	for _, test := range []struct {
		want      string
		user, has config.ServeUser // the configured user, and the user whose board is opened
	}{
		{"a name of an invented person is visible", hidden, config.ServeUser{Name: "viewer"}},
		{"the names are missing", config.ServeUser{Name: "viewer"}, hidden},
		{"a person outside the part of the floor", part, config.ServeUser{Name: "viewer"}},
		{"the board can act on the platform", part, config.ServeUser{Name: "viewer", Role: config.RoleAct, Services: part.Services}},
		{"cannot act", config.ServeUser{Name: "viewer", Role: config.RoleAct}, config.ServeUser{Name: "viewer"}},
		{"end sessions", config.ServeUser{Name: "viewer", Role: config.RoleAct}, config.ServeUser{Name: "viewer", Role: config.RoleAdmin}},
		{"silencing critical alerts", part, config.ServeUser{Name: "viewer", Services: part.Services, SilenceAllowed: new(bool)}},
	} {
		if strings.HasPrefix(test.want, "silencing") {
			*test.has.SilenceAllowed = true
		}
		s, err := openTrialPlatform(t.Context(), &c, &test.has, testkit.PrivateDir(t))
		if err != nil {
			t.Fatal(err)
		}
		o, leave, err := s.server.BoardOptions(&test.has, &sshterminal.Session{Account: sshterminal.Account{Name: "viewer"}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.searchFrames(o, app.VisibilityOf(&test.user), true)
		if problem := cmp.Or(got.problem, s.checkRights(&o, &test.user)); err != nil || !strings.Contains(problem, test.want) {
			t.Errorf("%q, %v, want %q", problem, err, test.want)
		}
		leave()
		s.server.Close()
	}
	c.Privacy.SmallestGroup = 0 // so that the board does not hide small groups
	s, err := openTrialPlatform(t.Context(), &c, &hidden, testkit.PrivateDir(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.server.Close()
	o, leave, err := s.server.BoardOptions(&hidden, &sshterminal.Session{Account: sshterminal.Account{Name: "viewer"}})
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	s.config.Privacy.SmallestGroup = 2
	if got, err := s.searchFrames(o, app.VisibilityOf(&hidden), true); err != nil || !strings.Contains(got.problem, "a group with fewer agents") {
		t.Errorf("%+v, %v", got, err)
	}
}
