package graphql

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestParseFrame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in         string
		typ, id, payload string
		data, errs       bool
	}{
		{"plain", `{"type":"next","id":"7","payload":{"data":{"a":1}}}`, "next", "7", `{"data":{"a":1}}`, true, false},
		{"payload first", `{"payload":{"data":{"id":"x","type":"y"}},"id":"7","type":"next"}`, "next", "7", `{"data":{"id":"x","type":"y"}}`, true, false},
		{"spaces", " {\n\"type\" :\t\"next\" , \"payload\" : { \"data\" : [ ] } , \"id\" : \"7\" } \r\n", "next", "7", `{ "data" : [ ] }`, true, false},
		{"escaped key and values", `{"t\u0079pe":"ne\u0078t","\u0069d":"a\"\\b"}`, "next", `a"\b`, "", false, false},
		{"number id", `{"id":12,"type":"complete"}`, "complete", "12", "", false, false},
		{"null id", `{"id":null,"type":"error","payload":"no"}`, "error", "", `"no"`, false, false},
		{"last of equal keys", `{"type":"a","type":"b","payload":{"data":1},"payload":{"errors":[1]}}`, "b", "", `{"errors":[1]}`, false, true},
		{"braces in strings", `{"type":"next","payload":{"data":"}]\"{["}}`, "next", "", `{"data":"}]\"{["}`, true, false},
		{"null data, errors", `{"type":"next","payload":{"data":null,"errors":[{"message":"m"}]}}`, "next", "", `{"data":null,"errors":[{"message":"m"}]}`, false, true},
		{"empty errors", `{"type":"next","payload":{"errors":[ ],"data":{}}}`, "next", "", `{"errors":[ ],"data":{}}`, true, false},
		{"null errors", `{"type":"next","payload":{"errors":null}}`, "next", "", `{"errors":null}`, false, false},
		{"unknown members", `{"x":[1,-2.5e+3,true,false,null,{"type":"no"}],"type":"ka"}`, "ka", "", "", false, false},
		{"upper case is another key", `{"TYPE":"no","type":"ka"}`, "ka", "", "", false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, reason := parseFrame([]byte(tc.in))
			if reason != "" {
				t.Fatalf("refused: %s", reason)
			}
			if string(f.typ) != tc.typ || string(f.id) != tc.id || string(f.payload) != tc.payload {
				t.Errorf("type %q id %q payload %q", f.typ, f.id, f.payload)
			}
			if f.hasData != tc.data || f.hasErrors != tc.errs {
				t.Errorf("data %v errors %v, want %v %v", f.hasData, f.hasErrors, tc.data, tc.errs)
			}
		})
	}
}

func TestParseFrameRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                   "not JSON",
		"ka":                                 "not JSON",
		`{"type":"next"`:                     "not JSON",
		`{"type":"next"}}`:                   "not JSON",
		`{"type":"next",}`:                   "not JSON",
		`{"type":"next","payload":{"data":}`: "not JSON",
		`{"type":"next","payload":{"a":01}}`: "not JSON",
		`{"type":"ne` + "\n" + `xt"}`:        "not JSON",
		`{"type":"\x"}`:                      "not JSON",
		`[{"type":"next"}]`:                  "not an object",
		`"next"`:                             "not an object",
		`null`:                               "not an object",
		`{}`:                                 "no type",
		`{"type":5}`:                         "type is not text",
		`{"type":"next","id":{}}`:            "id is neither text nor a number",
		`{"type":"next","id":true}`:          "id is neither text nor a number",
		`{"type":"next","payload":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`: "not JSON",
	} {
		if _, got := parseFrame([]byte(in)); got != want {
			t.Errorf("%.60q: %q, want %q", in, got, want)
		}
	}
}

// FuzzParseFrame compares the scanner with encoding/json.
func FuzzParseFrame(f *testing.F) {
	for _, s := range []string{
		`{"type":"next","id":"1","payload":{"data":{"a":[1,2.5e-3,"x\u00e9\n"]},"errors":[]}}`,
		`{"payload":{"errors":[{"message":"m"}],"data":null},"id":-1.5E+2,"type":"data"}`,
		`{"t\u0079pe":"a","id":"\ud800","id":null,"payload":"x","payload":{}}`,
		` [ ] `, `{"type":""}`, `{"type":null}`, "{\"type\":\"\xff\"}", `{"":{},"type":"x"}`, `0`, `-`, `1.`, `tru`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, reason := parseFrame(b)
		if json.Valid(b) == (reason == "not JSON") {
			t.Fatalf("valid %v, but reason %q", json.Valid(b), reason)
		}
		if reason == "not JSON" {
			return
		}
		if isObject := bytes.TrimLeft(b, " \t\r\n")[0] == '{'; isObject == (reason == "not an object") {
			t.Fatalf("object %v, but reason %q", isObject, reason)
		}
		if reason == "not an object" {
			return
		}
		compareFrames(t, b, got, reason)
	})
}

// compareFrames checks a frame against what encoding/json finds in an object.
func compareFrames(t *testing.T, b []byte, got messageParts, reason string) {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	var typ string
	raw := want["type"]
	textual := len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &typ) == nil
	switch {
	case reason == "":
		if !textual {
			t.Fatalf("type %s accepted", raw)
		}
		sameText(t, "type", got.typ, raw)
	case reason == "no type" && raw != nil:
		t.Fatalf("type %s overlooked", raw)
	}
	if reason != "" {
		return // the rest of the frame is not checked
	}
	if id := want["id"]; len(id) > 0 && id[0] == '"' {
		sameText(t, "id", got.id, id)
	} else if (got.id == nil) != (len(id) == 0 || id[0] == 'n') {
		t.Fatalf("id %q, want %s", got.id, id)
	}
	if !bytes.Equal(got.payload, want["payload"]) {
		t.Fatalf("payload %q, want %q", got.payload, want["payload"])
	}
	compareResults(t, want["payload"], got)
}

// compareResults checks what was found in a payload.
func compareResults(t *testing.T, payload []byte, got messageParts) {
	t.Helper()
	var result map[string]json.RawMessage
	if json.Unmarshal(payload, &result) != nil || result == nil {
		if got.isResult || got.hasData || got.hasErrors {
			t.Fatalf("%q is not a result", payload)
		}
		return
	}
	if data := result["data"]; got.hasData != (data != nil && string(data) != "null") {
		t.Fatalf("data %v for %s", got.hasData, data)
	}
	if !bytes.Equal(got.errors, result["errors"]) {
		t.Fatalf("errors %q, want %q", got.errors, result["errors"])
	}
	var list []any
	empty := json.Unmarshal(got.errors, &list) == nil && len(list) == 0 // null also counts as empty
	if got.hasErrors != (got.errors != nil && !empty) {
		t.Fatalf("has errors %v for %s", got.hasErrors, got.errors)
	}
}

// sameText compares a scanned text with a raw JSON string. Invalid UTF-8 is
// passed on unchanged, while encoding/json replaces it.
func sameText(t *testing.T, what string, got []byte, raw json.RawMessage) {
	t.Helper()
	var want string
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if strings.ToValidUTF8(string(got), "\ufffd") != want && !bytes.Equal(got, raw[1:len(raw)-1]) {
		t.Fatalf("%s %q, want %q", what, got, want)
	}
}
