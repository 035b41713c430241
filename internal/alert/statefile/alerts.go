// Package statefile stores the state that a user's boards and commands share across restarts, in
// files that only the user can read: acknowledgements and recently ended alerts ([AlertFile]),
// snoozes ([Snoozes]), and the notes about a floor ([NoteBook]). Marks are notes of other programs on
// this machine ([WriteMark]) and of iCalendar files ([Calendars]).
//
// Writers merge their changes under a file lock. Each open [AlertFile] runs one goroutine, which
// writes changes in the background and reloads snoozes every second. [NoteBook.WatchNotes] reads the
// notes once a second. [NoteBook.RecordSurge] starts a goroutine that stores the surge after a note.
// The mark of a calendar event is stored only once, by the first board that processes the event.
package statefile

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/textformat"
	"wallboard/model"
)

const (
	maxStored    = 500     // maximum number of ended alerts in the file, and of other alerts
	maxAlertFile = 4 << 20 // maximum size of the file in bytes
	lockTimeout  = 3 * time.Second
)

// AlertFile stores acknowledgements and ended alerts in a file. A user's boards on one machine
// share the file. Each board merges its changes under a lock and replaces the whole file.
type AlertFile struct {
	path    string
	log     *slog.Logger
	wakeups chan struct{}

	snoozes *Snoozes // nil until Open or a similar method is called

	mu             sync.Mutex
	pendingAlerts  []alert.Alert  // alerts that are not written yet, oldest first
	pendingSnoozes []alert.Snooze // snoozes that are not written yet
}

// AlertsPath returns the path of the alerts file for the platform at address.
func AlertsPath(address string) string {
	return securefile.StatePath("alerts", address, ".jsonl")
}

// NewAlertFile returns the AlertFile at path. It does not read the file.
func NewAlertFile(path string, log *slog.Logger) *AlertFile {
	return &AlertFile{path: path, log: log, wakeups: make(chan struct{}, 1)}
}

func (f *AlertFile) queueAlerts(alerts []alert.Alert) {
	f.mu.Lock()
	f.pendingAlerts = append(f.pendingAlerts, alerts...)
	f.mu.Unlock()
	f.wakeWriter()
}

func (f *AlertFile) queueSnooze(z alert.Snooze) {
	f.mu.Lock()
	f.pendingSnoozes = append(f.pendingSnoozes, z)
	f.pendingSnoozes = f.pendingSnoozes[max(0, len(f.pendingSnoozes)-maxStored):]
	f.mu.Unlock()
	f.wakeWriter()
}

func (f *AlertFile) wakeWriter() {
	select {
	case f.wakeups <- struct{}{}:
	default: // run is already signalled
	}
}

// refreshEvery is the interval at which the snoozes of other boards are reloaded.
const refreshEvery = time.Second

// run writes queued changes to the file until ctx ends, and then the remaining changes. Every
// second it reloads the snoozes of other boards.
func (f *AlertFile) run(ctx context.Context) {
	tick := powersave.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			f.flushAlerts()
			f.flushSnoozes()
			return
		case <-f.wakeups:
			f.flushAlerts()
			f.flushSnoozes()
		case <-tick.C:
			if f.snoozes != nil {
				f.snoozes.Refresh()
			}
		}
	}
}

// Store connects an engine with an alerts file.
type Store struct {
	stored      []alert.Alert
	snoozes     *alert.Snoozes      // snoozes of the file; nil: the engine uses its own
	QueueAlerts func([]alert.Alert) // queues alerts to be stored; nil: read-only
	Stop        func()
}

// Open reads the stored alerts. It also starts a goroutine that writes new alerts to the file until
// Stop of the returned Store is called.
func (f *AlertFile) Open() *Store {
	k := f.open(f.Load())
	k.QueueAlerts = f.queueAlerts
	k.snoozes.OnAdd(f.queueSnooze)
	return k
}

// OpenReadOnly reads the stored alerts, but the returned Store writes nothing. It follows the
// snoozes of other boards until Stop is called.
func (f *AlertFile) OpenReadOnly() *Store { return f.open(f.Load()) }

// OpenSnoozes is like [AlertFile.OpenReadOnly] but does not read the stored alerts.
func (f *AlertFile) OpenSnoozes() *Store { return f.open(nil) }

func (f *AlertFile) open(stored []alert.Alert) *Store {
	f.snoozes = NewSnoozes(f.path, f.log)
	k := &Store{stored: stored, snoozes: f.snoozes.Snoozes}
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

// NoStore returns a Store without a file. It stores nothing.
func NoStore() *Store { return &Store{Stop: func() {}} }

// Engine is the part of an [alert.Engine] that [Store.RestoreEngine] needs.
type Engine interface {
	RestoreActive(alerts []alert.Alert)
	Silencer() *alert.Silencer
}

// RestoreEngine restores the stored alerts in an engine and makes the engine use the shared snoozes. Only
// the first call restores alerts.
func (k *Store) RestoreEngine(e Engine) {
	if e.RestoreActive(k.stored); k.snoozes != nil {
		e.Silencer().UseSnoozes(k.snoozes)
	}
	k.stored = nil
}

// flushAlerts writes the queued alerts to the file. If that fails, the alerts stay in the queue.
func (f *AlertFile) flushAlerts() {
	f.mu.Lock()
	batch := f.pendingAlerts
	f.pendingAlerts = nil
	f.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	err := f.Add(batch)
	if err == nil {
		return
	}
	f.log.Warn("cannot write the alerts file", "error", err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pendingAlerts = append(batch, f.pendingAlerts...)
	f.pendingAlerts = f.pendingAlerts[max(0, len(f.pendingAlerts)-2*maxStored):]
}

// flushSnoozes writes the queued snoozes to the file. If that fails, the snoozes stay in the queue.
func (f *AlertFile) flushSnoozes() {
	f.mu.Lock()
	batch := f.pendingSnoozes
	f.pendingSnoozes = nil
	f.mu.Unlock()
	if len(batch) == 0 || f.snoozes == nil {
		return
	}
	err := f.snoozes.write(batch)
	if err == nil {
		return
	}
	f.log.Warn("cannot write the snoozes file", "error", err)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pendingSnoozes = append(batch, f.pendingSnoozes...)
}

// Add merges alerts into the file. It returns when they are on disk.
func (f *AlertFile) Add(batch []alert.Alert) error {
	unlock, err := securefile.HoldLock(f.path+".lock", lockTimeout) // the lock is on a separate file, because the alerts file is replaced
	if err != nil {
		return err
	}
	defer unlock()
	all := f.Load()
	for i := range batch {
		all = mergeAlert(all, &batch[i])
	}
	return f.write(sortAndLimit(all))
}

// write replaces the content of the file with alerts.
func (f *AlertFile) write(alerts []alert.Alert) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for i := range alerts {
		if err := enc.Encode(alertLineOf(&alerts[i])); err != nil {
			return fmt.Errorf("encode an alert: %w", err)
		}
	}
	if err := securefile.Replace(f.path, b.Bytes()); err != nil {
		return fmt.Errorf("write the alerts: %w", err)
	}
	return nil
}

// Load returns the alerts in the file. Ended alerts come last, sorted by end. It skips invalid
// lines and only logs a read error, because the board also works without the file.
func (f *AlertFile) Load() []alert.Alert {
	b, err := securefile.Read(f.path, maxAlertFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		f.log.Warn("cannot read the alerts file", "error", err)
		return nil
	}
	var out []alert.Alert
	lines := bufio.NewScanner(bytes.NewReader(b))
	var k alertLine
	for lines.Scan() {
		k = alertLine{}
		if len(lines.Bytes()) < minLineSize || json.Unmarshal(lines.Bytes(), &k) != nil {
			continue
		}
		if a, ok := k.toAlert(); ok {
			out = append(out, a)
		}
	}
	return sortAndLimit(out)
}

// mergeAlert adds an alert to all, or replaces an earlier state of the alert, and returns the
// result. Boards that run at the same time raise separate alerts about the same condition, so it
// merges alerts of the same rule and record that overlap in time.
func mergeAlert(all []alert.Alert, a *alert.Alert) []alert.Alert {
	all = slices.DeleteFunc(all, func(b alert.Alert) bool { return ackExpired(&b, a) })
	at := slices.IndexFunc(all, func(b alert.Alert) bool { return sameAlert(&b, a) })
	isWorthStoring := !a.Ended.IsZero() || a.Ack != alert.Ack{}
	switch {
	case at < 0 && isWorthStoring:
		return append(all, *a)
	case at < 0:
		return all
	case !isWorthStoring: // the alert became critical, which ended the acknowledgement
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
	now.HighestLevel = max(now.HighestLevel, before.HighestLevel)
	all[at] = now
	return all
}

// ackExpired reports whether a is outdated: a and later are two alerts of the same rule and record,
// the end of a is unknown, and the acknowledgement of a had expired before later began.
func ackExpired(a, later *alert.Alert) bool {
	return a.Ended.IsZero() && a.ID != later.ID && a.Rule == later.Rule && a.Key == later.Key &&
		later.Since.After(a.Ack.At.Add(alert.AckLifetime))
}

func sameAlert(a, b *alert.Alert) bool {
	if a.ID == b.ID {
		return true
	}
	beginsIn := func(a, b *alert.Alert) bool { return b.Ended.IsZero() || !a.Since.After(b.Ended) }
	return a.Rule == b.Rule && a.Key == b.Key && beginsIn(a, b) && beginsIn(b, a)
}

// sortAndLimit sorts alerts, ended ones last. If there are more than maxStored of a kind, it drops
// the oldest.
func sortAndLimit(all []alert.Alert) []alert.Alert {
	slices.SortStableFunc(all, func(a, b alert.Alert) int {
		return cmp.Or(a.Ended.Compare(b.Ended), a.Ack.At.Compare(b.Ack.At))
	})
	open := slices.IndexFunc(all, func(a alert.Alert) bool { return !a.Ended.IsZero() })
	if open < 0 {
		open = len(all)
	}
	ended := all[max(open, len(all)-maxStored):]
	return slices.Concat(all[max(0, open-maxStored):open], ended)
}

// minLineSize is a length below that of any valid line. Shorter lines are not decoded, because a
// damaged file may contain millions of them.
const minLineSize = 40

// alertLine is the JSON form of an alert.
type alertLine struct {
	ID         string        `json:"id"`
	Rule       string        `json:"rule"`
	Scope      alert.Scope   `json:"scope"`
	Code       string        `json:"code,omitempty"`
	Channel    string        `json:"channel,omitempty"`
	Level      alert.Level   `json:"level,omitempty"`
	Worst      alert.Level   `json:"worst"`
	Since      time.Time     `json:"since"`
	LevelSince time.Time     `json:"levelSince"`
	Raised     time.Time     `json:"raised"`
	Ended      time.Time     `json:"ended,omitzero"`
	Vanished   bool          `json:"vanished,omitempty"`
	Daily      bool          `json:"day,omitempty"`
	FromStart  bool          `json:"fromStart,omitempty"`
	Value      *float64      `json:"value,omitempty"`
	Format     alert.Format  `json:"format,omitempty"`
	Text       string        `json:"text"`
	Title      model.Message `json:"title,omitempty"` // Title and What are the parts of Text
	What       model.Message `json:"what,omitempty"`
	By         string        `json:"by,omitempty"`
	Note       string        `json:"note,omitempty"`
	At         time.Time     `json:"at,omitzero"` // time of the acknowledgement
}

func alertLineOf(a *alert.Alert) alertLine {
	k := alertLine{
		ID: a.ID, Rule: a.Rule, Scope: a.Key.Scope, Code: a.Key.Code, Channel: string(a.Key.Channel),
		Level: a.Level, Worst: a.HighestLevel, Since: a.Since, LevelSince: a.LevelSince, Raised: a.Raised,
		Ended: a.Ended, Vanished: a.Vanished, Daily: a.Daily, FromStart: a.FromStart, Format: a.Format, Text: a.Text,
		By: a.Ack.By, Note: a.Ack.Note, At: a.Ack.At,
	}
	k.Title, k.What = a.Message.Stored()
	if v, ok := a.Value.Get(); ok {
		k.Value = &v
	}
	return k
}

// toAlert converts a line to an alert. If the line is invalid, ok is false.
func (k *alertLine) toAlert() (a alert.Alert, ok bool) {
	isLevel := func(l, least alert.Level) bool { return l >= least && l <= alert.Critical }
	if k.ID == "" || k.Rule == "" || !slices.Contains(alert.Scopes(), k.Scope) || k.Since.IsZero() ||
		!isLevel(k.Worst, alert.Warning) || !isLevel(k.Level, alert.Warning) {
		return a, false
	}
	const longest = 500
	a = alert.Alert{
		ID: k.ID, Rule: model.CleanText(k.Rule, longest), Level: k.Level, HighestLevel: k.Worst,
		Key:   alert.Key{Scope: k.Scope, Code: k.Code, Channel: model.Channel(k.Channel)},
		Since: k.Since, LevelSince: k.LevelSince, Raised: k.Raised, Ended: k.Ended, Vanished: k.Vanished,
		Daily: k.Daily, FromStart: k.FromStart,
		Format: k.Format, Text: model.CleanText(k.Text, longest), Message: textformat.RestoredMessage(k.Title, k.What),
		Ack: alert.Ack{By: model.CleanText(k.By, longest), Note: model.CleanText(k.Note, longest), At: k.At},
	}
	if k.Value != nil {
		a.Value = model.FigureOf(*k.Value)
	}
	return a, true
}
