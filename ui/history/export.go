package history

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"wallboard/model"
	"wallboard/model/contact"
)

// exportTable is the content of a view as a table that can be saved to a file.
type exportTable struct {
	name      string // file name without its extension
	header    []string
	rows      [][]string
	jsonValue any // the content to encode as JSON
}

func (s *exportTable) csv() ([]byte, error) {
	var data bytes.Buffer
	err := contact.WriteCSV(&data, s.header, s.rows)
	return data.Bytes(), err
}

// json encodes the table as indented JSON.
func (s *exportTable) json() ([]byte, error) {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetIndent("", "  ")
	err := enc.Encode(s.jsonValue)
	return data.Bytes(), err
}

// kindFileName returns the name of a kind of contact without spaces, for use in a file name.
func kindFileName(k contact.Kind) string { return strings.ReplaceAll(k.String(), " ", "-") }

// incompleteSuffix returns the file name suffix for an incomplete result. It returns "" if s is
// nil.
func incompleteSuffix(s *model.Incomplete) string {
	if s == nil {
		return ""
	}
	return "-part"
}

// safeFileName returns text in a form that is safe and short enough for a file name.
func safeFileName(text string) string {
	const longest = 80
	if len(text) > longest {
		text = text[:longest]
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, text)
}
