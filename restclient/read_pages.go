package restclient

import (
	"iter"

	"wallboard/model"
)

// nextRow returns a page with a single row: the row after the page p, which has the given number of
// rows. The bool result is false if the position of the row is unknown, because the platform chooses
// the page size.
func nextRow(p Page, rows int) (Page, bool) {
	if p.Number > 1 && p.Size == 0 {
		return Page{}, false
	}
	return Page{Number: max(p.Number-1, 0)*p.Size + rows + 1, Size: 1}, true
}

// ReadPages reads the page p with fetch if onePage is true, otherwise all rows of the sequence
// all. If the platform does not report the total, ReadPages requests the row after the page to
// find out whether it is the last page.
func ReadPages[T any](onePage bool, p Page, fetch func(Page) (Result[T], error), all iter.Seq2[T, error]) (model.FetchedList[T], error) {
	return ReadPaged(onePage, func() (Result[T], error) { return fetch(p) }, func(rows int) (Result[T], bool) {
		nextPage, known := nextRow(p, rows)
		if !known {
			return Result[T]{}, false
		}
		next, err := fetch(nextPage)
		return next, err == nil
	}, all)
}

// ReadPaged is like [ReadPages], but for other kinds of paging. next reads the row that
// follows the given number of rows; it returns false if it cannot. next may be nil.
func ReadPaged[T any](
	onePage bool, page func() (Result[T], error), next func(rows int) (Result[T], bool), all iter.Seq2[T, error],
) (model.FetchedList[T], error) {
	if !onePage {
		return model.Collect(all)
	}
	r, err := page()
	found := r.FetchedList()
	if err != nil || next == nil || found.Short == nil || found.Short.Total >= 0 {
		return found, err
	}
	if after, ok := next(found.Short.Got); ok {
		found = r.FetchedListBefore(after)
	}
	return found, nil
}
