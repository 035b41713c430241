package audit

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"wallboard/internal/textformat"
)

// Damage is a kind of change that the chain reveals.
type Damage string

// Kinds of damage. The chain alone cannot distinguish a changed line from removed lines after it.
// The numbers of the lines of a session often can.
const (
	DamageChanged    Damage = "changed"
	DamageRemoved    Damage = "removed"
	DamageInserted   Damage = "inserted"
	DamageReordered  Damage = "reordered"
	DamageRestarted  Damage = "restarted"   // a new chain starts after existing lines
	DamageHeadAbsent Damage = "head absent" // the line of a stored head is missing
)

// Finding is one damaged place.
type Finding struct {
	Damage Damage `json:"damage"`
	File   string `json:"file,omitempty"` // name of the file
	Line   int    `json:"line,omitempty"` // number of the line in the file, from 1
	Text   string `json:"text"`
}

// maxFindings is the maximum number of damaged places that are described. Further places are only
// counted.
const maxFindings = 1000

// Verification is the result of [Verify].
type Verification struct {
	Chained    int       `json:"chained"`    // number of lines with the hash of the previous line
	Unchained  int       `json:"unchained"`  // number of lines before the chain, written by earlier versions
	Incomplete int       `json:"incomplete"` // incomplete lines, left by a crash or a full disk, whose hash is in the next line
	Since      time.Time `json:"since,omitzero"`
	Until      time.Time `json:"until,omitzero"` // times of the first and of the last chained line

	// SetBack is the number of lines that are older than the line before them, because the clock was
	// set back in between.
	SetBack int `json:"setBack"`

	// StartMissing is true if the first line continues a chain whose earlier lines are not in the
	// files. Rotation deletes such lines, but so could another user.
	StartMissing bool `json:"startMissing"`

	Heads      int       `json:"heads"`      // number of stored heads whose lines are in the files
	OlderHeads int       `json:"olderHeads"` // number of stored heads of lines before the first line
	Findings   []Finding `json:"findings"`
	Further    int       `json:"further,omitempty"` // number of damaged places that are not in Findings
	Head       Head      `json:"head,omitzero"`     // the head of the chain
}

// Intact reports whether no damage was found.
func (v *Verification) Intact() bool { return len(v.Findings) == 0 }

// Verify checks the chain of the file at path and its older generations, and that the line of each
// stored head exists. heads must be in the order in which they were stored. They must have been
// read before the call, because other programs may append lines meanwhile. Verify returns an error
// if the files cannot be read.
//
// Without heads, Verify cannot detect a cut end or a chain that was computed again from a changed
// line on.
func Verify(path string, heads []Head) (*Verification, error) {
	return verifyLines(heads, func(check func(*chainLine)) (files int, err error) {
		all, errs := openGenerations(path)
		index := 0
		for _, f := range all {
			info, err := f.Stat()
			if err == nil {
				err = readChain(filepath.Base(f.Name()), io.LimitReader(f, info.Size()), info.Size(), &index, check)
			}
			errs = append(errs, err, f.Close())
		}
		return len(all), errors.Join(errs...)
	})
}

// lineReader calls check for every line of an audit file and its older generations, oldest first. The
// line is valid only during the call. It returns the number of files.
type lineReader func(check func(*chainLine)) (files int, err error)

// verifyLines is [Verify] for the lines that each provides.
func verifyLines(heads []Head, each lineReader) (*Verification, error) {
	v := &verifier{wanted: make(map[string]int), result: &Verification{Findings: []Finding{}}, headFound: make(map[string]bool, len(heads))}
	for _, h := range heads {
		v.headFound[h.Hash] = false
	}
	var err error
	if v.files, err = each(v.checkLine); err != nil {
		return nil, err
	}
	v.checkStart()
	if len(v.brokenLines) > 0 {
		locator := locator{wanted: v.wanted, sessions: make(map[string]sessionLine)}
		if _, err := each(locator.locate); err != nil {
			return nil, err
		}
		v.describeBrokenLines(&locator)
	}
	v.checkHeads(heads)
	return v.result, nil
}

// chainLine is a line that is being checked.
type chainLine struct {
	index  int    // number of the line in all files, from 0
	file   string // name of the file
	number int    // number of the line in its file, from 1
	hash   string
	line   line
	at     time.Time
	valid  bool // the line could be decoded
	whole  bool // the line ends with a newline
}

// brokenLine is a line that does not continue the chain.
type brokenLine struct {
	index           int
	file            string
	number          int
	previous        string // the hash in the line
	afterUnreadable bool   // the previous line cannot be decoded
	unchained       bool   // the line has no hash
}

type verifier struct {
	result       *Verification
	previousLine chainLine // valid if hasLast is true
	hasLast      bool
	files        int
	brokenLines  []brokenLine
	wanted       map[string]int // position of the line with each hash that a broken line names; -1: not found
	headFound    map[string]bool
	startMissing bool // the first of all lines continues a chain
}

// readChain calls check for every line of a file of size bytes. index points to the number of lines in the
// previous files; readChain increments it for each line.
func readChain(name string, f io.Reader, size int64, index *int, check func(*chainLine)) error {
	in := bufio.NewReaderSize(f, int(min(size+1, maxLine))) // a file without newlines does not fill the buffer
	for n := 1; ; n++ {
		b, err := in.ReadSlice('\n')
		current := chainLine{index: *index, file: name, number: n}
		if errors.Is(err, bufio.ErrBufferFull) {
			h := sha256.New()
			for errors.Is(err, bufio.ErrBufferFull) {
				h.Write(b)
				b, err = in.ReadSlice('\n')
			}
			current.whole = err == nil
			if current.whole {
				b = b[:len(b)-1]
			}
			h.Write(b)
			current.hash = encodeSum(h)
		} else {
			if len(b) == 0 && errors.Is(err, io.EOF) {
				return nil
			}
			current.hash, current.whole = HashLine(b), err == nil
			current.line, current.at, current.valid = decodeIfLong(b)
		}
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return fmt.Errorf("read the audit file: %w", err)
		}
		check(&current)
		*index++
		if end {
			return nil
		}
	}
}

// checkLine checks that a line continues the chain.
func (v *verifier) checkLine(l *chainLine) {
	if _, ok := v.headFound[l.hash]; ok {
		v.headFound[l.hash] = true
	}
	switch {
	case !l.valid:
		if v.result.Chained > 0 {
			v.result.Incomplete++ // unless the next line reports a break
		}
	case l.line.Previous == "" && v.result.Chained == 0:
		v.result.Unchained++
	default:
		v.checkChained(l)
	}
	if l.valid {
		v.result.Head = Head{Time: cleanText(l.line.Time), ID: cleanText(l.line.ID), Phase: string(l.line.Phase), Hash: l.hash}
	}
	v.previousLine, v.hasLast = *l, true
}

func (v *verifier) checkChained(l *chainLine) {
	v.result.Chained++
	if v.result.Since.IsZero() {
		v.result.Since = l.at
	}
	if l.at.Before(v.result.Until.Add(-lockTimeout)) { // the time is taken before the file is locked
		v.result.SetBack++
	}
	v.result.Until = l.at
	switch {
	case !v.hasLast:
		v.startMissing = l.line.Previous != chainStart
		return
	case l.line.Previous == v.previousLine.hash:
		return
	}
	v.addBrokenLine(l)
}

func (v *verifier) addBrokenLine(l *chainLine) {
	after := v.hasLast && !v.previousLine.valid
	if after {
		v.result.Incomplete = max(0, v.result.Incomplete-1)
	}
	if len(v.brokenLines) >= maxFindings {
		v.result.Further++
		return
	}
	v.brokenLines = append(v.brokenLines, brokenLine{
		index: l.index, file: l.file, number: l.number, previous: l.line.Previous, afterUnreadable: after, unchained: l.line.Previous == "",
	})
	if l.line.Previous != "" {
		v.wanted[l.line.Previous] = -1
	}
}

// checkStart reports two kinds of damage: a first line that continues a chain although there is no
// older file, and a complete last line that cannot be decoded.
func (v *verifier) checkStart() {
	v.result.StartMissing = v.startMissing
	if v.startMissing && v.files == 1 {
		v.add(Finding{Damage: DamageRemoved, Line: 1, File: v.previousLine.file, Text: "lines before the first one are missing, and no older file exists"})
	}
	if v.hasLast && !v.previousLine.valid && v.previousLine.whole && v.result.Chained > 0 {
		v.result.Incomplete = max(0, v.result.Incomplete-1)
		v.add(Finding{Damage: DamageChanged, File: v.previousLine.file, Line: v.previousLine.number, Text: "the last line cannot be read"})
	}
}

func (v *verifier) add(f Finding) { v.result.Findings = append(v.result.Findings, f) }

// sessionLine is the latest line of a session, with its number in the session and its position in all
// files.
type sessionLine struct {
	seq   uint64
	index int
}

// missingLines is a range of positions between two lines of a session, in which lines of the session are
// missing. lines is the number of missing lines.
type missingLines struct {
	after, before int
	lines         uint64
}

// maxSessions limits the memory for the numbers of the lines of sessions.
const maxSessions = 100_000

// locator finds the positions of the lines that broken lines continue, and the gaps in the
// sessions.
type locator struct {
	wanted   map[string]int
	sessions map[string]sessionLine
	gaps     []missingLines
}

func (o *locator) locate(l *chainLine) {
	if at, ok := o.wanted[l.hash]; ok && at < 0 {
		o.wanted[l.hash] = l.index
	}
	if !l.valid {
		return
	}
	last, known := o.sessions[l.line.Session]
	if known && l.line.Seq > last.seq+1 && len(o.gaps) < maxFindings {
		o.gaps = append(o.gaps, missingLines{after: last.index, before: l.index, lines: l.line.Seq - last.seq - 1})
	}
	if known || len(o.sessions) < maxSessions {
		o.sessions[l.line.Session] = sessionLine{seq: l.line.Seq, index: l.index}
	}
}

// missingBefore returns the number of lines that are missing directly before a position. It returns
// 0 if the numbers of the sessions do not show it.
func (o *locator) missingBefore(index int) uint64 {
	for _, g := range o.gaps {
		if g.after < index && index <= g.before {
			return g.lines
		}
	}
	return 0
}

// describeBrokenLines converts the broken lines to findings.
func (v *verifier) describeBrokenLines(o *locator) {
	flagged := make(map[int]bool, len(v.brokenLines))
	for _, b := range v.brokenLines {
		flagged[b.index] = true
	}
	for i, b := range v.brokenLines {
		at := -1
		if b.previous != "" {
			at = v.wanted[b.previous]
		}
		f := Finding{File: b.file, Line: b.number}
		switch {
		case b.unchained:
			f.Damage, f.Text = DamageInserted, "the line has no hash: it was inserted, or written by a version before December 2026"
		case b.previous == chainStart:
			f.Damage, f.Text = DamageRestarted, "a new chain starts here although lines precede it"
		case at >= b.index:
			f.Damage, f.Text = DamageReordered, "the line stands before the line that it follows"
		case at >= 0 && allFlagged(flagged, at+1, b.index):
			continue // the lines in between are reported separately
		case at >= 0 && v.nextSkipsLine(i):
			f.Damage, f.Text = DamageInserted, "the line was inserted: the next line follows the line before it"
		case at >= 0:
			f.Damage, f.Text = DamageInserted, textformat.CountWithNoun(b.index-1-at, "line", "lines")+" inserted before this one"
		case b.afterUnreadable:
			f.Damage, f.Text = DamageChanged, "the line before this one was changed and cannot be read"
		case o.missingBefore(b.index) > 0:
			f.Damage, f.Text = DamageRemoved, textformat.CountWithNoun(int(o.missingBefore(b.index)), "line", "lines")+" missing before this one" //nolint:gosec // a number of lines
		default:
			f.Damage, f.Text = DamageChanged, "the line before this one was changed, or lines between them were removed"
		}
		v.add(f)
	}
}

// nextSkipsLine reports whether the line after the broken line i continues the line before the broken
// line.
func (v *verifier) nextSkipsLine(i int) bool {
	if i+1 >= len(v.brokenLines) || v.brokenLines[i+1].index != v.brokenLines[i].index+1 || v.brokenLines[i+1].previous == "" {
		return false
	}
	return v.wanted[v.brokenLines[i+1].previous] == v.brokenLines[i].index-1
}

// allFlagged reports whether every position from start to end, excluding end, holds a broken line.
func allFlagged(flagged map[int]bool, start, end int) bool {
	for i := start; i < end; i++ {
		if !flagged[i] {
			return false
		}
	}
	return true
}

// checkHeads reports stored heads whose lines are missing. Heads before the first one whose line
// was found may be older than the files. They are only counted.
func (v *verifier) checkHeads(heads []Head) {
	missing := 0
	var first Head
	for _, h := range heads {
		switch {
		case v.headFound[h.Hash]:
			v.result.Heads++
		case v.result.Heads == 0 && (v.result.StartMissing || v.result.Unchained > 0) && v.isOlder(h):
			v.result.OlderHeads++
		default:
			if missing++; missing == 1 {
				first = h
			}
		}
	}
	if missing > 0 {
		v.add(Finding{Damage: DamageHeadAbsent, Text: fmt.Sprintf(
			"%s of stored heads missing, the first of %s: lines up to it were changed, or the end was cut off",
			textformat.CountWithNoun(missing, "line", "lines"), cleanText(first.Time))})
	}
}

// isOlder reports whether a head may be older than the first chained line.
func (v *verifier) isOlder(h Head) bool {
	at, err := time.Parse(timeLayout, h.Time)
	return err == nil && at.Before(v.result.Since.Add(lockTimeout)) // the time is taken before the file is locked
}
