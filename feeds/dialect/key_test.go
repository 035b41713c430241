package dialect

import (
	"testing"

	"wallboard/model"
)

func TestFillKey(t *testing.T) {
	t.Parallel()
	key := recordKeyOf(model.ServiceKey{Code: `a"1`, Channel: model.Call}).members()
	for _, c := range []struct{ record, want string }{
		{`{"queuedCalls":3}`, `{"code":"a\"1","channel":"CALL","queuedCalls":3}`},
		{`{"code":null,"channel":null,"queuedCalls":3}`, `{"code":"a\"1","channel":"CALL","queuedCalls":3}`},
		{`{ "queuedCalls" : 3 , "code" : null }`, `{"code":"a\"1","channel":"CALL","queuedCalls":3}`},
		{`{"code":"a\"1","queuedCalls":3}`, `{"channel":"CALL","code":"a\"1","queuedCalls":3}`},
		{`{"channel":"CHAT","code":"b"}`, `{"channel":"CHAT","code":"b"}`}, // contains its own key
		{`{"inner":{"code":null},"code":"b","code":"c"}`, `{"channel":"CALL","inner":{"code":null},"code":"b","code":"c"}`},
		{`{}`, `{"code":"a\"1","channel":"CALL"}`},
		{`null`, `null`},
		{`{"code":`, `{"code":`},
	} {
		if got := string(fillKey([]byte(c.record), key)); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.record, got, c.want)
		}
	}
}
