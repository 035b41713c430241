package cli

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/hub"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/phrases"
	"wallboard/internal/record"
	"wallboard/model"
)

// newPrivacy returns `wallboard privacy`.
func newPrivacy(s *cmdutil.Setup) *cobra.Command {
	var file string
	report := &cobra.Command{
		Use: "report", Short: "Write a page about what is stored, who can see names, and who looked back, with each claim tested",
		Long: "Report writes one dated page about this configuration: what is stored, where and for how long, who can see names, the\n" +
			"smallest group, and who looked back in the last 30 days. Each claim is tested first: names of invented people go\n" +
			"through the same masks, a recording is written and searched, and the existing files are inspected. A claim that does\n" +
			"not hold is printed with the reason, and the exit status is 1.",
		Example: "wallboard privacy report --out privacy-2026-12.md",
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, broken, err := privacyPage(cmd, s, time.Now())
			if err != nil {
				return err
			}
			if err := cmdutil.WriteOutput(s.Streams.Out, file, page); err != nil {
				return err
			}
			if broken > 0 {
				return fmt.Errorf("%s not hold", phrases.Count(broken, "claim does", "claims do"))
			}
			return nil
		},
	}
	report.Flags().StringVarP(&file, "out", "o", "", "write the page to this file")
	return cmdutil.NewGroup("privacy", "Report what is stored and who can see it", report)
}

// claim is a statement of the page, with the test that was made. problem says why it does not hold.
type claim struct{ text, test, problem string }

// privacyPage tests all claims and returns the page and the number of claims that do not hold. It
// returns an error if the configuration changes meanwhile.
func privacyPage(cmd *cobra.Command, s *cmdutil.Setup, now time.Time) (page string, broken int, err error) {
	c, err := s.LoadAll(true)
	if err != nil {
		return "", 0, err
	}
	before := hashFiles(c.Files())
	var out strings.Builder
	fmt.Fprintf(&out, "# Privacy report, %s\n\nConfiguration: %s, SHA-256 %.16x. Program: %s. Each line below was tested just now.\n", now.Format("2006-01-02 15:04"), s.Path(), before, commands.Version())
	section := func(title string, claims []claim) {
		fmt.Fprintf(&out, "\n## %s\n\n", title)
		for _, c := range claims {
			mark := "- "
			if c.problem != "" {
				mark, broken = "- **DOES NOT HOLD**: ", broken+1
			}
			fmt.Fprintf(&out, "%s%s. Tested: %s.\n", mark, c.text, c.test)
			if c.problem != "" {
				fmt.Fprintf(&out, "  Found: %s.\n", c.problem)
			}
		}
	}
	for _, p := range c.PlatformConfigs() {
		title := "What is recorded"
		if p.Platform != "" {
			title += ", " + p.Platform
		}
		claims, err := recordingClaims(cmd, p, now)
		if err != nil {
			return "", 0, err
		}
		section(title, claims)
	}
	section("Who can see names", viewerClaims(c))
	section("Other files", fileClaims(c))
	visits, err := visitLines(c, now.AddDate(0, 0, -30))
	audits := auditClaims(c)
	if err != nil {
		audits = append(audits, claim{text: "The list below is complete", test: "the log of visits was read", problem: err.Error()})
	}
	section("Who looked back in the last 30 days", audits)
	for _, line := range visits {
		out.WriteString("  - " + model.CleanText(line, model.MaxBody) + "\n")
	}
	out.WriteString("\nNot shown by this page: copies, backups and exports on other machines; what root or the user of the program does with the files; whether the platform sends the truth.\n")
	if after := hashFiles(c.Files()); after != before {
		return "", 0, errors.New("the configuration was changed during the tests: run the report again")
	}
	return out.String(), broken, nil
}

// hashFiles returns a hash of the contents of files. A file that cannot be read has its own hash.
func hashFiles(paths []string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, path := range paths {
		text, err := securefile.ReadRegular(path, 1<<20)
		_, _ = fmt.Fprintf(h, "%q %q %v\n", path, text, err != nil)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// recordingClaims tests the claims about the recording of a platform.
func recordingClaims(cmd *cobra.Command, c *config.Config, now time.Time) ([]claim, error) {
	dir := c.Record.Folder()
	files, err := record.List(cmd.Context(), dir, c.Record.KeyFiles...)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !c.Record.Enabled {
		off := claim{text: "Nothing is recorded", test: "no file in " + dir + " was written in the last two minutes"}
		for _, f := range files {
			if info, err := os.Stat(f.Path); err == nil && now.Sub(info.ModTime()) < 2*time.Minute {
				off.problem = filepath.Base(f.Path) + " is being written, perhaps by a board that has to be restarted"
			}
		}
		if len(files) == 0 {
			return []claim{off}, nil
		}
		return []claim{off, retentionClaim(c, files, now), accessClaim("The recorded files", dir, pathsOf(files))}, nil
	}
	claims := []claim{
		{text: "The figures of services, groups and agents are recorded once a second in " + dir + ", with names " + c.Record.Names, test: "invented people were recorded with this configuration and the result searched for their names", problem: testRecording(c)},
		retentionClaim(c, files, now),
		accessClaim("The recorded files", dir, pathsOf(files)),
		smallestGroup(files, c),
	}
	return append(claims, contentClaims(c, files)...), nil
}

// contentClaims tests the claims about the names and the encryption of the recorded files.
func contentClaims(c *config.Config, files []record.File) []claim {
	stored := claim{text: "All recorded files have names " + c.Record.Names + " or less"}
	order := []string{string(model.NamesFull), string(model.NamesInitials), string(model.NamesHidden)}
	plain, locked, unread, oneKey, second := 0, 0, 0, "", len(c.Privacy.SecondKey) > 0
	for _, f := range files {
		switch {
		case strings.Contains(f.Problem, secret.ErrNoKey.Error()):
			locked++
		case f.Problem != "":
			unread++
		case stored.problem == "" && slices.Index(order, f.About.Names) < slices.Index(order, c.Record.Names):
			stored.problem = filepath.Base(f.Path) + " has names " + f.About.Names
		case f.Encrypted == 0:
			plain++
		case second && f.About.Names == string(model.NamesFull) && oneKey == "":
			oneKey = opensAlone(f.Path, c.Record.KeyFiles)
		}
	}
	stored.test = "the descriptions of " + strconv.Itoa(len(files)-locked-unread) + " of " + phrases.Count(len(files), "file", "files") + " were read"
	problem := ""
	if unread > 0 {
		problem = phrases.Count(unread, "file", "files") + " could not be read"
	}
	stored.problem = cmp.Or(stored.problem, problem)
	if stored.problem == "" && locked > 0 && c.Record.Names != string(model.NamesFull) { // there is nothing more than full names
		stored.problem = phrases.Count(locked, "file", "files") + " could not be read, because no key here opens them"
	}
	if len(c.Record.Recipients) == 0 {
		return []claim{stored}
	}
	e := claim{
		text:    "Recordings are encrypted; one of " + phrases.Count(len(c.Record.Recipients), "key", "keys") + " opens them",
		test:    "the recording of invented people could not be opened without a key; the existing files were inspected",
		problem: problem,
	}
	if second && c.Record.Names == string(model.NamesFull) {
		e.text += ", together with one of " + phrases.Count(len(c.Privacy.SecondKey), "key", "keys") + " of a second person"
		e.test += "; each of " + phrases.Count(len(c.Record.KeyFiles), "key file", "key files") + " was tried alone"
		if oneKey == "" {
			oneKey = recordInvented(c, c.Privacy.Locks(&c.Record, c.Record.Names), func(dir string, _ []string) string { return opensAlone(dir, c.Record.KeyFiles) })
		}
	}
	if plain > 0 {
		e.problem = phrases.Count(plain, "existing file is", "existing files are") + " not encrypted"
	} else if oneKey != "" {
		e.problem = oneKey
	}
	keys := claim{text: "The keys are safe from loss, and not all of them are on this machine", test: "the keys of record.key_files were tried", problem: strings.Join(app.KeyWarnings(c), "; ")}
	return []claim{stored, e, keys}
}

// opensAlone describes the first of keyFiles that opens a recording without the others, or returns
// "" if there is none.
func opensAlone(path string, keyFiles []string) string {
	for _, key := range keyFiles {
		if r, err := record.OpenFiltered(path, nil, key); err == nil {
			_ = r.Close() // only read from
			return filepath.Base(path) + " opens with " + key + " alone"
		}
	}
	return ""
}

func pathsOf(files []record.File) (paths []string) {
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

// retentionClaim tests that no file is older than the configuration allows. A file holds up to an
// hour, and the oldest ones are deleted once a minute.
func retentionClaim(c *config.Config, files []record.File, now time.Time) claim {
	limit := c.Record.MaxAge
	r := claim{text: "Recordings are kept for " + formatAge(limit), test: "the age of " + phrases.Count(len(files), "file", "files") + ", also of renamed ones"}
	if longest := c.Privacy.LongestRetention; longest > 0 {
		r.text += ", at most " + formatAge(longest) + " by privacy.longest_retention"
	}
	for _, f := range files {
		if info, err := os.Stat(f.Path); err == nil && now.Sub(info.ModTime()) > limit+time.Hour {
			r.problem = filepath.Base(f.Path) + " is " + formatAge(now.Sub(info.ModTime())) + " old; renamed files, exports and files of a board that no longer runs are not deleted"
			break
		}
	}
	return r
}

// formatAge returns a duration in whole days, hours or minutes, rounded up.
func formatAge(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d > day:
		return strconv.Itoa(int((d+day-1)/day)) + " days"
	case d > time.Hour:
		return phrases.Count(int((d+time.Hour-1)/time.Hour), "hour", "hours")
	}
	return phrases.Count(int((d+time.Minute-1)/time.Minute), "minute", "minutes")
}

// accessClaim tests that only the user of the program, root and a service of root can read files
// and change the folder.
func accessClaim(what, dir string, paths []string) claim {
	a := claim{text: what + " can only be read by the user of the program", test: "owners and permissions of " + phrases.Count(len(paths), "file", "files") + " and of the folders above"}
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil {
			continue // there is no such file yet
		}
		if p := securefile.FindReader(path, info, false); p != nil {
			a.problem = p.Error()
		}
	}
	if _, err := os.Lstat(dir); err == nil {
		if found := securefile.FindExposures(dir); len(found) > 0 {
			a.problem = found[0].Error()
		}
	}
	return a
}

// smallestGroup reports the group with the fewest members in the newest recorded snapshot.
func smallestGroup(files []record.File, c *config.Config) claim {
	g := claim{text: "Smallest group: unknown, because nothing readable was recorded yet", test: "the newest recorded snapshot was read"}
	newest := ""
	for _, f := range files {
		if f.Problem == "" && f.About.Platform == c.RTD.RecordingPlatform() {
			newest = f.Path
		}
	}
	if newest == "" {
		return g
	}
	r, err := record.OpenFiltered(newest, nil, c.Record.KeyFiles...)
	if err != nil {
		return g
	}
	defer r.Close() //nolint:errcheck // only read from
	s, err := r.Player().Seek(r.Info().Last)
	if err != nil || s == nil {
		return g
	}
	members := make(map[string]int)
	for u := range s.Users.All() {
		for _, group := range u.Skillsets {
			members[group]++
		}
	}
	name := ""
	for group, n := range members {
		if name == "" || n < members[name] || n == members[name] && group < name {
			name = group
		}
	}
	switch limit := c.Privacy.SmallestGroup; {
	case name == "":
		g.text = "Smallest group: none, because the newest snapshot shows no agent in a group"
	case limit > members[name] && r.Info().About.Names != string(model.NamesFull):
		g.text = "Groups with fewer than " + strconv.Itoa(limit) + " agents are not recorded"
		g.problem = "the group " + name + " has " + phrases.Count(members[name], "agent", "agents") + " in the newest snapshot"
	default:
		g.text = "Smallest group: " + name + " with " + phrases.Count(members[name], "agent", "agents") + "; figures of such a group are figures of these people"
	}
	return g
}

// inventedPeople returns a snapshot with people whose names occur nowhere else, and the names of
// those who serve SRV01. The group G1 has one member fewer than smallest, or one. The last person
// is in no part of the floor, and outsider holds the names of this person.
func inventedPeople(smallest int) (s *model.Snapshot, names, outsider []string) {
	store := model.NewStore()
	add := func(service, group string) []string {
		user, first, last := "u"+strings.ToLower(rand.Text()), "F"+rand.Text(), "L"+rand.Text()
		store.Users.Put(&model.User{Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last), Services: []string{service}, Skillsets: []string{group}})
		store.UserStats.Put(&model.UserStat{AgentFigures: model.AgentFigures{Channel: model.Call}, Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last)})
		store.Operators.Put(&model.Operator{Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last), Channel: model.Call})
		store.Groups.Put(&model.Group{Code: model.TextOf(group), Channel: model.Call})
		return []string{user, first, last}
	}
	for range max(smallest-1, 1) {
		names = append(names, add("SRV01", "G1")...)
	}
	for range max(smallest, 2) {
		names = append(append(names, add("SRV01", "G2")...), add("SRV01", "G3")...)
	}
	outsider = add(rand.Text(), rand.Text())
	var h model.Health
	h.Link.Reason = "refused for " + names[0]
	return store.Publish(time.Now(), h), names, outsider
}

// findName returns a name that occurs in a snapshot, or "".
func findName(s *model.Snapshot, names []string) string {
	text, err := json.Marshal(struct{ Users, Stats, Operators, Health any }{s.Users, s.UserStats, s.Operators, s.Health})
	if err != nil {
		return err.Error()
	}
	for _, name := range names {
		if bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(name))) {
			return name
		}
	}
	return ""
}

// invented is a source of one snapshot.
type invented struct{ *model.Snapshot }

func (s invented) Latest() *model.Snapshot { return s.Snapshot }

// recordInvented records invented people with a configuration in a temporary folder, and returns the
// result of test, or why they cannot be recorded.
func recordInvented(c *config.Config, locks []secret.Lock, test func(dir string, names []string) string) string {
	s, names, outsider := inventedPeople(c.Privacy.SmallestGroup)
	dir, err := os.MkdirTemp("", "wallboard-privacy-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir) //nolint:errcheck // invented people only
	w, err := record.NewBatchWriter(dir, record.About{Names: c.Record.Names, Platform: names[0]}, locks...)
	if err == nil {
		err = errors.Join(w.Add(app.MaskNames(c, invented{s}).Latest()), w.Close())
	}
	if err != nil {
		return err.Error()
	}
	return test(dir, append(names, outsider...))
}

// testRecording records invented people and returns what is wrong with the result, or "". With
// keys, it tests that the recording does not open without one, and searches a second one without
// encryption.
func testRecording(c *config.Config) string {
	if locks := c.Privacy.Locks(&c.Record, c.Record.Names); locks != nil {
		problem := recordInvented(c, locks, func(dir string, _ []string) string {
			if _, err := record.Open(dir); !errors.Is(err, secret.ErrNoKey) {
				return "the recording opens without a key"
			}
			return ""
		})
		if problem != "" {
			return problem
		}
	}
	return recordInvented(c, nil, func(dir string, names []string) string { return searchRecording(c, dir, names) })
}

// searchRecording returns what is wrong with a recording of invented people, or "".
func searchRecording(c *config.Config, dir string, names []string) string {
	r, err := record.Open(dir)
	if err != nil {
		return err.Error()
	}
	defer r.Close() //nolint:errcheck // only read from
	got, err := r.Player().Next()
	switch {
	case err != nil || got == nil || got.Users.Len() != len(names)/3:
		return "the recording of invented people cannot be read"
	case c.Record.Names == string(model.NamesFull):
		return ""
	case findName(got, names) != "":
		return "a name of an invented person is in the recording"
	case c.Privacy.SmallestGroup > 1 && hasGroup(got, "G1"):
		return "a group with fewer agents than privacy.smallest_group is in the recording"
	}
	return ""
}

// hasGroup reports whether a snapshot contains a group or a person in it.
func hasGroup(s *model.Snapshot, code string) bool {
	for u := range s.Users.All() {
		if slices.Contains(u.Skillsets, code) {
			return true
		}
	}
	return s.Groups.Get(model.GroupKey{Code: code, Channel: model.Call}) != nil
}

// viewerClaims tests what each viewer can see of names.
func viewerClaims(c *config.Config) []claim {
	claims := []claim{{
		text: "A board on this machine shows full names to the user who starts it; a kiosk shows them " + cmp.Or(c.Kiosk.Names, string(model.NamesHidden)),
		test: "the mask of the kiosk was applied to invented people, and the result searched", problem: testMask(hub.Visibility{Names: model.NameMode(cmp.Or(c.Kiosk.Names, string(model.NamesHidden)))}, c),
	}}
	for i := range c.Serve.Users {
		u := &c.Serve.Users[i]
		v := app.VisibilityOf(u)
		limit := ""
		if u.NameMode() != string(model.NamesFull) && c.Privacy.SmallestGroup > 1 {
			limit = ", and no group with fewer than " + strconv.Itoa(c.Privacy.SmallestGroup) + " agents"
		}
		text := u.Name + " (" + u.RoleName() + ") sees names " + string(cmp.Or(v.Names, model.NamesFull))
		if !v.Part.IsWholeFloor() {
			text += " of a part of the floor"
		}
		claims = append(claims, claim{text: text + limit, test: "this user's filter and mask were applied to invented people, and the result searched", problem: testMask(v, c)})
	}
	return claims
}

// testMask applies the filter and the mask of a viewer to invented people, and returns what is
// wrong with the result, or "".
func testMask(v hub.Visibility, c *config.Config) string {
	s, names, outsider := inventedPeople(c.Privacy.SmallestGroup)
	v = v.HideSmallGroups(c.Privacy.SmallestGroup)
	seen := model.NewMask(v.Names, rand.Text(), c.Names()).Apply(model.NewPartFilter(v.Part).Apply(s))
	full := v.Names == model.NamesFull || v.Names == ""
	switch {
	case !v.Part.IsWholeFloor() && (findName(seen, outsider) != "" || seen.Users.Len() > len(names)/3):
		return "a person outside the part of the floor is visible"
	case full && v.Part.IsWholeFloor() && findName(seen, names) == "":
		return "the names are missing"
	case !full && findName(seen, append(names, outsider...)) != "":
		return "a name of an invented person is visible"
	case v.Part.MinGroup > 1 && hasGroup(seen, "G1"):
		return "a group with fewer agents than privacy.smallest_group is visible"
	}
	return ""
}

// fileClaims tests who can read the other files of the program.
func fileClaims(c *config.Config) []claim {
	state := filepath.Join(xdg.StateHome, "wallboard")
	audits := filesNamed(strings.TrimSuffix(c.Audit.Path(), ".jsonl"))
	if c.Audit.Heads != "" {
		audits = append(audits, filesNamed(strings.TrimSuffix(c.Audit.Heads, ".jsonl"))...)
	}
	claims := []claim{
		accessClaim("Notes (60 days), alerts and forecasts (21 days, no agents) in "+state, state, filesBelow(state)),
		accessClaim("The audit log and the log of visits (up to "+strconv.Itoa(c.Audit.Keep+1)+" × "+c.Audit.MaxSize.String()+" each) in "+filepath.Dir(c.Audit.Path()), filepath.Dir(c.Audit.Path()), audits),
		accessClaim("Cached answers of the history of the platform in "+app.CacheDir(), app.CacheDir(), filesBelow(app.CacheDir())),
	}
	if path := c.Log.Path(); !c.Log.ToStderr() {
		claims = append(claims, accessClaim("The log in "+filepath.Dir(path), filepath.Dir(path), filesNamed(strings.TrimSuffix(path, ".log"))))
	}
	return claims
}

// filesBelow returns the regular files in a folder and its subfolders. What cannot be read is also
// in the result, so that a claim about it does not hold silently.
func filesBelow(dir string) (paths []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // the function returns no error
		if err == nil && d.Type().IsRegular() || err != nil && path != dir {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// filesNamed returns the paths that begin with a text: a file and its rotated predecessors.
func filesNamed(prefix string) []string {
	entries, _ := os.ReadDir(filepath.Dir(prefix)) // without the folder there are no files
	var paths []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(prefix)) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(filepath.Dir(prefix), e.Name()))
		}
	}
	return paths
}

// auditClaims tests that the audit log and the log of visits are intact.
func auditClaims(c *config.Config) []claim {
	var claims []claim
	for _, log := range []struct{ name, path, heads string }{
		{"log of actions", c.Audit.Path(), c.Audit.Heads}, {"log of visits, which records each look at a recording,", c.Audit.VisitsPath(), c.Audit.VisitsHeadsPath()},
	} {
		k := claim{text: "The " + log.name + " is unchanged", test: "its chain of hashes was verified, without stored hashes: a cut end would not be noticed"}
		var heads []audit.Head
		var err error
		if log.heads != "" {
			heads, _, err = audit.ReadStoredHeads(log.heads)
			k.test = "its chain of hashes was verified and compared with " + phrases.Count(len(heads), "stored hash", "stored hashes")
		}
		v, verifyErr := audit.Verify(log.path, heads)
		missing := errors.Is(verifyErr, fs.ErrNotExist)
		switch {
		case missing && (err == nil && len(heads) == 0 || errors.Is(err, fs.ErrNotExist)):
			name, _, _ := strings.Cut(log.name, ",")
			k = claim{text: "There is no " + name + " yet", test: log.path + " does not exist"}
		case missing:
			k.problem = log.path + " is missing, but not its stored hashes"
		case verifyErr != nil:
			k.problem = verifyErr.Error()
		case err != nil:
			k.problem = err.Error()
		case !v.Intact():
			k.problem = phrases.Count(len(v.Findings)+v.Further, "damaged place", "damaged places") + ", see wallboard audit verify"
		}
		claims = append(claims, k)
	}
	return claims
}

// visitLines returns who looked at what how often since a time, from the log of visits, and an error
// if a part of the log cannot be read.
func visitLines(c *config.Config, since time.Time) (lines []string, unread error) {
	counts := make(map[string]int)
	for e, err := range audit.Read(c.Audit.VisitsPath(), audit.Filter{Since: since}) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			unread = err
		}
		if kind, ok := strings.CutPrefix(e.Action, audit.ViewerActions); err == nil && ok && kind != "login" && kind != "logout" && kind != "refused" && kind != "more" {
			if kind != "shift" {
				e.Target = ""
			}
			counts[strings.TrimSpace(cmp.Or(e.Person, e.OSUser)+": "+kind+" "+e.Target)]++
		}
	}
	for what, n := range counts {
		lines = append(lines, what+", "+phrases.Count(n, "time", "times"))
	}
	slices.Sort(lines)
	if len(lines) == 0 {
		lines = []string{"nobody"}
	}
	return lines, unread
}
