package admin

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/record"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// recordingClaims tests the claims about the recording of a platform.
func recordingClaims(ctx context.Context, c *config.Config, now time.Time) ([]privacyClaim, error) {
	dir := c.Record.Folder()
	files, err := record.ListFiles(ctx, dir, c.Record.KeyFiles...)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !c.Record.Enabled {
		off := privacyClaim{text: "Nothing is recorded", test: "no file in " + dir + " was written in the last two minutes"}
		for _, f := range files {
			if info, err := os.Stat(f.Path); err == nil && now.Sub(info.ModTime()) < 2*time.Minute {
				off.problem = filepath.Base(f.Path) + " is being written, perhaps by a board that has to be restarted"
			}
		}
		if len(files) == 0 {
			return []privacyClaim{off}, nil
		}
		return []privacyClaim{off, retentionClaim(c, files, now), accessClaim("The recorded files", dir, pathsOf(files))}, nil
	}
	claims := []privacyClaim{
		{text: "The figures of services, groups and agents are recorded once a second in " + dir + ", with names " + c.Record.Names, test: "invented people were recorded with this configuration and the result searched for their names", problem: testRecording(c)},
		retentionClaim(c, files, now),
		accessClaim("The recorded files", dir, pathsOf(files)),
		smallestGroup(files, c),
	}
	return append(claims, contentClaims(c, files)...), nil
}

// contentClaims tests the claims about the names and the encryption of the recorded files.
func contentClaims(c *config.Config, files []record.File) []privacyClaim {
	stored := privacyClaim{text: "All recorded files have names " + c.Record.Names + " or less"}
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
			oneKey = soleKeyFile(f.Path, c.Record.KeyFiles)
		}
	}
	stored.test = "the descriptions of " + strconv.Itoa(len(files)-locked-unread) + " of " + textformat.CountWithNoun(len(files), "file", "files") + " were read"
	problem := ""
	if unread > 0 {
		problem = textformat.CountWithNoun(unread, "file", "files") + " could not be read"
	}
	stored.problem = cmp.Or(stored.problem, problem)
	if stored.problem == "" && locked > 0 && c.Record.Names != string(model.NamesFull) { // full names are the most that a recording can contain
		stored.problem = textformat.CountWithNoun(locked, "file", "files") + " could not be read, because no key here opens them"
	}
	if len(c.Record.Recipients) == 0 {
		return []privacyClaim{stored}
	}
	e := privacyClaim{
		text:    "Recordings are encrypted; one of " + textformat.CountWithNoun(len(c.Record.Recipients), "key", "keys") + " opens them",
		test:    "the recording of invented people could not be opened without a key; the existing files were inspected",
		problem: problem,
	}
	if second && c.Record.Names == string(model.NamesFull) {
		e.text += ", together with one of " + textformat.CountWithNoun(len(c.Privacy.SecondKey), "key", "keys") + " of a second person"
		e.test += "; each of " + textformat.CountWithNoun(len(c.Record.KeyFiles), "key file", "key files") + " was tried alone"
		if oneKey == "" {
			oneKey = recordInvented(c, c.Privacy.RecipientSets(&c.Record, c.Record.Names), func(dir string, _ inventedPeople) string { return soleKeyFile(dir, c.Record.KeyFiles) })
		}
	}
	if plain > 0 {
		e.problem = textformat.CountWithNoun(plain, "existing file is", "existing files are") + " not encrypted"
	} else if oneKey != "" {
		e.problem = oneKey
	}
	keys := privacyClaim{text: "The keys are safe from loss, and not all of them are on this machine", test: "the keys of record.key_files were tried", problem: strings.Join(app.KeyWarnings(c), "; ")}
	return []privacyClaim{stored, e, keys}
}

// soleKeyFile describes the first of keyFiles that opens a recording without the others, or returns
// "" if there is none.
func soleKeyFile(path string, keyFiles []string) string {
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
func retentionClaim(c *config.Config, files []record.File, now time.Time) privacyClaim {
	limit := c.Record.MaxAge
	r := privacyClaim{text: "Recordings are kept for " + textformat.Age(limit), test: "the age of " + textformat.CountWithNoun(len(files), "file", "files") + ", also of renamed ones"}
	if longest := c.Privacy.LongestRetention; longest > 0 {
		r.text += ", at most " + textformat.Age(longest) + " by privacy.longest_retention"
	}
	for _, f := range files {
		if info, err := os.Stat(f.Path); err == nil && now.Sub(info.ModTime()) > limit+time.Hour {
			r.problem = filepath.Base(f.Path) + " is " + textformat.Age(now.Sub(info.ModTime())) + " old; renamed files, exports and files of a board that no longer runs are not deleted"
			break
		}
	}
	return r
}

// smallestGroup reports the group with the fewest members in the newest recorded snapshot.
func smallestGroup(files []record.File, c *config.Config) privacyClaim {
	g := privacyClaim{text: "Smallest group: unknown, because nothing readable was recorded yet", test: "the newest recorded snapshot was read"}
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
		g.problem = "the group " + name + " has " + textformat.CountWithNoun(members[name], "agent", "agents") + " in the newest snapshot"
	default:
		g.text = "Smallest group: " + name + " with " + textformat.CountWithNoun(members[name], "agent", "agents") + "; figures of such a group are figures of these people"
	}
	return g
}
