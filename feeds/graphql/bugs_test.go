package graphql

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

// Known bugs of other clients, with their numbers here. The reconnect loop is
// tested in the package above: B04 (subscriptions not restored), B05 (gives up
// after a minute), B06 (subscriptions multiply with every restart), the
// reconnect part of B07, B17 (two sockets when a subscribe races the timer),
// B21 (reconnects without a user), B23 (duplicates after a retry), B28 (a sleep
// that ignores the context) and B29 (backoff reset at the acknowledgement).

func TestB01EventsInOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const n = 5000
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			for i := range n {
				p.send(`{"id":"%s","type":"next","payload":{"data":%d}}`, m.ID, i)
			}
			p.drain()
		})
		id := subscribe(t, c)
		for i := range n {
			r.expect(t, fmt.Sprintf(`next %s {"data":%d}`, id, i))
		}
	})
}

// flood sends results of one operation until the session ends.
func flood(p *peer) {
	p.ack()
	m, _ := p.read()
	go p.drain()
	frame := fmt.Appendf(nil, `{"id":"%s","type":"next","payload":{"data":{}}}`, m.ID)
	var err error
	for err == nil {
		err = p.ws.WriteMessage(websocket.TextMessage, frame)
	}
}

// handlerFunc is a Handler that only receives results.
type handlerFunc func(id string)

func (f handlerFunc) Next(id string, _ []byte)             { f(id) }
func (f handlerFunc) Fail(string, []Error)                 {}
func (f handlerFunc) Complete(string)                      {}
func (f handlerFunc) UnreadableFrame(string, []byte, bool) {}

func TestB02EndFromHandlerDoesNotDeadlock(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, o := serve(t, accept(t, first, flood))
		var c *Conn
		enough := errors.New("enough")
		calls := 0
		ready := make(chan struct{})
		c, err := Dial(t.Context(), o, handlerFunc(func(id string) {
			<-ready
			if calls++; calls == 100 {
				c.Unsubscribe(id)
				_, _ = c.Subscribe("query{a}", nil)
				c.Abort(enough)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		subscribe(t, c)
		close(ready)
		if err := ended(t, c); !errors.Is(err, enough) || calls != 100 {
			t.Errorf("%v after %d calls", err, calls)
		}
	})
}

func TestB02CloseFromHandlerIsNoticed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, o := serve(t, accept(t, first, flood))
		var c *Conn
		got := make(chan error, 1)
		ready := make(chan struct{})
		c, err := Dial(t.Context(), o, handlerFunc(func(string) {
			<-ready
			got <- c.Close()
		}))
		if err != nil {
			t.Fatal(err)
		}
		subscribe(t, c)
		close(ready)
		if err := <-got; !errors.Is(err, ErrHandlerStuck) {
			t.Errorf("%v", err)
		}
		<-c.Done()
	})
}

func TestB03CloseManyTimes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, flood)
		subscribe(t, c)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if err := c.Close(); err != nil || !errors.Is(c.Err(), ErrClosed) {
			t.Error(err, c.Err())
		}
	})
}

// Not parallel: it counts goroutines.
func TestB07ThreeGoroutinesThatEnd(t *testing.T) { //nolint:paralleltest // counts all goroutines
	count := func() (n int) {
		buf := make([]byte, 1<<20)
		for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "created by wallboard/feeds/graphql.") && !strings.Contains(g, "_test.go:") {
				n++
			}
		}
		return n
	}
	for count() > 0 { // wait for goroutines of earlier tests
		runtime.Gosched()
	}
	synctest.Test(t, func(t *testing.T) {
		for _, end := range []func(*Conn){
			func(c *Conn) { _ = c.Close() },
			func(c *Conn) { c.Abort(errors.New("x")) },
			func(c *Conn) { _ = c.rawConn.Close() },
			func(c *Conn) { _ = c.enqueue(message{kind: 99}) }, // this write fails
		} {
			c, _ := open(t, func(p *peer) {
				p.ack()
				p.drain()
			})
			synctest.Wait()
			if n := count(); n != 3 {
				t.Fatalf("%d goroutines", n)
			}
			end(c)
			<-c.Done()
			synctest.Wait()
			if n := count(); n != 0 {
				t.Fatalf("%d goroutines left", n)
			}
		}
	})
}

func TestB08EverythingAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			for {
				m, ok := p.read()
				if !ok {
					return
				}
				if m.Type == "subscribe" {
					p.send(`{"id":"%s","type":"next","payload":{"data":{}}}`, m.ID)
					p.send(`{"type":"ping"}`)
				}
			}
		})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 50 {
					id, err := c.Subscribe("query{a}", map[string]any{"b": 1})
					if err != nil {
						return // the queue may fill up, which ends the session
					}
					_ = c.Stats()
					_ = c.Err()
					c.Unsubscribe(id)
				}
			})
		}
		wg.Wait()
		_ = c.Close()
	})
}

func TestB09FailedOperationIsOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			p.send(`{"id":"%s","type":"error","payload":[{"message":"m"}]}`, m.ID)
			if m, ok := p.read(); ok {
				t.Errorf("client sent %s for an operation that is over", m.Type)
			}
		})
		id := subscribe(t, c)
		r.expect(t, "fail "+id+" m")
		c.Unsubscribe(id)
		synctest.Wait()
		if len(c.operations) != 0 {
			t.Errorf("still open: %v", c.operations)
		}
	})
}

func TestB10NormalCloseIsAnEndToRetry(t *testing.T) {
	for _, end := range []func(*peer){
		func(p *peer) { p.close(1000, "bye") },
		func(p *peer) { _ = p.ws.NetConn().Close() },
	} {
		bubbleRun(t, func(t *testing.T) {
			c, _ := open(t, func(p *peer) {
				p.ack()
				p.expect("subscribe")
				end(p)
			})
			subscribe(t, c)
			err := ended(t, c)
			var closed *CloseError
			if !errors.As(err, &closed) || !closed.Accepted || Classify(err) != ClassRetry {
				t.Errorf("%v is classed %v", err, Classify(err))
			}
			if closed.Code == 1000 && closed.Reason != "bye" || closed.Code != 1000 && closed.Code != 1006 {
				t.Errorf("%+v", closed)
			}
		})
	}
}

func TestB11PartialDataIsDelivered(t *testing.T) { TestTrap09DataWithErrorsIsData(t) }

func TestB12UnknownIDDoesNotKillReader(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			for _, id := range []string{`"999"`, `""`, `"p999"`, `"x"`, `77`, `"0"`} {
				p.send(`{"id":%s,"type":"next","payload":{"data":{}}}`, id)
				p.send(`{"id":%s,"type":"error","payload":[]}`, id)
				p.send(`{"id":%s,"type":"complete"}`, id)
			}
			p.send(`{"id":"%s","type":"next","payload":{"data":1}}`, m.ID)
			p.drain()
		})
		r.expect(t, "next "+subscribe(t, c)+` {"data":1}`)
		r.expectNone(t)
		if s := c.Stats(); s.UnknownIDs != 18 || s.LateMessages != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestB13WebSocketPingIsAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		pong := make(chan string, 1)
		c, _ := open(t, func(p *peer) {
			p.ws.SetPongHandler(func(s string) error { pong <- s; return nil })
			p.ack()
			_ = p.ws.WriteControl(websocket.PingMessage, []byte("echo"), time.Now().Add(time.Minute))
			p.drain()
		})
		if got := <-pong; got != "echo" {
			t.Errorf("pong with %q", got)
		}
		if c.Err() != nil {
			t.Error(c.Err())
		}
	})
}

func TestB14AckDeadlineHoldsOnABusyLink(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		_, _, err := tryOpen(t, first, func(p *peer) {
			p.expect("connection_init")
			for p.ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"ka"}`)) == nil {
				<-time.After(time.Second)
			}
		})
		if waited := time.Since(start); !errors.Is(err, ErrAckTimeout) || waited > 11*time.Second {
			t.Errorf("%v after %v", err, waited)
		}
		<-time.After(2 * time.Second) // the server notices the end at its next ka
	})
}

func TestB15CloseUnderFlood(t *testing.T) {
	for range 20 {
		bubbleRun(t, func(t *testing.T) {
			c, r := open(t, flood)
			subscribe(t, c)
			<-r.events
			_ = c.Close()
			n := len(r.events)
			synctest.Wait()
			if len(r.events) != n {
				t.Error("a handler call after the end")
			}
		})
	}
}

// watchedConn detects overlapping writes.
type watchedConn struct {
	net.Conn
	writing, overlaps atomic.Int32
}

func (c *watchedConn) Write(b []byte) (int, error) {
	if c.writing.Add(1) > 1 {
		c.overlaps.Add(1)
	}
	defer c.writing.Add(-1)
	return c.Conn.Write(b)
}

func TestB16OneWriter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, o := serve(t, accept(t, first, func(p *peer) {
			p.ack()
			go p.drain()
			for range 200 {
				p.send(`{"type":"ping"}`)
				_ = p.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute))
			}
			p.close(4500, "")
		}))
		var watched *watchedConn
		l.wrap = func(c net.Conn) net.Conn {
			watched = &watchedConn{Conn: c}
			return watched
		}
		c, err := Dial(t.Context(), o, newRecorder())
		if err != nil {
			t.Fatal(err)
		}
		for c.Err() == nil {
			if _, err := c.Subscribe("query{a}", nil); err != nil {
				break
			}
		}
		<-c.Done()
		if n := watched.overlaps.Load(); n != 0 {
			t.Errorf("%d writes overlapped", n)
		}
	})
}
