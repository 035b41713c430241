package statefile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/securefile"
	"wallboard/model"
)

// Snoozes holds the snoozes of a platform and stores them in a file that the boards of a user
// share. The methods of [alert.Snoozes] are safe for concurrent use. Refresh and write are not.
type Snoozes struct {
	*alert.Snoozes
	path     string
	log      *slog.Logger
	lastRead lastFileRead // content of the file when it was last read
}

// NewSnoozes reads the snoozes of a platform from their file. path is the path of the platform's
// alerts file; see [AlertsPath].
func NewSnoozes(path string, log *slog.Logger) *Snoozes {
	s := &Snoozes{
		Snoozes: &alert.Snoozes{}, log: log,
		path: strings.TrimSuffix(path, ".jsonl") + "-snoozed.jsonl",
	}
	s.Refresh()
	return s
}

// maxSnoozeFile limits the size of the snoozes file in bytes.
const maxSnoozeFile = 256 << 10

// Refresh merges the snoozes that other boards have written to the file.
func (s *Snoozes) Refresh() {
	b, err := securefile.Read(s.path, maxSnoozeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if s.lastRead.update(b, err, s.log, "snoozes") {
		s.Merge(parseSnoozes(b))
	}
}

// write merges batch into the file. It drops snoozes that ended before the latest snooze began.
func (s *Snoozes) write(batch []alert.Snooze) error {
	unlock, err := securefile.HoldLock(s.path+".lock", lockTimeout)
	if err != nil {
		return err
	}
	defer unlock()
	s.Refresh()
	var all alert.Snoozes
	all.Merge(parseSnoozes(s.lastRead.content))
	for _, z := range batch {
		all.Add(z)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, z := range all.List() {
		if err := enc.Encode(snoozeLineOf(&z)); err != nil {
			return fmt.Errorf("encode a snooze: %w", err)
		}
	}
	if err := securefile.Replace(s.path, b.Bytes()); err != nil {
		return fmt.Errorf("write the snoozes: %w", err)
	}
	return nil
}

// maxReadSnoozes limits the number of snoozes that are read from a file. Only the last ones are
// used. A board stores fewer.
const maxReadSnoozes = 500

// parseSnoozes returns the snoozes in the content of a file. It ignores invalid lines.
func parseSnoozes(b []byte) []alert.Snooze {
	var out []alert.Snooze
	lines := bufio.NewScanner(bytes.NewReader(b))
	for lines.Scan() {
		if len(lines.Bytes()) < minLineSize {
			continue
		}
		var l snoozeLine
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		if z, ok := l.toSnooze(); ok {
			out = append(out, z)
		}
	}
	return out[max(0, len(out)-maxReadSnoozes):]
}

// snoozeLine is the JSON form of a snooze.
type snoozeLine struct {
	ID    string      `json:"id"`
	Title string      `json:"title,omitempty"`
	By    string      `json:"by,omitempty"`
	About []keyLine   `json:"about,omitempty"` // empty: all records
	Level alert.Level `json:"level"`
	From  time.Time   `json:"from"`
	Until time.Time   `json:"until"`
}

type keyLine struct {
	Scope   alert.Scope `json:"scope"`
	Code    string      `json:"code,omitempty"`
	Channel string      `json:"channel,omitempty"`
}

func snoozeLineOf(z *alert.Snooze) snoozeLine {
	l := snoozeLine{ID: z.ID, Title: z.Title, By: z.By, Level: z.Level, From: z.From, Until: z.Until}
	for _, k := range z.Keys {
		l.About = append(l.About, keyLine{k.Scope, k.Code, string(k.Channel)})
	}
	return l
}

// toSnooze converts a line to a snooze. If the line is invalid, ok is false. A line with an unknown
// kind of record is also invalid, because a snooze without records would silence all alerts.
func (l *snoozeLine) toSnooze() (z alert.Snooze, ok bool) {
	z = alert.Snooze{
		ID: l.ID, Title: model.CleanText(l.Title, model.MaxName), By: model.CleanText(l.By, model.MaxName),
		Level: l.Level, From: l.From, Until: l.Until,
	}
	for _, a := range l.About {
		if !slices.Contains(alert.Scopes(), a.Scope) {
			return z, false
		}
		z.Keys = append(z.Keys, alert.Key{Scope: a.Scope, Code: a.Code, Channel: model.Channel(a.Channel)})
	}
	return z, z.Valid()
}
