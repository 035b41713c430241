package sshterminal

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net"
	"os"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// Limits on a known_hosts file.
const (
	maxHostsBytes    = 16 << 20  // bytes
	maxHostLineBytes = 60 << 10  // bytes; the library reads lines up to 64 KB
	maxWildcardSteps = 1_000_000 // steps of a comparison with all patterns that have several *
	maxPatterns      = 200_000
)

// readHosts reads a known_hosts file, and returns the text that the callback checks against.
// Like OpenSSH, it skips invalid lines; the library would reject the whole file. It also skips
// patterns with so many * that a comparison would take too long.
func readHosts(file string) (check ssh.HostKeyCallback, text []byte, err error) {
	text, err = securefile.ReadRegular(file, maxHostsBytes)
	if err != nil {
		return nil, nil, err
	}
	plain := []byte(textnorm.DecodeText(text))
	lines, complete := usableHostLines(plain)
	if complete && bytes.Equal(plain, text) {
		check, err = knownhosts.New(file)
		return check, text, err
	}
	out, err := os.CreateTemp("", "known-hosts-*") // with mode 0600
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(out.Name()) //nolint:errcheck // the system cleans up its temporary folder
	_, err = out.Write(lines)
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, nil, err
	}
	check, err = knownhosts.New(out.Name())
	return check, lines, err
}

// hostKeyAlgorithms returns the host key algorithms to request from a server: those of its known
// keys first, because the server sends only one of its keys. Certificates come first if an
// authority is known, and otherwise last.
func hostKeyAlgorithms(hosts ssh.HostKeyCallback, address string) []string {
	all := ssh.SupportedAlgorithms().HostKeys
	var host *HostError
	errors.As(hosts(address, &net.TCPAddr{IP: net.IPv4zero}, noKey{}), &host)
	rank := func(algorithm string) int {
		certificate := strings.Contains(algorithm, "-cert-")
		switch {
		case host != nil && certificate && host.hasAuthority,
			host != nil && !certificate && slices.Contains(host.knownTypes, keyType(algorithm)):
			return 0
		case !certificate:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

// keyType returns the type of the keys of an algorithm.
func keyType(algorithm string) string {
	if algorithm == ssh.KeyAlgoRSASHA256 || algorithm == ssh.KeyAlgoRSASHA512 {
		return ssh.KeyAlgoRSA
	}
	return algorithm
}

// noKey is a key that no known_hosts file contains.
type noKey struct{}

// Type implements [ssh.PublicKey].
func (noKey) Type() string { return "none" }

// Marshal implements [ssh.PublicKey].
func (noKey) Marshal() []byte { return nil }

// Verify implements [ssh.PublicKey].
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }

// usableHostLines returns the lines of a file that the library can read, within the limits.
// complete reports whether no line was skipped. Empty lines and comments do not count.
func usableHostLines(text []byte) (lines []byte, complete bool) {
	complete = true
	wildcardSteps, patterns := 0, 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.Trim(line, " \t\r\n")
		if len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		n, cost, ok := parseHostLine(trimmed)
		if !ok || wildcardSteps+cost > maxWildcardSteps || patterns+n > maxPatterns {
			complete = false
			continue
		}
		wildcardSteps, patterns = wildcardSteps+cost, patterns+n
		lines = append(append(lines, trimmed...), '\n')
	}
	return lines, complete
}

// parseHostLine returns the number of patterns of a line, and how many steps a comparison with
// those that have several * may take. ok reports whether the library can read the line.
func parseHostLine(line []byte) (patterns, cost int, ok bool) {
	if len(line) > maxHostLineBytes {
		return 0, 0, false
	}
	marker, hosts, _, _, _, err := ssh.ParseKnownHosts(append(line[:len(line):len(line)], '\n'))
	if err != nil || marker != "" && marker != "cert-authority" && marker != "revoked" {
		return 0, 0, false
	}
	for _, p := range hosts {
		if strings.HasPrefix(p, "|") {
			return 1, 0, len(hosts) == 1 && isHashedHost(p)
		}
		p, negated := strings.CutPrefix(p, "!")
		if _, _, err := net.SplitHostPort(p); negated && p == "" || strings.HasPrefix(p, "[") && err != nil {
			return 0, 0, false
		}
		steps := 1
		for range strings.Count(p, "*") - 1 {
			if steps *= 64; steps > maxWildcardSteps {
				return 0, 0, false
			}
		}
		if steps > 1 {
			cost += steps
		}
	}
	return len(hosts), cost, true
}

// isHashedHost reports whether a text is a hashed host name: |1|salt|hash.
func isHashedHost(text string) bool {
	f := strings.Split(text, "|")
	if len(f) != 4 || f[1] != "1" {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(f[2])
	_, err2 := base64.StdEncoding.DecodeString(f[3])
	return err == nil && err2 == nil
}
