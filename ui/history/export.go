package history

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"wallboard/model"
	"wallboard/model/past"
)

// sheet is what a view shows as a table, for other programs.
type sheet struct {
	name  string // of the file, without its end
	head  []string
	rows  [][]string
	value any // the same for JSON
}

// csv is the sheet as a file of comma-separated values.
func (s *sheet) csv() ([]byte, error) {
	var data bytes.Buffer
	err := past.WriteCSV(&data, s.head, s.rows)
	return data.Bytes(), err
}

// json is the sheet as a JSON file.
func (s *sheet) json() ([]byte, error) {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetIndent("", "  ")
	err := enc.Encode(s.value)
	return data.Bytes(), err
}

// fileKind is a kind of contact as a part of a file's name.
func fileKind(k past.Kind) string { return strings.ReplaceAll(k.String(), " ", "-") }

// partOf marks the name of a file that does not hold all there is.
func partOf(s *model.Short) string {
	if s == nil {
		return ""
	}
	return "-part"
}

// fileWord is a text as a part of a file's name.
func fileWord(text string) string {
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
