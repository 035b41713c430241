// Package alertfile keeps what outlives a board: who has taken alerts over, the
// alerts that ended last, and what is snoozed, in files that only their owner can
// read.
package alertfile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/adrg/xdg"

	"wallboard/alert"
	"wallboard/internal/flock"
	"wallboard/internal/private"
	"wallboard/model"
)

const (
	mostKept      = 500     // that ended, and as many that did not
	maxAlertFile  = 4 << 20 // bytes that are read
	waitForOthers = 3 * time.Second
)

// File keeps what outlives a board: who has taken alerts over, and the alerts
// that ended. The boards of one user on one machine share it: what each of them
// has to add is merged under a lock into what the others wrote, and the file is
// replaced as a whole.
type File struct {
	path string
	log  *slog.Logger
	news chan struct{}

	snoozes *Snoozes // nil: read-only, or not opened

	mu      sync.Mutex
	pending []alert.Alert  // not written yet, the oldest first
	snoozed []alert.Snooze // likewise
}

// Path is where the alerts of a platform are kept.
func Path(address string) string {
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(xdg.StateHome, "wallboard", "alerts-"+hex.EncodeToString(sum[:6])+".jsonl")
}

// New returns the file at a path; nothing is read yet.
func New(path string, log *slog.Logger) *File {
	return &File{path: path, log: log, news: make(chan struct{}, 1)}
}

// keep notes alerts to be written and returns at once.
func (f *File) keep(alerts []alert.Alert) {
	f.mu.Lock()
	f.pending = append(f.pending, alerts...)
	f.mu.Unlock()
	f.wake()
}

// snooze notes a snooze to be written and returns at once.
func (f *File) snooze(z alert.Snooze) {
	f.mu.Lock()
	f.snoozed = append(f.snoozed, z)
	f.snoozed = f.snoozed[max(0, len(f.snoozed)-mostKept):]
	f.mu.Unlock()
	f.wake()
}

func (f *File) wake() {
	select {
	case f.news <- struct{}{}:
	default: // it is about to be written
	}
}

// look is how often it is looked for what other boards have snoozed.
const look = time.Second

// run writes what is kept until the context ends, and what there is then, and takes
// over what other boards have snoozed.
func (f *File) run(ctx context.Context) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			f.flush()
			f.flushSnoozes()
			return
		case <-f.news:
			f.flush()
			f.flushSnoozes()
		case <-tick.C:
			if f.snoozes != nil {
				f.snoozes.Refresh()
			}
		}
	}
}

// Kept are a viewer's way to the alerts that were kept, and to those of its
// own that are to be.
type Kept struct {
	before  []alert.Alert
	snoozes *alert.Snoozes      // nil: those of the engine alone
	Keep    func([]alert.Alert) // nil: none are kept
	Stop    func()
}

// Open reads the alerts that were kept, and keeps others until stop.
func (f *File) Open() *Kept {
	k := f.open()
	k.Keep = f.keep
	k.snoozes.OnAdd(f.snooze)
	return k
}

// OpenReadOnly reads the alerts that were kept, and keeps none. What others snooze
// is followed until stop.
func (f *File) OpenReadOnly() *Kept { return f.open() }

func (f *File) open() *Kept {
	f.snoozes = NewSnoozes(f.path, f.log)
	k := &Kept{before: f.Load(), snoozes: f.snoozes.Snoozes}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.run(ctx)
	}()
	k.Stop = func() {
		cancel()
		<-done
	}
	return k
}

// None are kept nowhere.
func None() *Kept { return &Kept{Stop: func() {}} }

// Engine is what goes on with what was kept.
type Engine interface {
	Recall(alerts []alert.Alert)
	Silencer() *alert.Silencer
}

// Recall gives an engine the alerts that were kept, and what is snoozed.
func (k *Kept) Recall(e Engine) {
	if e.Recall(k.before); k.snoozes != nil {
		e.Silencer().Share(k.snoozes)
	}
	k.before = nil
}

// flush writes what is kept; what cannot be written waits for the next time.
func (f *File) flush() {
	f.mu.Lock()
	batch := f.pending
	f.pending = nil
	f.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	err := f.Add(batch)
	if err == nil {
		return
	}
	f.log.Warn("the alerts are not kept", "error", err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pending = append(batch, f.pending...)
	f.pending = f.pending[max(0, len(f.pending)-2*mostKept):]
}

// flushSnoozes writes what was snoozed here; what cannot be written waits for the
// next time.
func (f *File) flushSnoozes() {
	f.mu.Lock()
	batch := f.snoozed
	f.snoozed = nil
	f.mu.Unlock()
	if len(batch) == 0 || f.snoozes == nil {
		return
	}
	err := f.snoozes.write(batch)
	if err == nil {
		return
	}
	f.log.Warn("what is snoozed is not kept", "error", err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.snoozed = append(batch, f.snoozed...)
}

// Add merges alerts into the file.
func (f *File) Add(batch []alert.Alert) error {
	unlock, err := flock.Hold(f.path+".lock", waitForOthers) // the file itself is another with every change
	if err != nil {
		return err
	}
	defer unlock()
	all := f.Load()
	for i := range batch {
		all = mergeAlert(all, &batch[i])
	}
	return f.write(bounded(all))
}

// write replaces the file.
func (f *File) write(alerts []alert.Alert) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for i := range alerts {
		if err := enc.Encode(keptOf(&alerts[i])); err != nil {
			return fmt.Errorf("encode an alert: %w", err)
		}
	}
	if err := private.Replace(f.path, b.Bytes()); err != nil {
		return fmt.Errorf("write the alerts: %w", err)
	}
	return nil
}

// Load returns the alerts of the file, those that ended in the order of their
// ends. Lines that are not alerts are left out: it can all be done without.
func (f *File) Load() []alert.Alert {
	b, err := private.Read(f.path, maxAlertFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		f.log.Warn("the alerts that were kept cannot be read", "error", err)
		return nil
	}
	var out []alert.Alert
	lines := bufio.NewScanner(bytes.NewReader(b))
	var k line
	for lines.Scan() {
		k = line{}
		if len(lines.Bytes()) < leastLine || json.Unmarshal(lines.Bytes(), &k) != nil {
			continue
		}
		if a, ok := k.alert(); ok {
			out = append(out, a)
		}
	}
	return bounded(out)
}

// mergeAlert adds an alert, or puts it in the place of what was known of it. Boards
// that run side by side raise alerts of their own about one thing: those whose
// times overlap are one.
func mergeAlert(all []alert.Alert, a *alert.Alert) []alert.Alert {
	all = slices.DeleteFunc(all, func(b alert.Alert) bool { return abandoned(&b, a) })
	at := slices.IndexFunc(all, func(b alert.Alert) bool { return sameAlert(&b, a) })
	worth := !a.Ended.IsZero() || a.Ack != alert.Ack{}
	switch {
	case at < 0 && worth:
		return append(all, *a)
	case at < 0:
		return all
	case !worth: // it became critical: nobody has taken that over
		if all[at].Ended.IsZero() {
			all = slices.Delete(all, at, at+1)
		}
		return all
	}
	now, before := *a, &all[at]
	if now.Ack == (alert.Ack{}) {
		now.Ack = before.Ack
	}
	if before.Since.Before(now.Since) {
		now.Since = before.Since
	}
	now.Worst = max(now.Worst, before.Worst)
	all[at] = now
	return all
}

// abandoned reports whether nobody knows the end of an alert, and another one about
// the same thing began when who had taken it over was no longer in charge.
func abandoned(a, later *alert.Alert) bool {
	return a.Ended.IsZero() && a.ID != later.ID && a.Rule == later.Rule && a.Key == later.Key &&
		later.Since.After(a.Ack.At.Add(alert.AckLife))
}

func sameAlert(a, b *alert.Alert) bool {
	if a.ID == b.ID {
		return true
	}
	beginsIn := func(a, b *alert.Alert) bool { return b.Ended.IsZero() || !a.Since.After(b.Ended) }
	return a.Rule == b.Rule && a.Key == b.Key && beginsIn(a, b) && beginsIn(b, a)
}

// bounded sorts alerts, those that ended last, and drops the oldest that are too
// many of a kind.
func bounded(all []alert.Alert) []alert.Alert {
	slices.SortStableFunc(all, func(a, b alert.Alert) int {
		return cmp.Or(a.Ended.Compare(b.Ended), a.Ack.At.Compare(b.Ack.At))
	})
	open := slices.IndexFunc(all, func(a alert.Alert) bool { return !a.Ended.IsZero() })
	if open < 0 {
		open = len(all)
	}
	ended := all[max(open, len(all)-mostKept):]
	return slices.Concat(all[max(0, open-mostKept):open], ended)
}

// leastLine is shorter than any alert or snooze. Such lines are not decoded: a file may
// have millions of them.
const leastLine = 40

// line is a line of the file.
type line struct {
	ID         string       `json:"id"`
	Rule       string       `json:"rule"`
	Scope      alert.Scope  `json:"scope"`
	Code       string       `json:"code,omitempty"`
	Channel    string       `json:"channel,omitempty"`
	Level      alert.Level  `json:"level,omitempty"`
	Worst      alert.Level  `json:"worst"`
	Since      time.Time    `json:"since"`
	LevelSince time.Time    `json:"levelSince"`
	Raised     time.Time    `json:"raised"`
	Ended      time.Time    `json:"ended,omitzero"`
	Vanished   bool         `json:"vanished,omitempty"`
	Day        bool         `json:"day,omitempty"`
	FromStart  bool         `json:"fromStart,omitempty"`
	Value      *float64     `json:"value,omitempty"`
	Format     alert.Format `json:"format,omitempty"`
	Text       string       `json:"text"`
	By         string       `json:"by,omitempty"`
	Note       string       `json:"note,omitempty"`
	At         time.Time    `json:"at,omitzero"` // when it was taken over
}

func keptOf(a *alert.Alert) line {
	k := line{
		ID: a.ID, Rule: a.Rule, Scope: a.Key.Scope, Code: a.Key.Code, Channel: string(a.Key.Channel),
		Level: a.Level, Worst: a.Worst, Since: a.Since, LevelSince: a.LevelSince, Raised: a.Raised,
		Ended: a.Ended, Vanished: a.Vanished, Day: a.Day, FromStart: a.FromStart, Format: a.Format, Text: a.Text,
		By: a.Ack.By, Note: a.Ack.Note, At: a.Ack.At,
	}
	if v, ok := a.Value.Get(); ok {
		k.Value = &v
	}
	return k
}

// alert returns the alert of a line; ok is false where it is none.
func (k *line) alert() (a alert.Alert, ok bool) {
	isLevel := func(l, least alert.Level) bool { return l >= least && l <= alert.Critical }
	if k.ID == "" || k.Rule == "" || !slices.Contains(alert.Scopes(), k.Scope) || k.Since.IsZero() ||
		!isLevel(k.Worst, alert.Warning) || !isLevel(k.Level, alert.Warning) {
		return a, false
	}
	const longest = 500
	a = alert.Alert{
		ID: k.ID, Rule: model.CleanText(k.Rule, longest), Level: k.Level, Worst: k.Worst,
		Key:   alert.Key{Scope: k.Scope, Code: k.Code, Channel: model.Channel(k.Channel)},
		Since: k.Since, LevelSince: k.LevelSince, Raised: k.Raised, Ended: k.Ended, Vanished: k.Vanished,
		Day: k.Day, FromStart: k.FromStart,
		Format: k.Format, Text: model.CleanText(k.Text, longest),
		Ack: alert.Ack{By: model.CleanText(k.By, longest), Note: model.CleanText(k.Note, longest), At: k.At},
	}
	if k.Value != nil {
		a.Value = model.FigureOf(*k.Value)
	}
	return a, true
}
