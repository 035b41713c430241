package operations

import (
	"iter"

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

func (p *paging) restPage() restclient.Page {
	return restclient.Page{Number: p.number, Size: p.size}
}

// nextRow returns a page with a single row: the row that follows the first rows rows of p. The
// bool result is false if the position of the row is unknown, because the platform chooses the
// page size.
func nextRow(p restclient.Page, rows int) (restclient.Page, bool) {
	if p.Number > 1 && p.Size == 0 {
		return restclient.Page{}, false
	}
	return restclient.Page{Number: max(p.Number-1, 0)*p.Size + rows + 1, Size: 1}, true
}

// readPages reads the page p with fetch if onePage is true, otherwise all rows of the sequence
// all. If the platform does not report the total, readPages requests the row after the page to
// find out whether it is the last page.
func readPages[T any](onePage bool, p restclient.Page, fetch func(restclient.Page) (restclient.Result[T], error), all iter.Seq2[T, error]) (model.Found[T], error) {
	return readPaged(onePage, func() (restclient.Result[T], error) { return fetch(p) }, func(rows int) (restclient.Result[T], bool) {
		nextPage, known := nextRow(p, rows)
		if !known {
			return restclient.Result[T]{}, false
		}
		next, err := fetch(nextPage)
		return next, err == nil
	}, all)
}

// readPaged is like [readPages], but for other kinds of paging. next reads the row that
// follows the given number of rows; it returns false if it cannot. next may be nil.
func readPaged[T any](
	onePage bool, page func() (restclient.Result[T], error), next func(rows int) (restclient.Result[T], bool), all iter.Seq2[T, error],
) (model.Found[T], error) {
	if !onePage {
		return model.Collect(all)
	}
	r, err := page()
	found := r.Found()
	if err != nil || next == nil || found.Short == nil || found.Short.Total >= 0 {
		return found, err
	}
	if after, ok := next(found.Short.Got); ok {
		found = r.FoundGivenNext(after)
	}
	return found, nil
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
