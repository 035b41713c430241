package netconn

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// UnsupportedLogin is part of each text of [Challenge].
const UnsupportedLogin = "which wallboard does not support"

// UnsupportedLoginRemedy is the remedy for a text of [Challenge].
const UnsupportedLoginRemedy = "ask the platform's administrator for an address without this method, where an account has a password or a token"

// maxMethodLength is the maximum length in bytes of a login method in a text. Longer names come
// from a broken server.
const maxMethodLength = 20

// methodPattern finds the methods in the header WWW-Authenticate (RFC 9110, section 11.6.1): a word
// at the beginning of a challenge that no "=" follows. Quoted strings must be removed before.
var methodPattern = regexp.MustCompile(`(?:^|,)[ \t]*([A-Za-z][-A-Za-z0-9]*)(?:[ \t]+[^= \t]|[ \t]*(?:,|$))`)

var quotedPattern = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// Challenge names the login methods that the header WWW-Authenticate of a response with the status
// 401 asks for, such as "the server asks for the login Negotiate (Kerberos), which wallboard does
// not support". It returns "" for other responses, without the header, and if the server also
// accepts Basic or Bearer.
func Challenge(status int, h http.Header) string {
	if status != http.StatusUnauthorized {
		return ""
	}
	var methods []string
	for _, value := range h.Values("WWW-Authenticate") {
		for _, challenge := range strings.Split(quotedPattern.ReplaceAllString(value, "x"), ",") {
			match := methodPattern.FindStringSubmatch(challenge)
			if match == nil || len(match[1]) > maxMethodLength {
				continue
			}
			method := match[1]
			switch strings.ToLower(method) {
			case "basic", "bearer":
				return ""
			case "negotiate":
				method = "Negotiate (Kerberos)"
			case "ntlm":
				method = "NTLM (Windows)"
			}
			if !slices.Contains(methods, method) {
				methods = append(methods, method)
			}
		}
	}
	if methods == nil {
		return ""
	}
	return "the server asks for the login " + strings.Join(methods[:min(len(methods), 4)], " or ") + ", " + UnsupportedLogin
}
