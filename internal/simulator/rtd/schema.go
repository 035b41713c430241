package rtd

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

//go:embed schema.graphql
var schemaSDL string

// SDL returns document 2's schema in the schema definition language.
func SDL() string { return schemaSDL }

// newSchema returns the executable schema of the service. It also sets the schema fields of s: sdl,
// types and clientSchema.
func newSchema(s *Service) (*graphql.Schema, error) {
	sdl, err := s.opts.Switches.sdl()
	if err != nil {
		return nil, err
	}
	s.sdl = sdl
	schema, err := graphql.ParseSchema(sdl, &resolver{s},
		graphql.UseFieldResolvers(),
		graphql.DisableFieldSelections(),
		graphql.MaxSelections(math.MaxInt),
		// graphql-go drops a message if its consumer does not take it within this time. The
		// time is 10 years, because consumers may be slow and must not lose messages.
		graphql.SubscribeResolverTimeout(10*365*24*time.Hour),
		graphql.Logger(webservice.PanicLogger{Logger: s.opts.Logger}),
	)
	if err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	doc, err := parser.ParseSchema(&ast.Source{Input: sdl})
	if err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	s.types = webservice.NewSchema(doc)
	if s.clientSchema, err = newClientSchema(sdl, &s.opts.Switches); err != nil {
		return nil, err
	}
	return schema, nil
}

// sdl returns the schema of document 2 with the changes that the switches select.
func (s *Switches) sdl() (string, error) {
	sdl, err := splitRecordTypes(splitChannelTypes(schemaSDL, s.ChannelTypes), s.Rules.RecordTypes)
	if err != nil {
		return "", err
	}
	return withoutFields(sdl, s.MissingFields)
}

// splitChannelTypes returns a schema in which the counters of services on media channels have
// their own types.
func splitChannelTypes(sdl string, types ChannelTypes) string {
	if types == TypesOne || types == "" {
		return sdl
	}
	const union = "union ServiceChannelStat = ServiceCcCallAtStat | ServiceAtStat\n"
	_, calls, _ := strings.Cut(sdl, "type ServiceCcCallAtStat {")
	calls, _, _ = strings.Cut(calls, "}")
	if types == TypesEach {
		members := ""
		for _, t := range mediaTypes() {
			sdl += "\ntype " + t + " {" + calls + "}\n"
			members += " | " + t
		}
		return strings.Replace(sdl, union, strings.TrimSuffix(union, "\n")+members+"\n", 1)
	}
	sdl += "\ntype ServiceMediaStat {" + calls + "}\n"
	if types == TypesUnion {
		return strings.Replace(sdl, union, strings.TrimSuffix(union, "\n")+" | ServiceMediaStat\n", 1)
	}
	sdl = strings.Replace(sdl, union, "interface ServiceChannelStat { answeredCalls: Int }\n", 1)
	for _, t := range []string{"ServiceCcCallAtStat", "ServiceAtStat", "ServiceMediaStat"} {
		sdl = strings.Replace(sdl, "type "+t+" {", "type "+t+" implements ServiceChannelStat {", 1)
	}
	return sdl
}

// renamedRoot returns the name of a subscription with [Switches.RenamedRoots].
func renamedRoot(name string) string { return "on" + strings.ToUpper(name[:1]) + name[1:] + "Changed" }

// MediaType returns the type of a service's counters on a media channel with [TypesEach].
func MediaType(channel string) string {
	name := ""
	for part := range strings.SplitSeq(channel, "_") {
		name += part[:1] + strings.ToLower(part[1:])
	}
	return "Service" + name + "Stat"
}

// mediaTypes returns the types of a service's counters on all channels except calls.
func mediaTypes() []string {
	var types []string
	for _, channel := range world.Channels() {
		if channel != world.Call {
			types = append(types, MediaType(channel))
		}
	}
	return types
}
