package ask

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// recordedUntil is the end of the recordings of these tests.
var recordedUntil = time.Date(2026, 3, 18, 11, 0, 0, 0, time.UTC)

// newRecordedFloor returns the floor of a recorded half hour for a viewer who sees no names.
func newRecordedFloor(t *testing.T) *Responder {
	t.Helper()
	floor := world.Options{Seed: 3, Agents: 20, Services: 4, Groups: 4, Start: recordedUntil}
	path, err := record.WriteSnapshots(t.TempDir(), record.Metadata{Names: "full"}, demo.NewPastDay(floor).Snapshots(t.Context(), floor.Start.Add(-30*time.Minute), 10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	engine := func(model.FloorPart) (*alert.Engine, error) {
		return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	}
	f := &Responder{Zone: time.UTC, Rules: alert.DefaultRules, EngineOptions: hub.Options{Engine: engine}}
	player := r.Replay(recordedUntil, 0, nil)
	t.Cleanup(func() { _ = player.Close() })
	o := f.EngineOptions
	o.Source = player
	h, err := hub.New(o)
	if err != nil {
		t.Fatal(err)
	}
	viewer, err := h.NewViewer(hub.Visibility{Names: model.NamesHidden}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.UseRecording(t.Context(), viewer, player, false); err != nil {
		t.Fatal(err)
	}
	return f
}

// pipes returns the two ends of a pair of pipes of the operating system.
func pipes(t *testing.T) (server, client struct{ in, out *os.File }) {
	t.Helper()
	var err error
	if server.in, client.out, err = os.Pipe(); err == nil {
		client.in, server.out, err = os.Pipe()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{server.in, server.out, client.in, client.out} {
			_ = f.Close()
		}
	})
	return server, client
}

// serveFloor serves a floor on pipes, and returns the end of the client. The session must end without an
// error when the client closes its output.
func serveFloor(t *testing.T, f *Responder) (client struct{ in, out *os.File }, ended <-chan error) {
	t.Helper()
	server, client := pipes(t)
	done := make(chan error, 1)
	go func() { done <- ServeMCP(t.Context(), f, "test", server.in, server.out) }()
	return client, done
}

// TestMCPTools drives all tools with the client of the library over pipes.
func TestMCPTools(t *testing.T) {
	t.Parallel()
	f := newRecordedFloor(t)
	client, ended := serveFloor(t, f)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: client.in, Writer: client.out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || tool.InputSchema == nil || tool.Description == "" {
			t.Errorf("tool %s is not marked as read-only, or lacks a schema or a description", tool.Name)
		}
	}
	slices.Sort(names)
	if want := []string{"at", "compare", "floor", "forecast", "incidents", "rules", "what_helps", "why"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %v, want %v", names, want)
	}
	for _, one := range []struct {
		tool      string
		arguments map[string]any
		isError   bool
		contains  string
	}{
		{"floor", nil, false, `"figure":"queuedCalls"`},
		{"floor", map[string]any{"at": "10:50"}, false, `"recorded":true`},
		{"why", map[string]any{"name": "SRV01", "at": "10:50"}, false, `"scope":"service"`},
		{"why", nil, false, `"kind":"why"`},
		{"what_helps", map[string]any{"name": "srv02"}, false, `"kind":"what_helps"`},
		{"at", map[string]any{"time": "10:50", "name": "SRV01", "figure": "serviceLevel"}, false, `"formula"`},
		{"compare", map[string]any{"with": "10:45"}, false, `"compared"`},
		{"forecast", map[string]any{"name": "SRV01"}, false, `"presumed":true`},
		{"incidents", nil, false, `"statements"`},
		{"rules", map[string]any{"name": "wait"}, false, `"kind":"rule"`},
		{"why", map[string]any{"name": "no such service"}, true, `There is no service`},
		{"why", map[string]any{"name": "SRV0"}, true, `"candidates"`},
		{"floor", map[string]any{"at": "25:99"}, true, `is not a past time`},
		{"floor", map[string]any{"at": "3:00"}, true, `Nothing was recorded`},
		{"at", map[string]any{"time": "2026-03-18T10:50:00Z"}, false, `"recorded":true`},
		{"compare", map[string]any{"with": "2026-03-18T10:50:00"}, false, `"compared"`},
		{"compare", map[string]any{"with": "today"}, true, `with is missing`},
		{"at", map[string]any{"name": "SRV01"}, true, `time`},
		{"at", map[string]any{"time": "10:50", "figure": "luck"}, true, `there is no figure`},
		{"why", map[string]any{"name": 7}, true, `name`},
		{"why", map[string]any{"password": "x"}, true, `password`},
		{"why", map[string]any{"name": strings.Repeat("x", 2000)}, true, `too long`},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: one.tool, Arguments: one.arguments})
		if err != nil {
			t.Errorf("%s %v: %v", one.tool, one.arguments, err)
			continue
		}
		text := result.Content[0].(*mcp.TextContent).Text //nolint:forcetypeassert // a test
		if result.IsError != one.isError || !strings.Contains(text, one.contains) {
			t.Errorf("%s %v: error %v: %.500s", one.tool, one.arguments, result.IsError, text)
		}
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "dial"}); err == nil {
		t.Error("a tool that does not exist was called")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session.CallTool(cancelled, &mcp.CallToolParams{Name: "floor", Arguments: map[string]any{"at": "10:40"}}); err == nil {
		t.Error("a cancelled call has a result")
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "floor"}); err != nil {
		t.Errorf("after a cancelled call: %v", err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the session ends with %v", err)
	}
}

// TestMCPMalformedLines checks that lines that are not messages get an error and do not end the session.
func TestMCPMalformedLines(t *testing.T) {
	t.Parallel()
	client, ended := serveFloor(t, newRecordedFloor(t))
	lines := bufio.NewReader(client.in)
	send := func(line string) (answer struct {
		ID    any
		Error *struct {
			Code    int
			Message string
		}
	},
	) {
		t.Helper()
		if _, err := io.WriteString(client.out, line+"\n"); err != nil {
			t.Fatal(err)
		}
		text, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatalf("%.80q: the answer %q is not JSON", line, text)
		}
		return answer
	}
	for line, code := range map[string]int{
		"hello": parseError, `{"jsonrpc":"2.0","id":1,"method":`: parseError, "\x00\xff": parseError, `{"jsonrpc":"2.0"}}`: parseError,
		`[]`: invalidRequest, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: invalidRequest, `7`: invalidRequest, `"x"`: invalidRequest, `null`: invalidRequest,
		`{}`: invalidRequest, `{"jsonrpc":"1.0","id":1,"method":"ping"}`: invalidRequest, `{"jsonrpc":"2.0","id":{},"method":"ping"}`: invalidRequest,
		`{"a":"` + strings.Repeat("x", 2*maxMessageBytes) + `"}`: invalidRequest, strings.Repeat("[", 10000): parseError,
	} {
		if a := send(line); a.Error == nil || a.Error.Code != code || a.ID != nil {
			t.Errorf("%.80q: the answer is %+v, want error %d", line, a, code)
		}
	}
	if a := send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"floor"}}`); a.Error == nil && a.ID != 5.0 {
		t.Errorf("a call before the handshake: %+v", a)
	}
	if a := send(`{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`); a.Error != nil || a.ID != 6.0 {
		t.Errorf("the handshake after bad lines: %+v", a.Error)
	}
	if err := client.out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the session ends with %v", err)
	}
}

// TestMCPStalledClient checks that a client that does not read delays no other client: another session on the
// same floor is answered, and the stalled session ends when its pipe closes.
func TestMCPStalledClient(t *testing.T) {
	t.Parallel()
	f := newRecordedFloor(t)
	stalled, ended := serveFloor(t, f)
	go func() {
		_, _ = io.WriteString(stalled.out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		for range 200 { // the answers to these requests fill the pipe
			_, _ = io.WriteString(stalled.out, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n")
		}
	}()
	client, ended2 := serveFloor(t, f)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: client.in, Writer: client.out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "floor"}); err != nil || result.IsError {
			t.Fatalf("beside a stalled client: %v", err)
		}
	}
	_ = session.Close()
	if err := <-ended2; err != nil {
		t.Error(err)
	}
	stalled.in.Close()  //nolint:errcheck // it may be closed
	stalled.out.Close() //nolint:errcheck // it may be closed
	if err := <-ended; err != nil {
		t.Log(err) // the session was cut
	}
}
