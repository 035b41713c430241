package restclient

import "testing"

// TestWhatAnErrorSaysOfFields checks that the wrong field is found in errors in the formats of common
// frameworks. The format of the platform is not documented.
func TestWhatAnErrorSaysOfFields(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`"gone"`:                                "gone",
		`{"message":"gone"}`:                    "gone",
		`{"error":{"code":7,"message":"gone"}}`: "gone",
		`{"exception":"x.GenericObjectRequiredException","message":"name is required"}`:                                                                     "name is required",
		`{"message":"is required","field":"serviceCode"}`:                                                                                                   "serviceCode: is required",
		`{"error":"Precondition Failed","message":"Validation failed","path":"/rest/x","errors":[{"field":"priority","defaultMessage":"must be above 0"}]}`: "Validation failed; priority: must be above 0",
		`{"title":"Constraint Violation","status":412,"violations":[{"field":"a","message":"too long"},{"field":"b","message":"b is missing"}]}`:            "Constraint Violation; a: too long; b is missing",
		`{"title":"Not valid","invalid-params":[{"name":"age","reason":"must be positive"}]}`:                                                               "Not valid; age: must be positive",
		`{"errors":{"phoneNumber":["is not a number","is too long"],"text":"is missing"}}`:                                                                  "phoneNumber: is not a number; phoneNumber: is too long; text: is missing",
		`{"errors":[{"field":"age","code":"Min","params":{"min":1},"message":"too low"}]}`:                                                                  "age: too low",
		`{"errors":["the number","the text"]}`:                                                                                                              "the number; the text",
		`[{"message":"size must be between 0 and 20","path":"create.arg0.name"}]`:                                                                           "create.arg0.name: size must be between 0 and 20",
		`{"message":"cut off","trace":"at a.b(`:                                                                                                             "cut off",
		`{"trace":"at a.b(","message":"cut o`:                                                                                                               `{"trace":"at a.b(","message":"cut o`,
		`{"code":7}`:                                                                                                                                        `{"code":7}`,
		`[[[[[[[[[["deep"`:                                                                                                                                  `[[[[[[[[[["deep"`,
	} {
		if got := excerpt(body); got != want {
			t.Errorf("%s says %q, want %q", body, got, want)
		}
	}
}

func TestWordsAreForPeople(t *testing.T) {
	t.Parallel()
	for excerpt, want := range map[string]string{
		"id is required": "id is required",
		"GenericObjectRequiredException: id is required":                                  "id is required",
		"com.vendor.GenericObjectRequiredException: id is required at a.b(C.java:1) at d": "id is required",
		"GenericObjectRequiredException":                                                  "",
		"com.vendor.GenericObjectRequiredException":                                       "",
		`{"code":7}`:                   "",
		"":                             "",
		"call the number at once: now": "call the number at once: now",
	} {
		if got := (&Error{Excerpt: excerpt}).UserMessage(); got != want {
			t.Errorf("%q is %q, want %q", excerpt, got, want)
		}
	}
}
