package rtd_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
)

func TestShapes(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Switches: rtd.Switches{
		Shapes:       []string{"User.activeProfile=object", "User.site=list", "User.services=object", "UserStat.userSite=argument", "UserProfileStat.timeInHold=scalar"},
		ChannelTypes: rtd.TypesUnion, ErrorWords: rtd.WordsJS,
	}})
	good := `query { users(filter: {}) { username activeProfile { id } site services { id } } }`
	if body := bodyOf(t, s, good); strings.Contains(body, "errors") || !strings.Contains(body, `"activeProfile":{"id":`) ||
		!strings.Contains(body, `"site":[`) || !strings.Contains(body, `"services":[{"id":"`) {
		t.Errorf("%.400s", body)
	}
	for query, want := range map[string]string{
		`query { users(filter: {}) { username activeProfile } }`:                                                                      "must have a selection of subfields",
		`query { userProfileStats(filter: {CALL:{userProfiles:[1]}}) { id timeInHold { time } } }`:                                    "must not have a selection",
		`query { userStats(filter: {CALL:{users:["x"]}}) { username userSite } }`:                                                     "is required, but it was not provided",
		`query { __schema { types { name } } }`:                                                                                       "ActiveProfileOfUser",
		`query { __schema { types { name possibleTypes { name } } } }`:                                                                "ServiceMediaStat",
		`query { users(filter: {}) { surnames } }`:                                                                                    "Cannot query field",
		`query { serviceStats(filter: {CHAT:{services:["x"]}}) { code channelStats { ... on ServiceMediaStat { receivedCalls } } } }`: `"serviceStats":[]`,
	} {
		if body := bodyOf(t, s, query); !strings.Contains(body, want) {
			t.Errorf("%s: want %s\n%.400s", query, want, body)
		}
	}
	for _, bad := range []string{"User.x=object", "User.username=scalar", "User.activeProfile", "User.services=list"} {
		if s, err := simulator.New(simulator.Options{World: small(), Switches: rtd.Switches{Shapes: []string{bad}}}); err == nil {
			_ = s.Close()
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestErrorWords(t *testing.T) {
	t.Parallel()
	for words, want := range map[rtd.ErrorWords]string{
		rtd.WordsJava:         `Field 'nothing' in type 'User' is undefined`,
		rtd.WordsHotChocolate: "The field `nothing` does not exist on the type `User`.",
		rtd.WordsPython:       `Cannot query field 'nothing' on type 'User'.`,
		rtd.WordsRust:         `Unknown field "nothing" on type "User".`,
		rtd.WordsNone:         `Bad request`,
	} {
		s := start(t, simulator.Options{Switches: rtd.Switches{ErrorWords: words}})
		if body := bodyOf(t, s, `query { users(filter: {}) { nothing } }`); !strings.Contains(body, want) {
			t.Errorf("%s: %s", words, body)
		}
	}
}

func TestMissingFields(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Options{Switches: rtd.Switches{MissingFields: []string{"UserStat.userSite", "TimeInHold.time"}}})
	r := post(t, s, `{userStats(filter: {}) {username userSite}}`)
	if len(r.Errors) != 1 {
		t.Errorf("missing field: %+v", r)
	}
	r = post(t, s, `{userStats(filter: {}) {username site: status} operatorProfileStats(filter: {}) {timeInHold {timeInState}}}`)
	if len(r.Errors) > 0 {
		t.Errorf("the other fields: %+v", r)
	}
	for _, bad := range []string{"UserStat", "UserStat.nothing", "Nothing.code"} {
		if s, err := simulator.New(simulator.Options{World: small(), Switches: rtd.Switches{MissingFields: []string{bad}}}); err == nil {
			t.Errorf("%q was accepted", bad)
			_ = s.Close()
		}
	}
}

func TestNewSwitchesAreChecked(t *testing.T) {
	t.Parallel()
	for _, sw := range []rtd.Switches{{Filters: "both"}, {Upgrade: "maybe"}} {
		if sw.Validate() == nil {
			t.Errorf("%+v was accepted", sw)
		}
	}
	if err := (rtd.Switches{}).Validate(); err != nil {
		t.Error(err)
	}
}

// bodyOf returns the body of an answer as text.
func bodyOf(t *testing.T, s *simulator.Server, query string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.HTTPURL()+"?query="+url.QueryEscape(query), nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(send(t, req)), `\"`, `"`)
}
