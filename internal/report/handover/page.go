package handover

import (
	"strings"
	"unicode/utf8"

	"wallboard/internal/words"
)

// Size of the first page of a report, in lines and in characters per line. It fits on a sheet of A4 with 98
// characters per line, because lines break between words.
const (
	pageLines = 60
	pageWidth = 94
)

// section is a part of a report. Its entries are divided between the first page and the appendix.
type section struct {
	title   words.Text
	head    []string // lines above the entries, on both pages for a table
	entries []string // items of a list or rows of a table
	shown   int      // number of entries on the first page
	isBlock bool     // the section has no entries, and moves to the appendix if it does not fit
}

// pages divides the sections of a report between its first page and the appendix.
type pages struct{ report *writer }

// newBlock returns a section with the text that write writes.
func (p pages) newBlock(title words.Text, write func(*writer)) section {
	w := p.report
	start := w.out.Len()
	write(w)
	text := strings.TrimSuffix(string(w.out.Bytes()[start:]), "\n")
	w.out.Truncate(start)
	s := section{title: title, isBlock: true}
	if text != "" {
		s.head = strings.Split(text, "\n")
	}
	return s
}

// newList returns a section with the list or table that write writes.
func (p pages) newList(title words.Text, write func(*writer)) section {
	s := p.newBlock(title, write)
	s.isBlock = false
	for i, line := range s.head {
		if strings.HasPrefix(line, "- ") {
			s.head, s.entries = s.head[:i], s.head[i:]
			break
		}
		if strings.HasPrefix(line, "|---") {
			s.head, s.entries = s.head[:i+1], s.head[i+1:]
			break
		}
	}
	return s
}

// tableHead returns the lines that begin a table: the last two of s.head, or none for a list.
func (s *section) tableHead() []string {
	if n := len(s.head); n > 0 && strings.HasPrefix(s.head[n-1], "|---") {
		return s.head[n-2:]
	}
	return nil
}

// printedLines returns the number of lines that lines of Markdown take on a page.
func printedLines(lines ...string) (n int) {
	for _, line := range lines {
		n += max((utf8.RuneCountInString(line)+pageWidth-1)/pageWidth, 1)
	}
	return n
}

// write writes the sections: on the first page as many entries of each as fit, in turns, and all
// others in an appendix. The first section comes before the others.
func (p pages) write(sections []section) {
	w := p.report
	const heading = 2 // lines: the title and the blank line above it
	free := pageLines - printedLines(strings.Split(w.out.String(), "\n")...)
	for i := range sections {
		if s := &sections[i]; !s.isBlock && len(s.head)+len(s.entries) > 0 {
			free -= heading + printedLines(s.head...)
		}
	}
	add := func(s *section) bool {
		if s.shown == len(s.entries) {
			return false
		}
		n := printedLines(s.entries[s.shown])
		if n > free {
			return false
		}
		free, s.shown = free-n, s.shown+1
		return true
	}
	isAdded := true
	for reserve := free / 2; isAdded && free > reserve; {
		isAdded = add(&sections[0])
	}
	for isAdded = true; isAdded; {
		isAdded = false
		for i := range sections {
			isAdded = add(&sections[i]) || isAdded
		}
	}
	var appendix []section
	for _, s := range sections {
		switch n := heading + printedLines(s.head...); {
		case len(s.head)+len(s.entries) == 0:
		case s.isBlock && n > free:
			appendix = append(appendix, s)
		case s.isBlock:
			free -= n
			p.writePart(s.title, s.head, nil)
		case s.shown == len(s.entries):
			p.writePart(s.title, s.head, s.entries)
		default:
			p.writePart(words.HandoverPartOf(s.title, s.shown, len(s.entries)), s.head, s.entries[:s.shown])
			appendix = append(appendix, section{title: words.HandoverContinued(s.title), head: s.tableHead(), entries: s.entries[s.shown:]})
		}
	}
	if len(appendix) > 0 {
		w.writeText("\n# ", words.HandoverAppendix())
	}
	for _, s := range appendix {
		p.writePart(s.title, s.head, s.entries)
	}
}

// writePart writes lines under a heading.
func (p pages) writePart(title words.Text, head, entries []string) {
	w := p.report
	w.writeSection(title)
	for _, lines := range [][]string{head, entries} {
		for _, line := range lines {
			w.writeLine("%s", line)
		}
	}
}
