package control

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// watch runs a client's Watch until the test ends.
func watch(t *testing.T, d *ActionClient) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); d.Status.Watch(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
}

// pass advances the time of the bubble.
func pass(d time.Duration) { <-time.After(d) }

func session(o *Options) { o.UsesSession = true }

func TestStateTellsWhoIsLoggedIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		d := p.desk(t, session)
		if text, ok := d.Status.State(); text.In(nil) != "cc.example, as boss, no answer yet" || !ok {
			t.Errorf("before: %q %v", text.In(nil), ok)
		}
		watch(t, d)
		synctest.Wait()
		if text, ok := d.Status.State(); text.In(nil) != "cc.example, edition 1.4.0, Sofia Lindqvist is logged in" || !ok {
			t.Errorf("after: %q %v", text.In(nil), ok)
		}
	})
}

func TestServiceThatGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		d := p.desk(t, nil)
		watch(t, d)
		synctest.Wait()
		p.mu.Lock()
		// The service is down at 60 s, 65 s and 75 s, and up again at 95 s.
		p.faults["version"] = []fault{away(), says(503, unknown, nil), away()}
		p.mu.Unlock()
		pass(61 * time.Second)
		want := "The configuration service has not answered since " + time.Now().Add(-time.Second).Format("15:04:05") +
			": the platform's address refused the connection."
		if got := d.Status.Refusal(resource.OpDial).In(nil); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if text, ok := d.Status.State(); ok || text.In(nil) != want {
			t.Errorf("%q %v", text.In(nil), ok)
		}
		pass(33 * time.Second)
		if got := d.Status.Refusal(resource.OpDial).In(nil); got == "" {
			t.Error("not refused after 34 s")
		}
		pass(2 * time.Second)
		if got := d.Status.Refusal(resource.OpDial).In(nil); got != "" {
			t.Error(got)
		}
	})
}

// TestActionMayFindTheServiceBack checks that a user who acts although the service was down gets a
// current answer.
func TestActionMayFindTheServiceBack(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	p.faults["service-calls"] = []fault{away()}
	d := p.desk(t, nil)
	if _, err := d.Calls.CallsOf(t.Context(), "anna"); err == nil || d.Status.Refusal(resource.OpDial).In(nil) == "" {
		t.Fatalf("%v, refusal %q", err, d.Status.Refusal(resource.OpDial).In(nil))
	}
	if r := dialAnna(t, d); r.Outcome != sure {
		t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
	}
	if got := d.Status.Refusal(resource.OpDial).In(nil); got != "" {
		t.Error(got)
	}
}

func TestFailureOfAnActionMakesWatchLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		d := p.desk(t, nil)
		watch(t, d)
		pass(time.Second)
		p.mu.Lock()
		p.faults["service-calls"] = []fault{away()}
		p.mu.Unlock()
		_, _ = d.Calls.CallsOf(t.Context(), "anna")
		synctest.Wait()
		if got := d.Status.Refusal(resource.OpDial).In(nil); got != "" {
			t.Errorf("the service was not checked: %s", got)
		}
	})
}

func TestRefusedLoginIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	for condition, want := range map[error]string{
		restclient.ErrUnauthorized:    "The platform does not accept this board's login: the name, the password or token, or the version; ask your administrator to check it.",
		restclient.ErrPasswordExpired: "The password of this board's login has expired, or is not secure enough for the platform; it must be renewed there.",
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlatform(t)
			p.faults["login"] = []fault{rejects(401, condition), away(), away()}
			d := p.desk(t, session)
			watch(t, d)
			pass(10 * time.Minute)
			if got := d.Status.Refusal(resource.OpHangUp).In(nil); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if r := dialAnna(t, d); r.Outcome != notSent || p.events != nil {
				t.Errorf("%v %q %v", r.Outcome, r.Text.In(nil), p.events)
			}
			p.mu.Lock()
			if len(p.faults["login"]) != 2 {
				t.Error("the login was tried again")
			}
			p.faults["login"] = nil
			p.mu.Unlock()
			d.Status.Retry()
			synctest.Wait()
			if got := d.Status.Refusal(resource.OpHangUp).In(nil); got != "" || p.retries != 1 {
				t.Errorf("after Retry: %q, %d", got, p.retries)
			}
		})
	}
}

func TestSessionThatEndedIsRenewed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		d := p.desk(t, session)
		watch(t, d)
		synctest.Wait()
		p.mu.Lock()
		p.faults["valid-session"] = []fault{rejects(401, restclient.ErrUnauthorized)}
		p.faults["login"] = []fault{{}}
		p.mu.Unlock()
		pass(61 * time.Second)
		if got := d.Status.Refusal(resource.OpDial).In(nil); got != "" {
			t.Error(got)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.faults["login"]) != 0 {
			t.Error("there was no new login")
		}
	})
}

func TestActionsThatCanNotBeTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlatform(t)
		p.edition, p.pathless = restclient.Edition102, resource.OpListCreate
		d := p.desk(t, nil)
		watch(t, d)
		synctest.Wait()
		for verb, want := range map[resource.Operation]string{
			resource.OpDial:       "",
			resource.OpSMSSend:    "This edition of the platform cannot do it.",
			resource.OpRunAdd:     "This edition of the platform cannot do it.",
			resource.OpRunEdit:    "This edition of the platform cannot do it.",
			resource.OpListCreate: "Its path is not configured; ask your administrator to name it under [rest.paths].",
		} {
			if got := d.Status.Refusal(verb).In(nil); got != want {
				t.Errorf("%s: %q", verb, got)
			}
		}
		if r := d.Lists.CreateList(t.Context(), resource.List{Name: "x"}); r.Outcome != notSent || p.events != nil {
			t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
		}
	})
}

func TestProfileThatMayNot(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	p.faults["sms-send"] = []fault{rejects(570, restclient.ErrNotAllowed)}
	d := p.desk(t, nil)
	sms := resource.SMS{PhoneNumber: "0612", Message: "x"}
	if r := d.Messages.SendSMS(t.Context(), sms); r.Outcome != rejected {
		t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
	}
	if got := d.Status.Refusal(resource.OpSMSSend).In(nil); got != "The profile of this board's login does not allow it." {
		t.Errorf("%q", got)
	}
	if got := d.Status.Refusal(resource.OpDial).In(nil); got != "" {
		t.Errorf("dialing: %q", got)
	}
	d.Status.Retry()
	if r := d.Messages.SendSMS(t.Context(), sms); r.Outcome != sure {
		t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
	}
	p.faults["sms-send"] = []fault{rejects(570, restclient.ErrNotAllowed)}
	if r := d.Messages.SendSMS(t.Context(), resource.SMS{PhoneNumber: "0612", Message: "x", Username: "anna"}); r.Outcome != rejected {
		t.Errorf("%v %q", r.Outcome, r.Text.In(nil))
	}
	if got := d.Status.Refusal(resource.OpSMSSend).In(nil); got != "" {
		t.Errorf("after another sender's 570: %q", got)
	}
}

// TestLoginThatWorksAgain checks that the next request notices that the login works again.
func TestLoginThatWorksAgain(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	p.faults["service-calls"] = []fault{rejects(401, restclient.ErrUnauthorized)}
	d := p.desk(t, nil)
	if _, err := d.Calls.CallsOf(t.Context(), "anna"); err == nil || d.Status.Refusal(resource.OpDial).In(nil) == "" {
		t.Fatalf("%v, %q", err, d.Status.Refusal(resource.OpDial).In(nil))
	}
	if _, err := d.Calls.CallsOf(t.Context(), "anna"); err != nil || d.Status.Refusal(resource.OpDial).In(nil) != "" {
		t.Errorf("%v, %q", err, d.Status.Refusal(resource.OpDial).In(nil))
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	for _, a := range presses() {
		p := newPlatform(t)
		d := p.desk(t, func(o *Options) { o.ReadOnly = true })
		if r := a.do(t.Context(), t, d); r.Outcome != notSent || p.events != nil {
			t.Errorf("%s: %v %q %v", a.verb, r.Outcome, r.Text.In(nil), p.events)
		}
		if d.Status.Refusal(a.verb).In(nil) == "" {
			t.Errorf("%s is not refused", a.verb)
		}
	}
}

func TestReadingIsASentenceWhenItFails(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	d := p.desk(t, nil)
	size := 1
	for want, ask := range map[string]func() error{
		"anna's calls cannot be read: the platform did not answer in time.": func() error {
			p.faults["service-calls"] = []fault{{err: &restclient.Error{Err: context.DeadlineExceeded}}}
			_, err := d.Calls.CallsOf(t.Context(), "anna")
			return err
		},
		"Campaign 7 cannot be read: the platform does not know it.": func() error {
			_, err := d.Campaigns.Campaign(t.Context(), 7)
			return err
		},
		"otto's calls cannot be read: refused the connection.": func() error {
			inner := &restclient.Error{Operation: "version", Err: errors.New("refused the connection")}
			p.faults["service-calls"] = []fault{{err: &restclient.Error{Operation: "login", Err: fmt.Errorf("reading the version for the login: %w", inner)}}}
			_, err := d.Calls.CallsOf(t.Context(), "otto")
			return err
		},
		"The tickets cannot be read: the platform refused it (status 400).": func() error {
			p.faults["ticket-search"] = []fault{rejects(400, nil)}
			_, err := d.Tickets.FindTickets(t.Context(), resource.TicketQuery{})
			return err
		},
		"Chat s1 cannot be read: the platform does not know it.": func() error {
			p.faults["chat-history"] = []fault{rejects(404, restclient.ErrNotFound)}
			_, err := d.Messages.Chat(t.Context(), "s1")
			return err
		},
		"The agents cannot be read: this edition of the platform cannot do it.": func() error {
			p.faults["ticket-agents"] = []fault{{err: &restclient.Error{Outcome: notSent, Err: restclient.ErrUnsupportedEdition}}}
			_, err := d.Tickets.TicketAgents(t.Context(), resource.PersonQuery{Size: &size})
			return err
		},
	} {
		if err := ask(); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if all, err := d.Tickets.TicketCustomers(t.Context(), resource.PersonQuery{}); len(all.Items) != 2 || err != nil {
		t.Errorf("all customers: %d, %v", len(all.Items), err)
	}
}
