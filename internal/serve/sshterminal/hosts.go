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

// Limits of a known_hosts file.
const (
	maxHostsBytes    = 16 << 20  // bytes
	maxHostLineBytes = 60 << 10  // bytes; the library reads lines of up to 64 KB
	maxWildcardSteps = 1_000_000 // steps to compare a name with all patterns that have several *
	maxPatterns      = 200_000
)

// readHosts reads a known_hosts file. It returns a callback that checks the keys of servers,
// and the lines that the callback uses. Like OpenSSH, readHosts skips invalid lines, for which
// the library would reject the whole file. It also skips patterns with so many * that a
// comparison would take too long.
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
	out, err := os.CreateTemp("", "known-hosts-*") // CreateTemp uses mode 0600
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(out.Name()) //nolint:errcheck // if it fails, the system removes the temporary file some day
	_, err = out.Write(lines)
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, nil, err
	}
	check, err = knownhosts.New(out.Name())
	return check, lines, err
}

// hostKeyAlgorithms returns the host key algorithms that the client requests from a server, in
// order of preference. Algorithms for known keys of the server come first, because the server
// sends only one of its keys. Certificate algorithms come first if an authority is known for
// the server, and otherwise last.
func hostKeyAlgorithms(hosts ssh.HostKeyCallback, address string) []string {
	all := ssh.SupportedAlgorithms().HostKeys
	var host *HostError
	errors.As(hosts(address, &net.TCPAddr{IP: net.IPv4zero}, placeholderKey{}), &host)
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

// keyType returns the type of the keys that an algorithm uses.
func keyType(algorithm string) string {
	if algorithm == ssh.KeyAlgoRSASHA256 || algorithm == ssh.KeyAlgoRSASHA512 {
		return ssh.KeyAlgoRSA
	}
	return algorithm
}

// placeholderKey is a key that is not in any known_hosts file. Checking it reveals the known keys of a
// server.
type placeholderKey struct{}

// Type implements [ssh.PublicKey].
func (placeholderKey) Type() string { return "none" }

// Marshal implements [ssh.PublicKey].
func (placeholderKey) Marshal() []byte { return nil }

// Verify implements [ssh.PublicKey].
func (placeholderKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }

// usableHostLines returns the lines of a known_hosts file that the library can read, up to the
// limits. It leaves out empty lines and comments. complete reports whether no other line was
// skipped.
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

// parseHostLine parses a line of a known_hosts file. patterns is the number of its host patterns.
// cost is the maximum number of steps for comparing a name with the patterns that contain several
// *. ok is false if the library cannot read the line, or if the line exceeds a limit.
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

// isHashedHost reports whether text is a hashed host name of the form |1|salt|hash.
func isHashedHost(text string) bool {
	f := strings.Split(text, "|")
	if len(f) != 4 || f[1] != "1" {
		return false
	}
	_, err := base64.StdEncoding.DecodeString(f[2])
	_, err2 := base64.StdEncoding.DecodeString(f[3])
	return err == nil && err2 == nil
}
