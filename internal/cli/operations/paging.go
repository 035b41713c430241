package operations

import (
	"github.com/spf13/pflag"

	"wallboard/model"
	"wallboard/restclient"
)

// paging holds the flags of a paged search. If no flag is set, all pages are read.
type paging struct{ number, size int }

func (p *paging) addFlags(fs *pflag.FlagSet) {
	fs.IntVar(&p.number, "page", 0, "read only this page, from 1")
	fs.IntVar(&p.size, "page-size", 0, "size of a page")
}

// isSinglePage reports whether the flags select a single page.
func (p *paging) isSinglePage() bool { return *p != paging{} }

func (p *paging) pageRequest() restclient.Page {
	return restclient.Page{Number: p.number, Size: p.size}
}

// incompleteHint is a sentence that tells the user how to get the missing part of a list.
type incompleteHint string

// Hints for incomplete lists.
const (
	hintUseAll    incompleteHint = "--all reads all of them"
	hintOmitPages incompleteHint = "Without --page and --page-size all of them are read"
	hintOmitSize  incompleteHint = "Without --index and --size all of them are read"
	hintOmitLimit incompleteHint = "Without --limit all of them are read"
	hintRunAgain  incompleteHint = "Run the command again"
)

// hintFor returns hint if a single page was requested, and otherwise hintRunAgain.
func hintFor(onePage bool, hint incompleteHint) incompleteHint {
	if onePage {
		return hint
	}
	return hintRunAgain
}

// incompleteText returns a note that a list is incomplete, followed by hint. It returns "" if
// the list is complete.
func incompleteText(s *model.Incomplete, hint incompleteHint) string {
	if s == nil {
		return ""
	}
	return s.String() + ". " + string(hint) + "."
}
