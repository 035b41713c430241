package simulator_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

// listed returns the operations that return records, with filters that select all
// records.
func listed(t *testing.T, s *simulator.Server) map[string]string {
	t.Helper()
	all := truth(t, s)
	values := func(kind, field string) string {
		seen := map[string]bool{}
		var list []string
		for _, r := range all[kind] {
			v, err := json.Marshal(r.(map[string]any)[field])
			if err != nil {
				t.Fatal(err)
			}
			if !seen[string(v)] {
				seen[string(v)] = true
				list = append(list, string(v))
			}
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	// Also select users who log in later, by the names of the current users.
	users := values("userStats", "username")
	return map[string]string{
		"users":                 "{}",
		"serviceStats":          everyChannel("services: " + values("serviceStats", "code")),
		"groupStats":            everyChannel("groups: " + values("groupStats", "code")),
		"userStats":             everyChannel("users: " + users),
		"userProfileStats":      everyChannel("userProfiles: " + values("userProfileStats", "id")),
		"pdCampaignStats":       "{campaigns: " + values("pdCampaignStats", "campaignId") + "}",
		"serviceAttendantStats": "{CALL: {services: " + values("serviceAttendantStats", "code") + ", component: [ALL, INTERNAL, EXTERNAL, RETURNS]}}",
		"operatorStats":         "{CALL: {users: " + values("operatorStats", "username") + "}}",
		"operatorProfileStats":  "{CALL: {userProfiles: " + values("operatorProfileStats", "id") + "}}",
	}
}

func everyChannel(filter string) string {
	var b strings.Builder
	for _, c := range []string{"CALL", "CUSTOM_1", "CUSTOM_2", "CUSTOM_3", "VIDEO", "CHAT", "MAIL_ACD", "LIVEHELP", "OMNIDESK"} {
		fmt.Fprintf(&b, "%s: {%s} ", c, filter)
	}
	return "{" + b.String() + "}"
}

// everything selects all fields of an operation's result according to the schema, so
// that no field is forgotten.
func everything(t *testing.T, operation string) string {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: rtd.SDL()})
	if err != nil {
		t.Fatal(err)
	}
	return fields(schema, schema.Query.Fields.ForName(operation).Type.Name())
}

func fields(schema *ast.Schema, name string) string {
	def := schema.Types[name]
	var b strings.Builder
	switch def.Kind {
	case ast.Object:
		b.WriteString("{")
		for _, f := range def.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				b.WriteString(f.Name + fields(schema, f.Type.Name()) + " ")
			}
		}
		b.WriteString("}")
	case ast.Union:
		b.WriteString("{__typename ")
		for _, member := range def.Types {
			b.WriteString("... on " + member + fields(schema, member) + " ")
		}
		b.WriteString("}")
	default: // a scalar or enum
	}
	return b.String()
}

// text returns a complete document.
func text(t *testing.T, kind, root, operation, filter string) string {
	t.Helper()
	return fmt.Sprintf("%s {%s(filter: %s) %s}", kind, root, filter, everything(t, operation))
}
