package netconn

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// UnsupportedLogin is a phrase in each result of [Challenge].
const UnsupportedLogin = "which wallboard does not support"

// UnsupportedLoginRemedy is the remedy for the problem that [Challenge] describes.
const UnsupportedLoginRemedy = "ask the platform's administrator for an address without this method, where an account has a password or a token"

// unsupportedMethods maps the login methods that wallboard does not support, in lower case, to
// their display names.
var unsupportedMethods = map[string]string{"negotiate": "Negotiate (Kerberos)", "ntlm": "NTLM (Windows)", "digest": "Digest"}

// methodPattern finds the methods in the header WWW-Authenticate (RFC 9110, section 11.6.1): a word
// at the beginning of a challenge that no "=" follows. Quoted strings must be removed before.
var methodPattern = regexp.MustCompile(`(?:^|,)[ \t]*([A-Za-z][-A-Za-z0-9]*)(?:[ \t]+[^= \t]|[ \t]*(?:,|$))`)

var quotedPattern = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// Challenge names the login methods that the header WWW-Authenticate of a response with the status
// 401 asks for, such as "the server asks for the login Negotiate (Kerberos), which wallboard does
// not support". It returns "" for other responses, and unless all methods in the header are
// [unsupportedMethods]. Some servers answer a wrong password with a method such as xBasic, so that
// browsers do not ask for a password.
func Challenge(status int, h http.Header) string {
	if status != http.StatusUnauthorized {
		return ""
	}
	var methods []string
	for _, value := range h.Values("WWW-Authenticate") {
		for _, challenge := range strings.Split(quotedPattern.ReplaceAllString(value, "x"), ",") {
			match := methodPattern.FindStringSubmatch(challenge)
			if match == nil {
				continue
			}
			method := unsupportedMethods[strings.ToLower(match[1])]
			if method == "" { // Basic, Bearer, or a name that the server made up
				return ""
			}
			if !slices.Contains(methods, method) {
				methods = append(methods, method)
			}
		}
	}
	if methods == nil {
		return ""
	}
	return "the server asks for the login " + strings.Join(methods, " or ") + ", " + UnsupportedLogin
}
