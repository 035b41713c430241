package statefile

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"wallboard/internal/lib/powersave"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// Limits of a note book.
const (
	MaxNoteText     = 120                 // maximum number of characters of a text
	DefaultNoteSpan = 8 * time.Hour       // duration of a note without a given end: a shift
	maxNotes        = 500                 // number of notes in the file; the newest are kept
	maxNoteAge      = 60 * 24 * time.Hour // old marks remain because they show how soon surges of contacts followed
	maxNotesFile    = 1 << 20             // maximum size of the file in bytes
	maxInvalidLines = 64 << 10            // maximum total size of the invalid lines kept in the file, in bytes
	chartSpan       = 8 * time.Hour       // length of a live chart
	maxActions      = 500                 // maximum number of actions on a chart; more would cover its axis
	notesInterval   = time.Second
)

// ErrEmptyNote means that a note has no text.
var ErrEmptyNote = errors.New("the note has no text")

// NoteBook holds the notes about a floor. Messages of viewers have an end ("IVR down until 15:00").
// Marks come from other programs ("newsletter"). Times are on the clock of this machine. All
// programs of a user share one file per platform. A NoteBook is safe for concurrent use.
type NoteBook struct {
	log     *slog.Logger
	writing sync.WaitGroup // goroutines of [NoteBook.RecordSurge]

	mu       sync.Mutex
	path     string       // "": the notes are not stored
	list     []model.Note // sorted by time; the slice is never changed, only replaced
	lastRead lastFileRead // content of the file when it was last read
	trouble  string       // about an invalid line of the file; "": none
	actions  []time.Time  // times of recent actions, for charts; not stored
}

// NotesPath returns the path of the notes file for the platform at address.
func NotesPath(address string) string { return securefile.StatePath("notes", address, ".jsonl") }

// OpenNotes returns a NoteBook with the notes in the file at path. If path is "", notes are not
// stored.
func OpenNotes(path string, log *slog.Logger) *NoteBook {
	b := &NoteBook{path: path, log: log}
	b.refresh()
	return b
}

// UseFile replaces the notes with those in the file at path. If path is "", notes are not stored.
func (b *NoteBook) UseFile(path string) {
	b.mu.Lock()
	same := b.path == path
	if !same {
		b.path, b.list, b.lastRead, b.trouble, b.actions = path, nil, lastFileRead{}, "", nil
	}
	b.mu.Unlock()
	if !same {
		b.refresh()
	}
}

func (b *NoteBook) filePath() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.path
}

// All returns all notes and marks, oldest first. Callers must not change the slice.
func (b *NoteBook) All() []model.Note {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.list
}

// MarkAction records the time of an action for the charts: a request that acts on the platform, or
// an acknowledgement.
func (b *NoteBook) MarkAction(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var recent []time.Time // copy the list because callers of Actions may still use it
	for _, old := range append(b.actions, at) {
		if at.Sub(old) < chartSpan {
			recent = append(recent, old)
		}
	}
	b.actions = recent[max(0, len(recent)-maxActions):]
}

// Actions returns the times passed to [NoteBook.MarkAction] in the last hours. Callers must not
// change the slice.
func (b *NoteBook) Actions() []time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.actions
}

// RecordSurge stores when the first surge of contacts after the note id began, so that the usual delay
// is known for later notes with the same text. It does not wait for the disk. onset is on the clock
// of the notes.
func (b *NoteBook) RecordSurge(id string, onset time.Time) {
	for _, n := range b.All() {
		if n.ID != id || !n.Surge.IsZero() {
			continue
		}
		n.Surge = onset
		b.mu.Lock()
		b.list = mergeNotes(b.list, []model.Note{n})
		b.mu.Unlock()
		b.writing.Go(func() {
			if err := b.Write(n); err != nil {
				b.log.Warn("the surge after a note cannot be stored", "error", err)
			}
		})
	}
}

// NewNote returns a note with a new ID. It cleans the text and cuts it to [MaxNoteText] characters.
// If no text remains, it returns ErrEmptyNote.
func NewNote(text, by string, at, until time.Time) (model.Note, error) {
	n := model.Note{ID: rand.Text(), At: at, Until: until, Text: model.CleanText(strings.TrimSpace(textnorm.NormalizeLine(text)), MaxNoteText), By: model.CleanText(by, model.MaxName)}
	if n.Text == "" {
		return n, ErrEmptyNote
	}
	return n, nil
}

// WriteMark writes a mark of another program into all books.
func WriteMark(books []*NoteBook, text string, at, until time.Time) (model.Note, error) {
	note, err := NewNote(text, "", at, until)
	for _, b := range books {
		if err == nil {
			err = b.Write(note)
		}
	}
	return note, err
}

// Write adds notes to the file. A note replaces a note with the same ID. Write returns when the
// notes are on disk.
func (b *NoteBook) Write(list ...model.Note) error {
	path := b.filePath()
	if path == "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.list = mergeNotes(b.list, list)
		return nil
	}
	unlock, err := securefile.HoldLock(path+".lock", lockTimeout)
	if err != nil {
		return fmt.Errorf("lock the notes: %w", err)
	}
	defer unlock()
	content, err := readNotes(path)
	if err != nil {
		return fmt.Errorf("read the notes: %w", err)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	stored, invalid := parseNotes(content)
	all := mergeNotes(stored, list)
	for i := range all {
		if err := enc.Encode(&all[i]); err != nil {
			return fmt.Errorf("encode a note: %w", err)
		}
	}
	for i := range invalid { // kept for the administrator
		invalid[i].number = len(all) + i + 1
		text.Write(append(invalid[i].text, '\n'))
	}
	if err := securefile.Replace(path, text.Bytes()); err != nil {
		return fmt.Errorf("write the notes: %w", err)
	}
	b.setNotes(path, all, text.Bytes(), invalid)
	return nil
}

// EndNotes ends the notes that [ActiveNotes] returns for words. It returns these notes.
func (b *NoteBook) EndNotes(words string, now time.Time) ([]model.Note, error) {
	ended := ActiveNotes(b.All(), words, now)
	if len(ended) == 0 {
		return nil, nil
	}
	for i := range ended {
		ended[i].Until = now
	}
	return ended, b.Write(ended...)
}

// ActiveNotes returns the notes in list that are active at the given time and whose text contains
// words, ignoring case and accents. If words is "", all texts match. It leaves out ticks of
// playbooks, and tolerances, for which see [ActiveTolerances].
func ActiveNotes(list []model.Note, words string, at time.Time) []model.Note {
	var active []model.Note
	for i := range list {
		if list[i].IsActive(at) && list[i].IsMessage() && strings.Contains(textnorm.Fold(list[i].Text), textnorm.Fold(words)) {
			active = append(active, list[i])
		}
	}
	return active
}

// ActiveTolerances returns the notes in list that set a tolerance at the given time, for each
// figure only the latest.
func ActiveTolerances(list []model.Note, at time.Time) []model.Note {
	var active []model.Note
	for _, n := range list {
		if n.Tolerance == (model.AgreedTolerance{}) || !n.IsActive(at) {
			continue
		}
		active = slices.DeleteFunc(active, func(o model.Note) bool { return o.Tolerance.Figure == n.Tolerance.Figure })
		active = append(active, n)
	}
	return active
}

// WatchNotes calls changed for each note that a program writes or ends, until ctx ends. known holds the
// notes that the caller already has from [NoteBook.All].
func (b *NoteBook) WatchNotes(ctx context.Context, known []model.Note, changed func(model.Note)) {
	tick := powersave.NewTicker(notesInterval)
	defer tick.Stop()
	defer b.writing.Wait()
	before := known
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		b.refresh()
		now := b.All()
		for _, n := range now {
			if !slices.ContainsFunc(before, func(o model.Note) bool { o.Surge = n.Surge; return o == n }) {
				changed(n)
			}
		}
		before = now
	}
}

// refresh reads the file and replaces the notes if the file has changed.
func (b *NoteBook) refresh() {
	path := b.filePath()
	if path == "" {
		return
	}
	content, err := readNotes(path)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.path == path && b.lastRead.update(content, err, b.log, "notes") {
		list, invalid := parseNotes(content)
		b.list = mergeNotes(nil, list)
		b.reportInvalidLines(invalid)
	}
}

// reportInvalidLines stores and logs the first problem with the invalid lines of the file. It logs a problem
// only once. The caller must hold mu.
func (b *NoteBook) reportInvalidLines(invalid []noteLine) {
	before := b.trouble
	b.trouble = ""
	if len(invalid) > 0 {
		b.trouble = fmt.Sprintf("Notes %s: line %d is not a note: correct or delete it", b.path, invalid[0].number)
	}
	if b.trouble != "" && b.trouble != before {
		b.log.Warn("invalid line in the notes", "file", b.path, "line", invalid[0].number)
	}
}

// Trouble returns a sentence about the first invalid line of the file, or "" if there is none.
func (b *NoteBook) Trouble() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.trouble
}

// readNotes returns the content of a file, which is empty if the file does not exist.
func readNotes(path string) ([]byte, error) {
	content, err := securefile.Read(path, maxNotesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// setNotes replaces the notes with those of the file at path. If the book uses another file by now, it
// does nothing.
func (b *NoteBook) setNotes(path string, list []model.Note, content []byte, invalid []noteLine) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.path == path {
		b.list, b.lastRead.content = list, content
		b.reportInvalidLines(invalid)
	}
}

// mergeNotes returns the notes of both lists, sorted by time. If both have a note with the same ID,
// the result has the earlier end and the known surge. So a program with an old copy of a note does
// not undo changes of other programs. mergeNotes drops notes that are more than [maxNoteAge] older
// than the newest note.
func mergeNotes(old, list []model.Note) []model.Note {
	all := slices.Clone(old)
	for _, n := range list {
		i := slices.IndexFunc(all, func(o model.Note) bool { return o.ID == n.ID })
		if i < 0 {
			all = append(all, n)
			continue
		}
		if n.Until.Before(all[i].Until) {
			all[i].Until = n.Until
		}
		if all[i].Surge.IsZero() {
			all[i].Surge = n.Surge
		}
	}
	for i := range all { // convert times to their form in the file, so that notes can be compared
		all[i].At, all[i].Until = all[i].At.UTC().Round(0), all[i].Until.UTC().Round(0)
	}
	slices.SortStableFunc(all, func(a, b model.Note) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	if len(all) > 0 {
		newest := all[len(all)-1].At
		all = slices.DeleteFunc(all, func(n model.Note) bool { return newest.Sub(n.At) > maxNoteAge })
	}
	return keepNewest(all, maxNotes)
}

// keepNewest returns at most n notes of a list that is sorted by time. It first drops notes that ended
// before the newest one began, and then others, the oldest first.
func keepNewest(all []model.Note, n int) []model.Note {
	if len(all) <= n {
		return all
	}
	newest, drop := all[len(all)-1].At, len(all)-n
	all = slices.DeleteFunc(all, func(note model.Note) bool {
		if drop == 0 || note.Until.After(newest) {
			return false
		}
		drop--
		return true
	})
	return all[max(0, len(all)-n):]
}

// NoteEvent returns the event about a note or, if the note has ended by now, about its end. In a
// recording without names, the event contains the text of a mark, which a program has written, but
// not the text of a note, which a viewer has written.
func NoteEvent(n model.Note, now time.Time) model.Event {
	event := model.Event{At: n.At, Kind: model.MarkNote, Note: &n}
	text, nameless := words.ReplayMarkNoted(n.Text), words.ReplayMarkANote()
	ended := !n.Until.After(now)
	switch {
	case n.Until.IsZero():
		text, nameless = words.Name(n.Text), words.Name(n.Text)
	case n.Tick.Item != "" && ended:
		text, nameless = words.ReplayMarkUndone(n.Text), words.ReplayMarkItemUndone()
	case n.Tick.Item != "":
		text, nameless = words.ReplayMarkDone(n.Text), words.ReplayMarkItemDone()
	case ended:
		text, nameless = words.ReplayMarkNoteEnded(n.Text), words.ReplayMarkANoteEnded()
	}
	if !n.Until.IsZero() && ended {
		event.At = n.Until
	}
	event.Text, event.Message, event.Nameless, event.NamelessMessage = text.In(nil), text.Stored(), nameless.In(nil), nameless.Stored()
	return event
}

// RecordedNotes returns the notes and marks of a recording in their state at the given time. marks
// must be sorted by time.
func RecordedNotes(marks []model.Mark, at time.Time) []model.Note {
	var list []model.Note
	for i := range marks {
		if n := marks[i].Note; n != nil && !marks[i].At.After(at) {
			list = mergeNotes(list, []model.Note{*n})
		}
	}
	return list
}

// RecordedTolerances returns the notes of a recording that set a tolerance, with their final ends.
// marks must be sorted by time.
func RecordedTolerances(marks []model.Mark) []model.Note {
	var list []model.Note
	for i := range marks {
		if n := marks[i].Note; n != nil && n.Tolerance != (model.AgreedTolerance{}) {
			list = mergeNotes(list, []model.Note{*n})
		}
	}
	return list
}

// noteLine is an invalid line of a notes file.
type noteLine struct {
	number int // from 1
	text   []byte
}

// parseNotes returns the notes and the invalid lines in the content of a file. It returns the first
// invalid lines, up to a total of [maxInvalidLines] bytes, and cuts a longer line.
func parseNotes(content []byte) (list []model.Note, invalid []noteLine) {
	number, size := 0, 0
	for line := range bytes.Lines(content) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var n model.Note
		if err := json.Unmarshal(line, &n); err == nil {
			if n, ok := CheckNote(n); ok {
				list = append(list, n)
				continue
			}
		}
		if room := maxInvalidLines - size; room > 0 {
			line = line[:min(len(line), room)]
			size += len(line)
			invalid = append(invalid, noteLine{number, bytes.Clone(line)})
		}
	}
	return list, invalid
}

// CheckNote checks a note from outside the program and returns it with clean texts. If the note is
// not valid, ok is false.
func CheckNote(n model.Note) (clean model.Note, ok bool) {
	n.Text, n.By = model.CleanText(n.Text, MaxNoteText), model.CleanText(n.By, model.MaxName)
	return n, n.ID != "" && n.Text != "" && !n.At.IsZero() && n.Until.Sub(n.At) <= model.MaxNoteSpan
}

// durationUnits replaces the names of units with the letters that [time.ParseDuration] accepts. It
// removes blanks.
var durationUnits = strings.NewReplacer(" ", "", "minutes", "m", "minute", "m", "min", "m", "hours", "h", "hour", "h")

// ParseNote splits a typed note such as "IVR down until 15:00" or "chat is slow for 30m" into its
// text and its end. A time of day that has already passed today means tomorrow. A note without an
// end lasts for [DefaultNoteSpan] from now.
func ParseNote(line string, now time.Time, zone *time.Location) (text string, until time.Time, err error) {
	text = strings.TrimSpace(line)
	until = now.Add(DefaultNoteSpan)
	if before, end, ok := cutLastWord(text, "until"); ok {
		if at, ok := contact.NextTimeOfDay(end, now.In(zone)); ok { // if not ok, end is not a time of day, as in "closed until Monday"
			text, until = before, at
		}
	} else if before, span, ok := cutLastWord(text, "for"); ok {
		if d, err := time.ParseDuration(durationUnits.Replace(strings.ToLower(span))); err == nil && d > 0 {
			text, until = before, now.Add(d)
		}
	}
	if text == "" {
		return "", until, ErrEmptyNote
	}
	if until.Sub(now) > model.MaxNoteSpan {
		return text, until, errors.New("a note ends after at most 7 days")
	}
	return text, until, nil
}

// cutLastWord returns the parts of text before and after the last occurrence of word.
func cutLastWord(text, word string) (before, after string, ok bool) {
	i := strings.LastIndex(strings.ToLower(" "+text+" "), " "+word+" ")
	if i < 0 {
		return "", "", false
	}
	return strings.TrimSpace(text[:max(i-1, 0)]), strings.TrimSpace(text[min(i+len(word), len(text)):]), true
}
