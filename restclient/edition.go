package restclient

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wallboard/model/resource"
)

// Edition is an edition of the service (document 1, section Versioning).
type Edition string

// The documented editions. EditionAuto asks the platform for its version.
const (
	EditionAuto Edition = "auto"
	Edition102  Edition = "1.0.2"
	Edition140  Edition = "1.4.0"
)

// Edition returns the edition whose paths and operations the session uses: the configured
// edition or, without one, the newest documented edition that is not newer than the platform's
// version. The session requests the version once.
//
// If the version cannot be parsed, the edition is 1.4.0. If the version is older than all
// editions, the edition is 1.0.2.
func (s *Session) Edition(ctx context.Context) (Edition, error) {
	if e := s.knownEdition(); e != EditionAuto {
		return e, nil
	}
	if _, err := s.detectEdition(ctx); err != nil {
		return EditionAuto, err
	}
	return s.knownEdition(), nil
}

func (s *Session) knownEdition() Edition {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edition
}

// detectEdition requests the platform's version and returns it. If no edition is configured,
// it sets the edition to that of the version.
func (s *Session) detectEdition(ctx context.Context) (string, error) {
	var v resource.Version
	if err := s.send(ctx, request{op: resource.OpVersion, decodeInto: &v}); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.editionPinned {
		s.edition = editionOf(v.WebAPI)
	}
	return v.WebAPI, nil
}

// editionOf returns the edition for a version such as "1.4.0", "v1.4" or "1.0.2-b3".
func editionOf(version string) Edition {
	if n, ok := versionNumbers(version); ok && slices.Compare(n, []int{1, 4, 0}) < 0 {
		return Edition102
	}
	return Edition140
}

// versionNumbers parses the first three numbers of a version. Missing numbers are 0. ok is
// false if the version does not begin with a number.
func versionNumbers(version string) (n []int, ok bool) {
	version = strings.TrimLeft(strings.TrimSpace(version), "vV")
	n = make([]int, 3)
	for i, part := range strings.SplitN(version, ".", 3) {
		digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
		v, err := strconv.Atoi(digits)
		if err != nil {
			return n, i > 0
		}
		n[i] = v
		if digits != part {
			break // the rest is a suffix
		}
	}
	return n, true
}
