package restclient

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"

	"wallboard/model"
	"wallboard/secret"
)

const maxExcerpt = 200 // runes

var (
	exceptionPattern = regexp.MustCompile(`\b[A-Za-z]{1,80}Exception\b`)
	// Scripts and styles with what is in them, comments, and every other tag.
	tagPattern = regexp.MustCompile(`(?is)<script.*?</script>|<style.*?</style>|<!--.*?-->|<[^>]*>`)
)

// documentedExceptions are those of document 1, section Errors.
var documentedExceptions = []string{
	"AuthorizationRequiredException", "GenericObjectWasNotFoundException", "InvalidArgumentException",
	"GenericObjectExistsException", "GenericObjectRequiredException", dialFailedException,
	"OperationIsNotAllowedToUserProfileException", "RecordingException",
}

// exceptionIn finds the exception that the body of an error names, whatever
// its shape, which is not shown. A documented one goes before those that a
// stack trace names besides.
func exceptionIn(body []byte) string {
	names := exceptionPattern.FindAllString(string(body), -1)
	for _, n := range names {
		if slices.Contains(documentedExceptions, n) {
			return n
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// excerpt is the beginning of what the body of an error says, on one line.
func excerpt(body string, secrets ...string) string {
	// Before tags are taken out, which tears a secret that looks like one, and
	// again after all else that may bring one to light.
	text := secret.Redact(strings.TrimSpace(body), secrets...)
	if said, ok := message([]byte(text)); ok {
		text = said
	} else if strings.HasPrefix(text, "<") {
		text = tagPattern.ReplaceAllString(text, " ")
	}
	text = secret.Redact(html.UnescapeString(text), secrets...)
	return model.CleanText(strings.Join(strings.Fields(text), " "), maxExcerpt)
}

// message returns the text of a JSON body: itself, or the member of an object
// that is usually meant for people.
func message(body []byte) (string, bool) {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case map[string]any:
		for _, key := range []string{"message", "errorMessage", "error_description", "description", "detail", "error"} {
			if s, ok := v[key].(string); ok && s != "" {
				return s, true
			}
		}
	}
	return "", false
}
