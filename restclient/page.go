package restclient

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"
	"strings"
)

// Page is a part of a result. What is 0 is not given, and the platform decides.
type Page struct {
	Number int // from 1
	Size   int
}

func (p Page) query() url.Values {
	q := url.Values{}
	if p.Number != 0 {
		q.Set("pageNumber", strconv.Itoa(p.Number))
	}
	if p.Size != 0 {
		q.Set("pageSize", strconv.Itoa(p.Size))
	}
	return q
}

// Result is one page of what was found (document 1, section Resources and
// their fields).
type Result[T any] struct {
	Items []T
	Total int // of all pages; -1 when the platform did not say

	sum [sha256.Size]byte // of the items as they came
}

func (r *Result[T]) decode(body []byte) error {
	var answer struct {
		Result json.RawMessage `json:"result"`
		Tot    json.RawMessage `json:"tot"`
	}
	if err := decodeObject(body, &answer); err != nil {
		return err
	}
	*r = Result[T]{Total: -1, sum: sha256.Sum256(answer.Result)}
	if answer.Result != nil {
		if err := json.Unmarshal(answer.Result, &r.Items); err != nil {
			return fmt.Errorf("the result of the page: %w", err)
		}
	}
	if n, err := strconv.Atoi(strings.Trim(string(answer.Tot), `"`)); err == nil && n >= 0 {
		r.Total = n
	}
	if r.Items == nil && r.Total < 0 {
		return errors.New("it tells of no result") // which is not that there is none
	}
	return nil
}

// The size of the pages that the iterators ask for (document 1 shows no
// maximum), and how many of them are read before something must be wrong.
const (
	pageSize = 100
	maxPages = 1000
)

// pages returns the items of all pages, in order. It ends at the total that the
// platform tells, at an empty page and at one that came before: a platform that
// does not know the parameters returns the same for ever. When the total shows
// that items are missing then, the last pair is an error.
func pages[T any](op string, fetch func(Page) (Result[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		seen := map[[sha256.Size]byte]bool{}
		count := 0
		for n := 1; n <= maxPages; n++ {
			page, err := fetch(Page{Number: n, Size: pageSize})
			switch {
			case err != nil:
				yield(none, err)
				return
			case len(page.Items) == 0 && count < page.Total:
				yield(none, incomplete(op, count, page.Total))
				return
			case len(page.Items) == 0:
				return
			case seen[page.sum] && count < page.Total:
				yield(none, incomplete(op, count, page.Total))
				return
			case seen[page.sum]:
				return
			}
			seen[page.sum] = true
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if count += len(page.Items); page.Total >= 0 && count >= page.Total {
				return
			}
		}
		yield(none, &Error{Operation: op, Err: fmt.Errorf("%w: more than %d pages", ErrTooLarge, maxPages)})
	}
}

func incomplete(op string, got, total int) error {
	return &Error{Operation: op, Err: fmt.Errorf("%w: only %d of %d came", ErrAnswer, got, total)}
}

// whole returns what was found as one page, for operations with an index of
// which document 1 does not show what it counts: when not all came, it asks
// again for a page that is as large as the total.
func whole[T any](op string, fetch func(size int) (Result[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		found, err := fetch(pageSize)
		if err == nil && len(found.Items) < found.Total {
			found, err = fetch(min(found.Total, maxPages*pageSize))
		}
		if err != nil {
			yield(none, err)
			return
		}
		for _, item := range found.Items {
			if !yield(item, nil) {
				return
			}
		}
		if len(found.Items) < found.Total {
			yield(none, incomplete(op, len(found.Items), found.Total))
		}
	}
}
