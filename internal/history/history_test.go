package history_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"wallboard/internal/history"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
)

func TestMain(m *testing.M) {
	testkit.ReduceGC()
	goleak.VerifyTestMain(m)
}

// opening returns the start time of the simulated platforms, a Wednesday.
func opening() time.Time { return time.Date(2026, time.March, 18, 10, 30, 0, 0, time.UTC) }

// platform is a simulated platform and its address.
type platform struct {
	*simulator.Server

	net *testkit.PipeListener
}

// open starts a platform whose world is paused.
func open(t testing.TB, change func(*simulator.Options)) platform {
	t.Helper()
	p := platform{net: testkit.NewPipeListener()}
	o := simulator.Options{Listener: p.net, World: world.Options{Seed: 1, Start: opening(), Agents: 20}}
	if change != nil {
		change(&o)
	}
	var err error
	if p.Server, err = simulator.New(o); err != nil {
		t.Fatal(err)
	}
	p.Pause()
	if err := p.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// client returns a client of the platform. The clock of the client always shows the opening.
func (p platform) client(t testing.TB, change func(*history.Options)) *history.Client {
	t.Helper()
	o := history.Options{
		URL: p.StatURL(), APIKey: secret.New(simulator.DefaultAPIKey), Location: time.UTC,
		Now: opening, DialContext: p.net.Dial,
	}
	if change != nil {
		change(&o)
	}
	c, err := history.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

type (
	simulatorOptions = simulator.Options
	statRequest      = simulator.StatisticsRequest
)
