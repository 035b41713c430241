package record

import (
	"slices"
	"time"

	"wallboard/model"
)

// SettingsPeriod is a period of a recording with unchanged settings.
type SettingsPeriod struct {
	First, Last time.Time
	Names       string // name mode of agents, a model.NameMode
	Board       string // version of the program that made the recording
	Zone        string // name of the time zone; "": unknown
}

// sameSettings reports whether two parts have the same settings.
func (p SettingsPeriod) sameSettings(o SettingsPeriod) bool {
	return p.Names == o.Names && p.Board == o.Board && p.Zone == o.Zone
}

// About returns a description of the recording between two times, and the parts of this
// period, ordered by time.
//
// The description has the least restrictive name mode of all parts, because the mode says which
// names the recording contains. If a code was renamed, the description has its last name. If
// nothing was recorded in the period, About describes the newest file.
func (r *Recording) About(from, to time.Time) (Metadata, []SettingsPeriod) {
	var parts []SettingsPeriod
	var of []*file
	for _, c := range r.chunks {
		if c.First.After(to) || c.Last.Before(from) {
			continue
		}
		if !slices.Contains(of, c.file) {
			of = append(of, c.file)
		}
		a := c.file.header.About
		p := SettingsPeriod{c.First, c.Last, a.Names, a.Board, c.file.zoneName}
		if n := len(parts) - 1; n >= 0 && parts[n].sameSettings(p) {
			parts[n].Last = laterOf(parts[n].Last, c.Last)
			continue
		}
		parts = append(parts, p)
	}
	if len(of) == 0 && len(r.files) > 0 {
		of = r.files[len(r.files)-1:]
	}
	return mergeMetadata(of), parts
}

// mergeMetadata combines the descriptions of files. of is sorted, the newest file last.
func mergeMetadata(of []*file) (all Metadata) {
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

// nameRank returns how restrictive a name mode is: -1 for full names, 0 for initials, 1 for
// hidden names.
func nameRank(names string) int {
	return slices.Index([]string{string(model.NamesInitials), string(model.NamesHidden)}, names)
}

// addEarlierCodes returns codes, followed by the codes of earlier that are missing in codes.
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
