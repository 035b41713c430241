package simulator

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/graph-gophers/graphql-go"
)

//go:embed schema.graphql
var schemaSDL string

// SDL returns the service's schema: document 2 in the schema definition
// language.
func SDL() string { return schemaSDL }

// newSchema returns the executable schema.
func newSchema(s *Server) (*graphql.Schema, error) {
	sdl, err := withoutFields(schemaSDL, s.opts.Switches.MissingFields)
	if err != nil {
		return nil, err
	}
	var root any = &resolver{s}
	if s.opts.Switches.RenamedRoots {
		sdl = renameRoots(sdl)
		root = &renamedResolver{resolver{s}}
	}
	schema, err := graphql.ParseSchema(sdl, root,
		graphql.UseFieldResolvers(),
		graphql.DisableFieldSelections(),
		graphql.MaxSelections(math.MaxInt),
		// graphql-go throws away a message that its consumer does not take
		// within this time; ours may be slow and must lose nothing.
		graphql.SubscribeResolverTimeout(10*365*24*time.Hour),
		graphql.Logger(panicLogger{s.opts.Logger}),
	)
	if err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	return schema, nil
}

// renameRoots renames the fields of the type Subscription: users becomes
// onUsersChanged.
func renameRoots(sdl string) string {
	const opening = "type Subscription {"
	before, rest, _ := strings.Cut(sdl, opening)
	fields, after, _ := strings.Cut(rest, "}")
	var b strings.Builder
	for line := range strings.Lines(fields) {
		name := strings.TrimSpace(line)
		if i := strings.IndexAny(name, "(:"); i > 0 {
			name, rest = name[:i], name[i:]
			line = "  on" + strings.ToUpper(name[:1]) + name[1:] + "Changed" + rest + "\n"
		}
		b.WriteString(line)
	}
	return before + opening + b.String() + "}" + after
}

// panicLogger logs panics of resolvers.
type panicLogger struct{ *slog.Logger }

// LogPanic logs the value of a panic.
func (l panicLogger) LogPanic(ctx context.Context, value any) {
	l.ErrorContext(ctx, "resolver panicked", "value", value)
}
