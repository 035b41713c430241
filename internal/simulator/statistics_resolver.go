package simulator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/internal/simulator/world"
)

// queries resolves the operations of document 3.
type queries struct{ s *StatisticsService }

type (
	idArgs    struct{ ID string }
	uuidArgs  struct{ UUID string }
	callArgs  struct{ Search callSearch }
	groupArgs struct {
		GroupBy string
		Search  callSearch
	}
	callSearch struct {
		Year, Month *int32
		Pagination  *pagination
		Sorting     *sorting
		StartTime   *timeFilter
	}
	pagination struct{ Limit, Offset *int32 }
	sorting    struct{ Key, Direction string }
	timeFilter struct {
		Operator                     string
		Value, ValueLeft, ValueRight *string
	}
)

// stepView is a step of a contact in the format of document 3.
type stepView struct {
	ID        *string
	Step      *int32
	StartTime *string
	EndTime   *string
}

// formatTime returns a time as ISO 8601 in UTC.
func formatTime(t time.Time) *string { return new(t.UTC().Format("2006-01-02T15:04:05.000Z")) }

func newStepViews(c world.FinishedContact) []stepView {
	steps := make([]stepView, len(c.Steps))
	for i, s := range c.Steps {
		steps[i] = stepView{new(c.ID), new(int32(i + 1)), formatTime(s.Start), formatTime(s.End)}
	}
	return steps
}

// timeRange returns the time range [from, to) of a search: the requested month or, if the
// search limits the start time, the part of the month within the limits.
func (c callSearch) timeRange() (from, to time.Time, err error) {
	if c.Year == nil || c.Month == nil {
		return from, to, errors.New("year and month are required")
	}
	if *c.Month < 1 || *c.Month > 12 || *c.Year < 1970 || *c.Year > 9999 {
		return from, to, fmt.Errorf("invalid month %d of year %d", *c.Month, *c.Year)
	}
	from = time.Date(int(*c.Year), time.Month(*c.Month), 1, 0, 0, 0, 0, time.UTC)
	to = from.AddDate(0, 1, 0)
	if f := c.StartTime; f != nil {
		if f.Operator != "BETWEEN" || f.ValueLeft == nil || f.ValueRight == nil {
			return from, to, errors.New("startTime: want BETWEEN with valueLeft and valueRight")
		}
		first, err := time.Parse(time.RFC3339Nano, *f.ValueLeft)
		if err != nil {
			return from, to, errors.New("startTime: valueLeft is not a time")
		}
		last, err := time.Parse(time.RFC3339Nano, *f.ValueRight)
		if err != nil {
			return from, to, errors.New("startTime: valueRight is not a time")
		}
		if first.After(from) {
			from = first
		}
		if last = last.Add(time.Millisecond); last.Before(to) { // the range includes both ends
			to = last
		}
	}
	return from, to, nil
}

// bounds returns the range [from, to) of the page in a list of n elements.
func (p *pagination) bounds(n int) (from, to int, err error) {
	switch {
	case p == nil || p.Limit == nil || p.Offset == nil:
		return 0, 0, errors.New("pagination with limit and offset is required")
	case *p.Limit < 1 || *p.Limit > 1000:
		return 0, 0, errors.New("pagination.limit must be from 1 to 1000")
	case *p.Offset < 0:
		return 0, 0, errors.New("pagination.offset must not be negative")
	}
	from = min(int(*p.Offset), n)
	return from, min(from+int(*p.Limit), n), nil
}

// pageBounds is like [pagination.bounds], but also limits the page to MaxRows.
func (q *queries) pageBounds(p *pagination, n int) (from, to int, err error) {
	from, to, err = p.bounds(n)
	if limit := q.s.opts.MaxRows; limit > 0 {
		to = min(to, from+limit)
	}
	return from, to, err
}

// finishedContacts returns the finished contacts of a kind that began in [from, to): those in
// the archive, and those that ended in the world.
func (q *queries) finishedContacts(kind world.ContactKind, from, to time.Time) []world.FinishedContact {
	calls := q.s.platform.Archive.Contacts(kind, from, to)
	_ = q.s.platform.World.Read(func(w *world.World) error {
		calls = append(calls, w.FinishedContacts().Ended(kind, from, to)...)
		return nil
	})
	return calls
}

func (q *queries) contactPage(kind world.ContactKind, search callSearch) ([]world.FinishedContact, error) {
	from, to, err := search.timeRange()
	if err != nil {
		return nil, err
	}
	calls := q.finishedContacts(kind, from, to)
	if search.Sorting != nil && search.Sorting.Key == "ID" {
		calls = slices.SortedFunc(slices.Values(calls), func(a, b world.FinishedContact) int { return strings.Compare(a.ID, b.ID) })
	}
	calls = calls[min(q.s.platform.REST.Faults().NextMissingRows(), len(calls)):]
	i, j, err := q.pageBounds(search.Pagination, len(calls))
	if err != nil {
		return nil, err
	}
	return calls[i:j], nil
}

func (q *queries) callViews(kind world.ContactKind, search callSearch) (*[][]stepView, error) {
	calls, err := q.contactPage(kind, search)
	if err != nil {
		return nil, err
	}
	views := make([][]stepView, len(calls))
	for i, c := range calls {
		views[i] = newStepViews(c)
	}
	return &views, nil
}

// findContact returns the contact of the given kind and ID, or false if there is none. The ID
// begins with the Unix time, in seconds, at which the contact started.
func (q *queries) findContact(kind world.ContactKind, id string) (world.FinishedContact, bool) {
	var second int64
	if _, err := fmt.Sscanf(id, "%d.", &second); err != nil {
		return world.FinishedContact{}, false
	}
	start := time.Unix(second, 0)
	calls := q.finishedContacts(kind, start, start.Add(time.Second))
	i := slices.IndexFunc(calls, func(c world.FinishedContact) bool { return c.ID == id })
	if i < 0 {
		return world.FinishedContact{}, false
	}
	return calls[i], true
}

func (q *queries) stepViews(kind world.ContactKind, id string) *[]stepView {
	c, ok := q.findContact(kind, id)
	if !ok {
		return nil
	}
	return new(newStepViews(c))
}

func (q *queries) countContacts(kind world.ContactKind, search callSearch) (*int32, error) {
	from, to, err := search.timeRange()
	if err != nil {
		return nil, err
	}
	n := q.s.platform.Archive.Count(kind, from, to)
	_ = q.s.platform.World.Read(func(w *world.World) error { n += w.FinishedContacts().Count(kind, from, to); return nil })
	return new(int32(n)), nil //nolint:gosec // a small number
}

// groupCountView is the number of contacts of an entity, for example of a service.
type groupCountView struct {
	GroupByEntity *entityView
	Count         *int32
}

// entityView is a value of the union of entities by which contacts are grouped.
type entityView struct {
	contact *contactView
	service *serviceView
}

type serviceView struct{ Code, Name *string }

// ToAddressBookContact returns the entity if it is a contact of the address book.
func (e *entityView) ToAddressBookContact() (*contactView, bool) { return e.contact, e.contact != nil }

// ToService returns the entity if it is a service.
func (e *entityView) ToService() (*serviceView, bool) { return e.service, e.service != nil }

func (q *queries) countByGroup(kind world.ContactKind, args groupArgs) (*[]groupCountView, error) {
	from, to, err := args.Search.timeRange()
	if err != nil {
		return nil, err
	}
	companies := q.s.platform.REST.Companies()
	counts := make(map[string]int32)
	for _, c := range q.finishedContacts(kind, from, to) {
		if args.GroupBy == "SERVICE" {
			counts[c.Service]++
		} else {
			counts[companies[c.Customer]]++
		}
	}
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	views := make([]groupCountView, 0, len(keys))
	for _, key := range keys {
		v := groupCountView{Count: new(counts[key])}
		switch {
		case key == "": // contacts of unknown customers, or of customers without a company
		case args.GroupBy == "SERVICE":
			_ = q.s.platform.World.Read(func(w *world.World) error {
				v.GroupByEntity = &entityView{service: &serviceView{new(key), new(w.ServiceName(key))}}
				return nil
			})
		default:
			v.GroupByEntity = &entityView{contact: &contactView{UUID: new(companyID(key)), FullName: new(key)}}
		}
		views = append(views, v)
	}
	return &views, nil
}

// InboundCall resolves the query inboundCall.
func (q *queries) InboundCall(a idArgs) *[]stepView { return q.stepViews(world.KindInbound, a.ID) }

// OutboundCall resolves the query outboundCall.
func (q *queries) OutboundCall(a idArgs) *[]stepView { return q.stepViews(world.KindOutbound, a.ID) }

// InboundVideoCall resolves the query inboundVideoCall.
func (q *queries) InboundVideoCall(a idArgs) *[]stepView { return q.stepViews(world.KindVideo, a.ID) }

// InboundChat resolves the query inboundChat.
func (q *queries) InboundChat(a idArgs) *[]stepView { return q.stepViews(world.KindChat, a.ID) }

// InboundCalls resolves the query inboundCalls.
func (q *queries) InboundCalls(a callArgs) (*[][]stepView, error) {
	return q.callViews(world.KindInbound, a.Search)
}

// OutboundCalls resolves the query outboundCalls.
func (q *queries) OutboundCalls(a callArgs) (*[][]stepView, error) {
	return q.callViews(world.KindOutbound, a.Search)
}

// InboundVideoCalls resolves the query inboundVideoCalls.
func (q *queries) InboundVideoCalls(a callArgs) (*[][]stepView, error) {
	return q.callViews(world.KindVideo, a.Search)
}

// InboundChats resolves the query inboundChats.
func (q *queries) InboundChats(a callArgs) (*[][]stepView, error) {
	return q.callViews(world.KindChat, a.Search)
}

// InboundCallsCount resolves the query inboundCallsCount.
func (q *queries) InboundCallsCount(a callArgs) (*int32, error) {
	return q.countContacts(world.KindInbound, a.Search)
}

// OutboundCallsCount resolves the query outboundCallsCount.
func (q *queries) OutboundCallsCount(a callArgs) (*int32, error) {
	return q.countContacts(world.KindOutbound, a.Search)
}

// InboundVideoCallsCount resolves the query inboundVideoCallsCount.
func (q *queries) InboundVideoCallsCount(a callArgs) (*int32, error) {
	return q.countContacts(world.KindVideo, a.Search)
}

// InboundChatsCount resolves the query inboundChatsCount.
func (q *queries) InboundChatsCount(a callArgs) (*int32, error) {
	return q.countContacts(world.KindChat, a.Search)
}

// InboundCallsCountGroup resolves the query inboundCallsCountGroup.
func (q *queries) InboundCallsCountGroup(a groupArgs) (*[]groupCountView, error) {
	return q.countByGroup(world.KindInbound, a)
}

// OutboundCallsCountGroup resolves the query outboundCallsCountGroup.
func (q *queries) OutboundCallsCountGroup(a groupArgs) (*[]groupCountView, error) {
	return q.countByGroup(world.KindOutbound, a)
}

// InboundVideosCountGroup resolves the query inboundVideosCountGroup.
func (q *queries) InboundVideosCountGroup(a groupArgs) (*[]groupCountView, error) {
	return q.countByGroup(world.KindVideo, a)
}

// InboundChatsGrouped resolves the query inboundChatsGrouped. Document 3 does not show this name.
func (q *queries) InboundChatsGrouped(a groupArgs) (*[]groupCountView, error) {
	return q.countByGroup(world.KindChat, a)
}
