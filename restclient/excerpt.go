package restclient

import (
	"html"
	"slices"
	"strings"

	"wallboard/internal/htmltext"
	"wallboard/model"
	"wallboard/secret"
)

const maxExcerpt = 200 // runes

// maxRead is how much of the body of an error is looked at for its words, in
// bytes. It is less than maxErrorBody by more than a secret is long: one that
// was cut in two cannot be found, and must not be shown.
const maxRead = maxErrorBody - 16<<10

const exceptionSuffix = "Exception"

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
	first := ""
	for word := range strings.FieldsFuncSeq(string(body), func(r rune) bool { return !isWord(r) }) {
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

func isWord(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' || r == '_' }

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80 }

// isException reports whether a word is the name of an exception.
func isException(word string) bool {
	const longest = 89 // no documented one is half as long
	return len(word) > len(exceptionSuffix) && len(word) <= longest && strings.HasSuffix(word, exceptionSuffix) &&
		!strings.ContainsFunc(word, func(r rune) bool { return !isLetter(r) })
}

// excerpt is the beginning of what the body of an error says, on one line.
func excerpt(body string, secrets ...string) string {
	// Before it is read, which tears a secret that looks like markup, and again
	// after all else that may bring one to light.
	text := secret.Redact(body, secrets...)
	text = strings.TrimSpace(text[:min(len(text), maxRead)])
	if strings.HasPrefix(text, "<") {
		text = htmltext.Text(text)
	} else {
		text = html.UnescapeString(inJSON(text))
	}
	text = secret.Redact(text, secrets...)
	return model.CleanText(strings.Join(strings.Fields(text), " "), maxExcerpt)
}

// Words are what the platform says for people about why it refused something,
// "" where it says nothing or only for programs. They may repeat what the
// request said: show them, do not log them.
func (e *Error) Words() string {
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
