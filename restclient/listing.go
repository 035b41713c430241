package restclient

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"wallboard/model"
	"wallboard/model/resource"
)

// listing is a list in an answer before its rows are decoded.
type listing struct {
	rows  []json.RawMessage
	total int // number of items on all pages; -1 if unknown
	// isWholeAnswer means that the single row is the answer itself and not an element of a list.
	isWholeAnswer bool
}

// Names of the members that hold rows and totals, ordered by priority, from SearchResult and
// TemplatesInformation of document 1.
var (
	rowMembers   = []string{"result", "data"}
	totalMembers = []string{"tot", "total"}
	// ticketMembers are the members by which a ticket search result is recognized.
	ticketMembers = []string{"article", "article_count", "article_ids", "articles"}
)

// readListing parses an answer that is a list. It accepts all formats that document 1 shows
// for an operation: an array, {result, tot}, {data, total}, and a ticket search result. Any
// other answer is a [ShapeError] and not an empty list.
func readListing(body []byte) (listing, error) { return parseListing(body, true) }

// parseListing parses a list. outer is true for the whole answer, and false for a list nested
// in the member result or data.
func parseListing(body []byte, outer bool) (listing, error) {
	body = bytes.TrimSpace(body)
	if rows, ok := parseArray(body); ok {
		return listing{rows: rows, total: -1}, nil
	}
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(body, []byte("{")) || json.Unmarshal(body, &members) != nil {
		return listing{}, newShapeError(body)
	}
	l := listing{total: -1}
	for _, name := range totalMembers {
		if n, ok := parseCount(members[name]); ok && l.total < 0 {
			l.total = n
		}
	}
	for _, name := range rowMembers {
		value, given := members[name]
		rows, ok := parseArray(value)
		switch {
		case ok:
			l.rows = rows
			return l, nil
		case !given || string(value) == "null":
			continue
		case outer && value[0] == '{':
			if inner, err := parseListing(value, false); err == nil {
				inner.total = max(inner.total, l.total)
				return inner, nil
			}
		}
		return listing{}, newShapeError(body)
	}
	if isTicket(members) {
		return listing{rows: []json.RawMessage{body}, total: l.total, isWholeAnswer: true}, nil
	}
	if l.total < 0 {
		return listing{}, newShapeError(body) // a missing list means an empty one only if there is a total
	}
	return l, nil
}

func isTicket(members map[string]json.RawMessage) bool {
	return slices.ContainsFunc(ticketMembers, func(name string) bool { _, ok := members[name]; return ok })
}

// parseArray returns the elements of a JSON array. ok is false if raw is not an array.
func parseArray(raw []byte) (rows []json.RawMessage, ok bool) {
	if !bytes.HasPrefix(raw, []byte("[")) || json.Unmarshal(raw, &rows) != nil {
		return nil, false
	}
	return rows, true
}

// parseCount parses a count, with or without quotes. The bool result is false if raw is not a
// whole number from 0 to the maximum of int32.
func parseCount(raw json.RawMessage) (int, bool) {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil || n < 0 || n > math.MaxInt32 || n != math.Trunc(n) {
		return 0, false
	}
	return int(n), true
}

// ShapeError means that an answer is not a list in a documented format. It matches [ErrInvalidAnswer]
// in errors.Is.
type ShapeError struct {
	Received string // description of the answer: the kinds and names of its members, without values; clean
}

// Error returns a sentence for users without a full stop.
func (e *ShapeError) Error() string {
	return "the answer is not a list in a documented format: it is" + e.Received
}

// Is reports whether target is [ErrInvalidAnswer].
func (*ShapeError) Is(target error) bool { return target == ErrInvalidAnswer }

// newShapeError returns a [ShapeError] that describes the answer in body.
func newShapeError(body []byte) error {
	return &ShapeError{Received: model.CleanText(describeShape(body), model.MaxName)}
}

const maxNamedMembers = 8 // maximum number of named members

func describeShape(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "empty"
	}
	switch raw[0] {
	case '[':
		if rows, ok := parseArray(raw); ok {
			return fmt.Sprintf("a list of %d", len(rows))
		}
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil {
			break
		}
		var parts []string
		for name, value := range members {
			kind := describeKind(value)
			if rows, ok := parseArray(value); ok {
				kind = fmt.Sprintf("a list of %d", len(rows))
			}
			parts = append(parts, fmt.Sprintf("%q (%s)", model.CleanText(name, model.MaxName), kind))
		}
		slices.Sort(parts)
		if len(parts) == 0 {
			return "an object without members"
		}
		if n := len(parts); n > maxNamedMembers {
			parts = append(parts[:maxNamedMembers], fmt.Sprintf("and %d more", n-maxNamedMembers))
		}
		return "an object with " + strings.Join(parts, ", ")
	default:
		if json.Valid(raw) {
			return describeKind(raw)
		}
	}
	return "not JSON"
}

func describeKind(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}

// Result is a page of results.
type Result[T any] struct {
	Items []T
	Total int // number of items on all pages; -1 if the platform does not say

	rowCount    int               // number of rows in this page, in the unit of Total
	ticketCount int               // number of tickets that the articles of a [ticketPage] belong to; 0 for a list
	rows        []rowIdentity     // identities of Items
	hash        [sha256.Size]byte // hash of the received rows
}

// rowIdentity identifies an item by its ID and its received content.
type rowIdentity struct {
	id   string // "" if it has none
	hash [sha256.Size]byte
}

func (r *Result[T]) decode(body []byte) error {
	l, err := readListing(body)
	if err != nil {
		return err
	}
	*r = Result[T]{Total: l.total, rowCount: len(l.rows)}
	if l.rows != nil {
		r.Items = make([]T, len(l.rows))
	}
	all := sha256.New()
	for i, raw := range l.rows {
		if err := json.Unmarshal(raw, &r.Items[i]); err != nil {
			return fmt.Errorf("list row: %w", err)
		}
		one := rowIdentity{hash: sha256.Sum256(raw)}
		if k, ok := any(r.Items[i]).(resource.Row); ok {
			one.id = k.Key()
		}
		r.rows = append(r.rows, one)
		_, _ = all.Write(one.hash[:]) // writing to a hash never fails
	}
	copy(r.hash[:], all.Sum(nil))
	return nil
}

// FetchedList returns the items of the page. It sets Short if there are more items, or if there may
// be more because the platform reports no total.
func (r Result[T]) FetchedList() model.FetchedList[T] {
	f := model.FetchedList[T]{Items: r.Items}
	if r.Total > r.rowCount || r.Total < 0 && r.rowCount > 0 {
		f.Short = &model.Incomplete{Got: r.rowCount, Total: r.Total}
	}
	return f
}

// FetchedListBefore is like [Result.FetchedList], but also decides whether a page without a total is
// complete. next is the answer to a request for the single row after the page. If next has
// several rows, or a row of this page, the platform ignores the paging parameters, and it
// remains unknown whether the page is complete.
func (r Result[T]) FetchedListBefore(next Result[T]) model.FetchedList[T] {
	f := r.FetchedList()
	switch {
	case f.Short == nil || f.Short.Total >= 0 || len(next.rows) > 1:
	case len(next.rows) == 0:
		f.Short = nil
	case !slices.ContainsFunc(r.rows, func(shown rowIdentity) bool { return shown == next.rows[0] }):
		f.Short.More = true
	}
	return f
}

// listAnswer decodes an answer that is a complete list and not a page of a list.
type listAnswer[T any] struct{ list []T }

func (a *listAnswer[T]) decode(body []byte) error {
	var page Result[T]
	if err := page.decode(body); err != nil {
		return err
	}
	if page.Total > len(page.Items) {
		return errors.New("the list is incomplete")
	}
	a.list = page.Items
	if a.list == nil {
		a.list = []T{}
	}
	return nil
}
