package record

import (
	"slices"
	"time"

	"wallboard/model"
)

// Part is a period of a recording with constant settings.
type Part struct {
	First, Last time.Time
	Names       string // name mode of agents: see model.NameMode
	Board       string // program version
	Zone        string // name of the time zone; "": unknown
}

// sameSettings reports whether two parts have the same settings.
func (p Part) sameSettings(o Part) bool {
	return p.Names == o.Names && p.Board == o.Board && p.Zone == o.Zone
}

// About returns the description of everything recorded between two times, and its parts
// in order of time. Names is the least restrictive setting of all parts, because that
// is what a reader of the recording can see. If a code was renamed, the last name
// applies. If nothing is recorded in that period, the description is that of the newest
// file.
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
		a := c.file.header.About
		p := Part{c.First, c.Last, a.Names, a.Board, c.file.zoneName}
		if n := len(parts) - 1; n >= 0 && parts[n].sameSettings(p) {
			parts[n].Last = laterOf(parts[n].Last, c.Last)
			continue
		}
		parts = append(parts, p)
	}
	if len(of) == 0 && len(r.files) > 0 {
		of = r.files[len(r.files)-1:]
	}
	return mergeAbouts(of), parts
}

// mergeAbouts combines the descriptions of several files, newest last.
func mergeAbouts(of []*file) (all About) {
	for i, f := range of {
		a := f.header.About
		names, codes := all.Names, all.Codes
		if all = a; i == 0 {
			continue
		}
		if nameRank(names) < nameRank(a.Names) {
			all.Names = names
		}
		if !slices.Equal(codes, a.Codes) {
			all.Codes = addEarlierCodes(a.Codes, codes)
		}
	}
	return all
}

// nameRank returns how restrictive a setting of names is.
func nameRank(names string) int {
	return slices.Index([]string{string(model.NamesInitials), string(model.NamesHidden)}, names)
}

// addEarlierCodes adds codes that are named only in an earlier file.
func addEarlierCodes(codes, earlier []Code) []Code {
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

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
