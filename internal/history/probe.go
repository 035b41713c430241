package history

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"wallboard/model/contact"
)

// Probe holds the results of [RunProbe].
type Probe struct {
	ResponseTime time.Duration // time until the answer to the first count
	Err          error         // error of the first count, which ends the probe
	ServerDate   time.Time     // Date header of the answer to the first count; zero: none
	AnsweredAt   time.Time     // local time at which the first count was answered
	TLS          *tls.ConnectionState

	SchemaError       error             // nil: the server exposes its schema
	Names             map[string]string // names of the operations that document 3 does not name, from the schema or the configuration
	MissingOperations []string          // operations that are missing or whose name is unknown
	FailedOperations  map[string]error  // errors of the operations that failed, by name of the operation
	Batch             int               // number of counts that the server accepts in a request, at most 100; 0: unknown
	PageError         error             // why the server rejected a page of 1000 rows; nil: it accepted the page, or it was not asked
	EndError          error             // why the probe ended early, for example the rate limit
	Budget            contact.Budget    // state of the budget after the probe
}

// RunProbe tests all operations of a server without using the cache. It takes about ten
// requests, or twice as many if the server does not expose its schema. It returns an error if
// the options are invalid or ctx ends; the probe contains all other errors.
func RunProbe(ctx context.Context, o Options) (Probe, error) {
	o.CacheDir = ""
	c, err := New(o)
	if err != nil {
		return Probe{}, err
	}
	defer c.Close()
	l := probeRun{client: c, hour: contact.Range{To: c.now().Truncate(time.Hour)}, Probe: Probe{Names: make(map[string]string), FailedOperations: make(map[string]error)}}
	l.hour.From = l.hour.To.Add(-time.Hour)
	l.month = monthsOf(l.hour, c.location)[0]
	for _, step := range []func(context.Context) error{l.checkCount, l.checkSchema, l.checkBatch, l.checkPage} {
		if err = step(ctx); err != nil {
			break
		}
	}
	l.Budget = c.Budget()
	if ctx.Err() != nil {
		return Probe{}, ctx.Err()
	}
	if l.Err == nil {
		l.EndError = err
	}
	return l.Probe, nil
}

// probeRun is a running probe. It ends when one of its steps returns an error.
type probeRun struct {
	Probe

	client *Client
	hour   contact.Range // the last full hour
	month  month         // month in which that hour begins
}

// checkCount requests a count, and records the answer and the response time.
func (l *probeRun) checkCount(ctx context.Context) error {
	c := l.client
	if err := c.transport.budget.wait(ctx, nil); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, c.transport.timeout)
	defer cancel()
	began := c.now()
	r, err := c.transport.post(limited, renderDocument([]rootField{{text: l.minimalQuery(operationsOf(contact.Inbound).count)}}))
	l.AnsweredAt = c.now()
	l.ResponseTime = l.AnsweredAt.Sub(began)
	if err != nil {
		l.Err = transportError(err)
		return l.Err
	}
	l.TLS = r.tls
	if date, err := http.ParseTime(r.header.Get("Date")); err == nil {
		l.ServerDate = date
	}
	if _, err := c.transport.decodeResponse(r); !errors.Is(err, ErrUnknownOperation) { // the platform checks the API key before the name of an operation
		l.Err = err
	}
	return l.Err
}

// checkSchema determines the operations of the server from its schema. If the server does not
// expose its schema, checkSchema requests each operation instead.
func (l *probeRun) checkSchema(ctx context.Context) error {
	s, err := l.client.schema(ctx)
	if l.SchemaError = err; isFatal(err) {
		return err
	}
	for _, op := range Operations() {
		name := l.client.names[op]
		switch {
		case err != nil && name == "":
			l.MissingOperations = append(l.MissingOperations, op)
		case err != nil:
			if err := l.tryOperation(ctx, op); err != nil {
				return err
			}
		default:
			if name == "" {
				name = s.findOperation(op)
			}
			if s.typeNamed(s.QueryType.Name).field(name) == nil {
				l.MissingOperations = append(l.MissingOperations, op)
				continue
			}
		}
		if l.client.names[op] != op && name != "" && !slices.Contains(l.MissingOperations, op) {
			l.Names[op] = name
		}
	}
	return nil
}

// isFatal reports whether an error concerns the connection, the key or the rate, and would
// also affect further requests.
func isFatal(err error) bool {
	return err != nil && (!errors.As(err, new(*Error)) || errors.Is(err, ErrRateLimit) || errors.Is(err, ErrBudgetExhausted) ||
		errors.Is(err, ErrUnreachable) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrTimeout) || errors.Is(err, ErrInvalidKey))
}

// tryOperation requests an operation and records whether it is missing or fails. It returns
// only errors that end the probe.
func (l *probeRun) tryOperation(ctx context.Context, op string) error {
	_, err := l.client.transport.request(ctx, renderDocument([]rootField{{text: l.minimalQuery(op)}}), nil)
	switch {
	case isFatal(err):
		return err
	case errors.Is(err, ErrUnknownOperation):
		l.MissingOperations = append(l.MissingOperations, op)
	case err != nil:
		l.FailedOperations[op] = err
	}
	return nil
}

// minimalQuery returns the cheapest query of an operation. A query for a single object uses
// the ID 0, which no object has.
func (l *probeRun) minimalQuery(op string) string {
	name := l.client.names[op]
	within := searchArgument(l.month, l.hour, "")
	for _, k := range contact.Kinds() {
		switch o := operationsOf(k); op {
		case o.byID:
			return name + `(id: "0") { id }`
		case o.list:
			return l.pageOf(o.list, 1)
		case o.count:
			return fmt.Sprintf("%s(%s)", name, within)
		case o.group:
			return fmt.Sprintf("%s(groupBy: %s, %s) %s", name, GroupByOrganization, within, formatSelection([]groupedType{organizationEntity()}))
		}
	}
	switch op {
	case opContact:
		return name + `(uuid: "0") { uuid }`
	case opContacts:
		return fmt.Sprintf("%s(search: {%s}) { uuid }", name, paginationArguments("ID", 0, 1))
	case OpContactsCount:
		return name
	case OpSupport:
		return name + `(id: "0") { id }`
	case OpSupports:
		return l.pageOf(op, 1)
	case OpSupportCountGroup:
		return fmt.Sprintf("%s(groupBy: %s, %s) { count }", name, GroupByOrganization, within)
	}
	return fmt.Sprintf("%s(%s)", name, within) // the only remaining operation is OpSupportCount
}

func (l *probeRun) pageOf(op string, limit int) string {
	return fmt.Sprintf("%s(%s) { id }", l.client.names[op], searchArgument(l.month, l.hour, ", "+paginationArguments("START_TIME", 0, limit)))
}

// checkBatch determines the number of counts that the server accepts in a request.
func (l *probeRun) checkBatch(ctx context.Context) error {
	op := operationsOf(contact.Inbound).count
	if slices.Contains(l.MissingOperations, op) {
		return nil
	}
	for n := l.client.maxFields(); n > 1; n /= 10 {
		fields := make([]rootField, n)
		for i := range fields {
			fields[i].text = l.minimalQuery(op)
		}
		_, err := l.client.transport.request(ctx, renderDocument(fields), nil)
		if isFatal(err) {
			return err
		}
		if err == nil {
			l.Batch = n
			return nil
		}
	}
	l.Batch = 1
	return nil
}

// checkPage requests a page of the maximum size. If the server rejects it, checkPage records the
// reason.
func (l *probeRun) checkPage(ctx context.Context) error {
	op := operationsOf(contact.Inbound).list
	if slices.Contains(l.MissingOperations, op) {
		return nil
	}
	_, err := l.client.transport.request(ctx, renderDocument([]rootField{{text: l.pageOf(op, maxPage)}}), nil)
	if isFatal(err) {
		return err
	}
	l.PageError = err
	return nil
}
