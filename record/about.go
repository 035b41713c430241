package record

import (
	"slices"
	"time"

	"wallboard/model"
)

// Part is a time of a recording in which it was made in one way.
type Part struct {
	First, Last time.Time
	Names       string // as recorded then
	Board       string // version of the program then
	Zone        string // what the time zone is called that times were told in; "": not known
}

// same reports whether two parts were made in one way.
func (p Part) same(o Part) bool { return p.Names == o.Names && p.Board == o.Board && p.Zone == o.Zone }

// About returns what holds for all that is recorded between two instants, and the parts that it
// was made in, in the order of time. Agents are named as in the part that hides them least: who
// has the recording can read that. Of a code that was called otherwise in turn, the last name
// counts. Where nothing is recorded then it is what the newest file says, without parts.
func (r *Recording) About(from, to time.Time) (About, []Part) {
	var parts []Part
	var of []*file
	for _, c := range r.chunks {
		if c.First.After(to) || c.Last.Before(from) {
			continue
		}
		if !slices.Contains(of, c.file) {
			of = append(of, c.file)
		}
		a := c.file.head.About
		p := Part{c.First, c.Last, a.Names, a.Board, c.file.zone}
		if n := len(parts) - 1; n >= 0 && parts[n].same(p) {
			parts[n].Last = latest(parts[n].Last, c.Last)
			continue
		}
		parts = append(parts, p)
	}
	if len(of) == 0 && len(r.files) > 0 {
		of = r.files[len(r.files)-1:]
	}
	return merged(of), parts
}

// merged is what holds for all of several files, the newest of which is the last.
func merged(of []*file) (all About) {
	for i, f := range of {
		a := f.head.About
		names, codes := all.Names, all.Codes
		if all = a; i == 0 {
			continue
		}
		if hides(names) < hides(a.Names) {
			all.Names = names
		}
		if !slices.Equal(codes, a.Codes) {
			all.Codes = withEarlier(a.Codes, codes)
		}
	}
	return all
}

// hides is how much a way to name agents hides of them.
func hides(names string) int {
	return slices.Index([]string{string(model.NamesInitials), string(model.NamesHidden)}, names)
}

// withEarlier returns codes with those that only an earlier file names.
func withEarlier(codes, earlier []Code) []Code {
	type key struct{ kind, code string }
	there := make(map[key]bool, len(codes))
	for _, c := range codes {
		there[key{c.Kind, c.Code}] = true
	}
	all := slices.Clone(codes)
	for _, c := range earlier {
		if !there[key{c.Kind, c.Code}] {
			all = append(all, c)
		}
	}
	return all
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
