package resource_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"wallboard/model/resource"
)

const canary = "c4n4ry"

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	profile := read[resource.Profile](t, `{"username":"anna","sessionId":"c4n4ry","accessToken":"c4n4ry","chatAuthToken":"c4n4ry",`+
		`"supportAuthToken":"c4n4ry","refreshToken":"c4n4ry"}`)
	if got := written(t, profile); got != `{"username":"anna"}` {
		t.Errorf("a profile was written as %s", got)
	}
	query := read[resource.TemplateQuery](t, `{"apiKey":"c4n4ry","new":"c4n4ry","limit":5}`)
	var out bytes.Buffer
	for _, v := range []any{profile, &profile, query, &query, []resource.TemplateQuery{query}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("", "profile", profile, "query", query, "pointer", &query)
	}
	if text := out.String(); strings.Contains(text, canary) || strings.Contains(text, fmt.Sprintf("%x", canary)) || strings.Contains(text, "99 52 110 52") {
		t.Errorf("printed:\n%s", text)
	}
	if sent, err := json.Marshal(query); err != nil || string(sent) != `{"apiKey":"c4n4ry","new":"c4n4ry","limit":5}` {
		t.Errorf("the query goes out as %s, %v", sent, err)
	}
}
