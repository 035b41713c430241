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

// Probe is the result of [RunProbe].
type Probe struct {
	Took  time.Duration // duration of one count
	Err   error         // error of that count; if set, the fields below are not valid
	Date  time.Time     // Date header of its answer; zero: none
	Asked time.Time     // local time of its arrival
	TLS   *tls.ConnectionState

	Schema error             // nil: the server exposes its schema
	Names  map[string]string // operations that document 3 does not name, by the schema or the configuration
	Lacks  []string          // operations that are missing or whose name is unknown
	Broken map[string]error  // operations that fail
	Batch  int               // accepted counts per request, at most 100; 0: unknown
	Page   error             // why a page of 1000 was rejected; nil: accepted or not tried
	Ended  error             // why the probe ended early, for example the rate limit
	Budget contact.Budget    // after the probe
}

// RunProbe probes all operations of a server without using the cache. It takes about ten
// requests, or twice as many if the server does not expose its schema. The error is
// that of the options or of ctx.
func RunProbe(ctx context.Context, o Options) (Probe, error) {
	o.CacheDir = ""
	c, err := New(o)
	if err != nil {
		return Probe{}, err
	}
	defer c.Close()
	l := probing{client: c, hour: contact.Range{To: c.now().Truncate(time.Hour)}, Probe: Probe{Names: make(map[string]string), Broken: make(map[string]error)}}
	l.hour.From = l.hour.To.Add(-time.Hour)
	l.month = monthsOf(l.hour, c.loc)[0]
	for _, step := range []func(context.Context) error{l.first, l.schema, l.batch, l.page} {
		if err = step(ctx); err != nil {
			break
		}
	}
	l.Budget = c.Budget()
	if ctx.Err() != nil {
		return Probe{}, ctx.Err()
	}
	if l.Err == nil {
		l.Ended = err
	}
	return l.Probe, nil
}

// probing is a probe in progress. An error of a step ends it.
type probing struct {
	Probe

	client *Client
	hour   contact.Range // the last full hour
	month  month         // month of that hour
}

// first requests one count and records how it is answered.
func (l *probing) first(ctx context.Context) error {
	c := l.client
	if err := c.wire.budget.wait(ctx, nil); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, c.wire.timeout)
	defer cancel()
	began := c.now()
	r, err := c.wire.post(limited, aliased([]field{{text: l.question(operationsOf(contact.Inbound).count)}}))
	l.Asked = c.now()
	l.Took = l.Asked.Sub(began)
	if err != nil {
		l.Err = transportError(err)
		return l.Err
	}
	l.TLS = r.tls
	if date, err := http.ParseTime(r.header.Get("Date")); err == nil {
		l.Date = date
	}
	if _, err := c.wire.read(r); !errors.Is(err, ErrUnknownOperation) { // authorization precedes this error
		l.Err = err
	}
	return l.Err
}

// schema finds the available operations, in the schema or by trying them.
func (l *probing) schema(ctx context.Context) error {
	s, err := l.client.schema(ctx)
	if l.Schema = err; isFatal(err) {
		return err
	}
	for _, op := range Operations() {
		name := l.client.names[op]
		switch {
		case err != nil && name == "":
			l.Lacks = append(l.Lacks, op)
		case err != nil:
			if err := l.try(ctx, op); err != nil {
				return err
			}
		default:
			if name == "" {
				name = s.find(op)
			}
			if s.typeNamed(s.QueryType.Name).field(name) == nil {
				l.Lacks = append(l.Lacks, op)
				continue
			}
		}
		if l.client.names[op] != op && name != "" && !slices.Contains(l.Lacks, op) {
			l.Names[op] = name
		}
	}
	return nil
}

// isFatal reports whether an error affects the connection, so that further requests are
// useless.
func isFatal(err error) bool {
	return err != nil && (!errors.As(err, new(*Error)) || errors.Is(err, ErrRate) || errors.Is(err, ErrBudget) ||
		errors.Is(err, ErrUnreachable) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrTimeout) || errors.Is(err, ErrKey))
}

// try requests an operation.
func (l *probing) try(ctx context.Context, op string) error {
	_, err := l.client.wire.ask(ctx, aliased([]field{{text: l.question(op)}}), nil)
	switch {
	case isFatal(err):
		return err
	case errors.Is(err, ErrUnknownOperation):
		l.Lacks = append(l.Lacks, op)
	case err != nil:
		l.Broken[op] = err
	}
	return nil
}

// question returns a minimal query of an operation. No object has the ID 0.
func (l *probing) question(op string) string {
	name := l.client.names[op]
	within := search(l.month, l.hour, "")
	for _, k := range contact.Kinds() {
		switch o := operationsOf(k); op {
		case o.one:
			return name + `(id: "0") { id }`
		case o.list:
			return l.pageOf(o.list, 1)
		case o.count:
			return fmt.Sprintf("%s(%s)", name, within)
		case o.group:
			return fmt.Sprintf("%s(groupBy: %s, %s) %s", name, ByOrganization, within, formatSelection([]entity{organization()}))
		}
	}
	switch op {
	case opContact:
		return name + `(uuid: "0") { uuid }`
	case opContacts:
		return fmt.Sprintf("%s(search: {%s}) { uuid }", name, pagination("ID", 0, 1))
	case OpContactsCount:
		return name
	case OpSupport:
		return name + `(id: "0") { id }`
	case OpSupports:
		return l.pageOf(op, 1)
	case OpSupportCountGroup:
		return fmt.Sprintf("%s(groupBy: %s, %s) { count }", name, ByOrganization, within)
	}
	return fmt.Sprintf("%s(%s)", name, within) // OpSupportCount
}

func (l *probing) pageOf(op string, limit int) string {
	return fmt.Sprintf("%s(%s) { id }", l.client.names[op], search(l.month, l.hour, ", "+pagination("START_TIME", 0, limit)))
}

// batch finds the number of counts per request that the server accepts.
func (l *probing) batch(ctx context.Context) error {
	op := operationsOf(contact.Inbound).count
	if slices.Contains(l.Lacks, op) {
		return nil
	}
	for n := l.client.maxFields(); n > 1; n /= 10 {
		fields := make([]field, n)
		for i := range fields {
			fields[i].text = l.question(op)
		}
		_, err := l.client.wire.ask(ctx, aliased(fields), nil)
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

// page requests a page of the maximum size in document 3.
func (l *probing) page(ctx context.Context) error {
	op := operationsOf(contact.Inbound).list
	if slices.Contains(l.Lacks, op) {
		return nil
	}
	_, err := l.client.wire.ask(ctx, aliased([]field{{text: l.pageOf(op, maxPage)}}), nil)
	if isFatal(err) {
		return err
	}
	l.Page = err
	return nil
}
