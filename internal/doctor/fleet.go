package doctor

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"
)

// FleetMember is a platform of a fleet.
type FleetMember struct {
	Name    string
	Examine func(context.Context) (*Report, error) // examines the platform, as [Examine] does
	// DifferingKeys lists the configuration keys whose values differ from those of most platforms.
	DifferingKeys []string
	// LastRecorded returns the time of the last recording, or the zero time if there is none. A
	// nil LastRecorded means that recording is off.
	LastRecorded func() (time.Time, error)
}

// Site is the result of checking a platform of a fleet.
type Site struct {
	Name         string         `json:"site"`
	Verdict      Verdict        `json:"verdict"`
	ServiceFacts []ServiceFacts `json:"services"`
	LastRecorded time.Time      `json:"last_recorded,omitzero"`
	Differs      []string       `json:"differs,omitempty"`
	Problems     []Finding      `json:"problems,omitempty"`
}

// FleetOptions configures [CheckFleet].
type FleetOptions struct {
	Timeout time.Duration // for each platform
	AtOnce  int           // number of platforms to check at the same time
	Now     func() time.Time
}

// Limits of a fleet check.
const (
	maxRecordingGap         = 3 * time.Minute    // age of the last recorded snapshot; one is written at least once a minute
	urgentCertificatePeriod = 7 * 24 * time.Hour // a certificate that is valid for a shorter time is a failure
)

// CheckFleet checks all members and compares them. The result has a site for each member, in
// the same order. A member that does not answer in time fails and does not delay the others.
func CheckFleet(ctx context.Context, members []FleetMember, o FleetOptions) []Site {
	sites := make([]Site, len(members))
	var running sync.WaitGroup
	slots := make(chan struct{}, o.AtOnce)
	for i := range members {
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			sites[i].check(ctx, &members[i], &o)
		})
	}
	running.Wait()
	compareVersions(sites)
	for i := range sites {
		sites[i].Verdict = VerdictOK
		for _, p := range sites[i].Problems {
			if p.Verdict == VerdictFail || sites[i].Verdict == VerdictOK {
				sites[i].Verdict = p.Verdict
			}
		}
	}
	return sites
}

func (s *Site) addProblem(service, about string, v Verdict, text, remedy string) {
	s.Problems = append(s.Problems, Finding{service, about, v, text, remedy})
}

// check examines a platform and stores the result in s.
func (s *Site) check(outer context.Context, m *FleetMember, o *FleetOptions) {
	s.Name, s.Differs = m.Name, m.DifferingKeys
	ctx, cancel := context.WithTimeout(outer, o.Timeout)
	defer cancel()
	report, err := m.Examine(ctx)
	switch {
	case err != nil && ctx.Err() != nil && outer.Err() == nil:
		s.addProblem(realTimeService, "Answer", VerdictFail, "not all answers came within "+formatDuration(o.Timeout), "check the line and the load of the platform, or raise --timeout")
	case err != nil:
		s.addProblem(realTimeService, "Answer", VerdictFail, err.Error(), "")
	default:
		s.addReport(report, o.Now())
	}
	s.checkRecording(m, o.Now())
	if len(s.Differs) > 0 {
		s.addProblem("", "Configuration", VerdictNote, fmt.Sprintf("differs from most sites in %s", joinKeys(s.Differs)), "")
	}
}

// addReport adds the facts of a report. It adds the failures and the notes about certificates
// and clocks as problems. A certificate that expires soon is a failure.
func (s *Site) addReport(r *Report, now time.Time) {
	s.ServiceFacts = r.Services
	for _, f := range r.Findings {
		switch {
		case f.Verdict == VerdictFail, f.Verdict == VerdictNote && f.About == clockFinding && r.factsOf(f.Service).ClockSkew != nil:
		case f.Verdict == VerdictNote && f.About == certificateFinding:
			if r.factsOf(f.Service).CertificateEnd.Sub(now) < urgentCertificatePeriod {
				f.Verdict = VerdictFail
			}
		default:
			continue
		}
		s.Problems = append(s.Problems, f)
	}
}

// checkRecording adds a problem if the platform must be recorded and is not.
func (s *Site) checkRecording(m *FleetMember, now time.Time) {
	if m.LastRecorded == nil {
		return
	}
	last, err := m.LastRecorded()
	s.LastRecorded = last
	const remedy = "start a board or `wallboard serve` for this site, or see its log"
	switch {
	case err != nil:
		s.addProblem("", "Recording", VerdictFail, "the recording cannot be read: "+err.Error(), "")
	case last.IsZero():
		s.addProblem("", "Recording", VerdictFail, "nothing is recorded", remedy)
	case now.Sub(last) > maxRecordingGap:
		s.addProblem("", "Recording", VerdictFail, "the recording has stopped at "+last.Local().Format(time.DateTime), remedy)
	}
}

// compareVersions adds a note to each site with a service whose version differs from the
// version of most sites. If no version has a majority, it notes that the sites differ. Sites
// with an unknown version do not count.
func compareVersions(sites []Site) {
	count := make(map[string]map[string]int) // by service and version
	for i := range sites {
		for _, f := range sites[i].ServiceFacts {
			if f.Version != "" {
				if count[f.Service] == nil {
					count[f.Service] = make(map[string]int)
				}
				count[f.Service][f.Version]++
			}
		}
	}
	for i := range sites {
		for _, f := range sites[i].ServiceFacts {
			if f.Version == "" {
				continue
			}
			if text := describeVersionDifference(count[f.Service], f.Version); text != "" {
				sites[i].addProblem(f.Service, "Version", VerdictNote, "version "+f.Version+text, "")
			}
		}
	}
}

// describeVersionDifference describes how version differs from the version that most sites have or, if no
// version has a majority, from the versions of the other sites. It returns "" if it does not
// differ. count holds the number of sites by version.
func describeVersionDifference(count map[string]int, version string) string {
	known := 0
	for _, n := range count {
		known += n
	}
	var others []string
	for _, v := range slices.Sorted(maps.Keys(count)) {
		switch {
		case 2*count[v] <= known:
			if v != version {
				others = append(others, v)
			}
		case v == version:
			return ""
		default:
			return fmt.Sprintf(", but %s on %d of %d sites whose version is known", v, count[v], known)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return ", other sites have " + joinKeys(others)
}

// joinKeys joins the first five keys and adds the number of the others.
func joinKeys(keys []string) string {
	const shown = 5
	text := ""
	for i, key := range keys {
		if i == shown {
			return text + fmt.Sprintf(" and %d more", len(keys)-shown)
		}
		if i > 0 {
			text += ", "
		}
		text += key
	}
	return text
}

// Certificate returns the number of whole days until the first certificate expires. It is
// negative if the certificate has expired. ok is false if no certificate is known.
func (s *Site) Certificate(now time.Time) (days int, ok bool) {
	for _, f := range s.ServiceFacts {
		if left := int(math.Floor(f.CertificateEnd.Sub(now).Hours() / 24)); !f.CertificateEnd.IsZero() && (!ok || left < days) {
			days, ok = left, true
		}
	}
	return days, ok
}

// Clock returns the largest difference between the clock of a service and the clock of this
// machine, in seconds. ok is false if the time of no service is known.
func (s *Site) Clock() (skew float64, ok bool) {
	for _, f := range s.ServiceFacts {
		if f.ClockSkew != nil && (!ok || math.Abs(*f.ClockSkew) > math.Abs(skew)) {
			skew, ok = *f.ClockSkew, true
		}
	}
	return skew, ok
}

// Versions returns the known versions of the services, separated by slashes.
func (s *Site) Versions() string {
	text := ""
	for _, f := range s.ServiceFacts {
		if f.Version == "" {
			continue
		}
		if text != "" {
			text += " / "
		}
		text += f.Version
	}
	return text
}

// Summary returns the problems as a line of text. For each service it contains the first
// failure and counts the others, because they usually follow from the first one.
func (s *Site) Summary() string {
	text, more := "", 0
	var failed []string
	for _, p := range s.Problems {
		if p.Verdict == VerdictFail && p.Service != "" {
			if slices.Contains(failed, p.Service) {
				more++
				continue
			}
			failed = append(failed, p.Service)
		}
		if text != "" {
			text += "; "
		}
		if p.Service != "" {
			text += p.Service + ": "
		}
		text += p.Text
	}
	if more > 0 {
		text += fmt.Sprintf("; %d more", more)
	}
	return text
}

// Mark returns the character that marks the verdict of the site, an ASCII character if ascii
// is true.
func (s *Site) Mark(ascii bool) string { return s.Verdict.glyph(ascii) }
