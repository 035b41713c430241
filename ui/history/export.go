package history

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"wallboard/model"
	"wallboard/model/contact"
)

// exportTable is the content of a view in the form of a table that can be saved to a file.
type exportTable struct {
	name      string // file name without its extension
	header    []string
	rows      [][]string
	jsonValue any // the content that is encoded as JSON
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

// kindFileName returns the name of a kind of contact without blanks, for use in a file name.
func kindFileName(k contact.Kind) string { return strings.ReplaceAll(k.String(), " ", "-") }

// incompleteSuffix returns the suffix for the name of a file with an incomplete result. It returns
// "" if s is nil.
func incompleteSuffix(s *model.Incomplete) string {
	if s == nil {
		return ""
	}
	return "-part"
}

// safeFileName returns text in a form that is short enough and safe for a file name.
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
