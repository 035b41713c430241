package restclient

import (
	"html"
	"slices"
	"strings"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

const maxExcerpt = 200 // runes

// maxExaminedBytes is the size of the part of an error's body that excerpts are taken from. The
// body is cut at maxErrorBody, which may split a secret. A split secret is not recognized, but it
// lies beyond maxExaminedBytes and so is not in an excerpt.
const maxExaminedBytes = maxErrorBody - 16<<10

const exceptionSuffix = "Exception"

// documentedExceptions lists the exceptions of document 1, section Errors.
var documentedExceptions = []string{
	"AuthorizationRequiredException", "GenericObjectWasNotFoundException", "InvalidArgumentException",
	"GenericObjectExistsException", "GenericObjectRequiredException", dialFailedException,
	"OperationIsNotAllowedToUserProfileException", "RecordingException",
}

// exceptionIn returns the name of the exception in the body of an error, or "". The format of
// the body is not documented. If the body contains several names, as in a stack trace,
// exceptionIn returns a documented exception, or else the first name.
func exceptionIn(body []byte) string {
	first := ""
	for word := range strings.FieldsFuncSeq(string(body), func(r rune) bool { return !isWordRune(r) }) {
		switch {
		case !isException(word):
		case slices.Contains(documentedExceptions, word):
			return word
		case first == "":
			first = word
		}
	}
	return first
}

func isWordRune(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' || r == '_' }

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80 }

// isException reports whether a word may be the name of an exception.
func isException(word string) bool {
	const longest = 89 // the documented ones are less than half as long
	return len(word) > len(exceptionSuffix) && len(word) <= longest && strings.HasSuffix(word, exceptionSuffix) &&
		!strings.ContainsFunc(word, func(r rune) bool { return !isLetter(r) })
}

// excerpt returns the beginning of the text in an error's body, on a single line and without
// the secrets.
func excerpt(body string, secrets ...string) string {
	// Redact the secrets twice: before parsing, which could split a secret that looks like markup,
	// and after all transformations, which could make a secret appear.
	text := secret.Redact(body, secrets...)
	text = strings.TrimSpace(text[:min(len(text), maxExaminedBytes)])
	if strings.HasPrefix(text, "<") {
		text = textnorm.FromHTML(text)
	} else {
		text = html.UnescapeString(messagesInJSON(text))
	}
	text = secret.Redact(text, secrets...)
	return model.CleanText(strings.Join(strings.Fields(text), " "), maxExcerpt)
}

// UserMessage returns the platform's explanation for users. It returns "" if there is no
// explanation or if it is meant for programs. The explanation may repeat parts of the request,
// so it may be shown but not logged.
func (e *Error) UserMessage() string {
	words := e.Excerpt
	if first, rest, found := strings.Cut(words, ":"); found && !strings.Contains(first, " ") && isException(first[strings.LastIndexByte(first, '.')+1:]) {
		words = strings.TrimSpace(rest)
	}
	if before, _, trace := strings.Cut(words, " at "); trace && strings.Contains(words, ".java:") {
		words = before
	}
	if words == "" || strings.ContainsAny(words[:1], "<{[") || isException(words[strings.LastIndexByte(words, '.')+1:]) {
		return ""
	}
	return words
}
