package merge_test

import (
	"testing"
)

// FuzzMerge compares with the oracle on arbitrary input. The first byte selects
// the subscription.
func FuzzMerge(f *testing.F) {
	for i, s := range subjects() {
		w := &writer{}
		f.Add(byte(i), w.payload(s.name, s.key(0)))
		f.Add(byte(i), w.payload(s.name, s.key(0), s.key(1)))
	}
	const services, users, stats = 0, 2, 3
	for _, c := range traps() {
		f.Add(byte(stats), c.payload)
	}
	f.Add(byte(services), `{"data":{"serviceStats":[{"code":"s","channel":"CALL","channelStats":{"answeredCalls":3,"__typename":"X"},`+
		`"userStats":{"readyUsers":{"count":"2","profileIds":[1,2]},"activityCodeIndicators":{"activityCode":"a","count":1}},`+
		`"customStats":[{"value":{"value":1.5,"aggregatedValue":true},"key":"k"}]}]}}`)
	f.Add(byte(users), `{"data":{"users":{"username":"u","mutation":"CREATED","services":["a",null],"statuses":{"CALL":"READY"},"site":3}}}`)

	all := subjects()
	pictures := make([]picture, len(all))
	for i, s := range all {
		pictures[i] = s.open(f)
	}
	f.Fuzz(func(t *testing.T, which byte, payload string) {
		if len(payload) > 1<<16 {
			t.Skip("no list can be too long")
		}
		s := all[int(which)%len(all)]
		if v, err := decode(payload); err == nil && ambiguous(v, s.name) {
			t.Skip("an envelope with a key twice")
		}
		p, o := pictures[int(which)%len(all)].empty(), newOracle(s)
		agree(t, p, o, fullPayload(s, 0))
		agree(t, p, o, payload)
		agree(t, p, o, payload)
	})
}

// ambiguous reports whether a message has data, or a root field, twice.
func ambiguous(v any, root string) bool {
	envelope, _ := v.(parsed)
	data, _ := envelope.members["data"].(parsed)
	return envelope.twice["data"] || data.twice[root]
}

// fullPayload returns a message with one complete record.
func fullPayload(s subject, n int) string {
	return (&writer{}).payload(s.name, full(s, n))
}
