package rtd

import "bytes"

// messageFaults describes the faults to apply to a subscription message.
type messageFaults struct {
	lose, repeat, delayed bool
	truncate, misshape    bool
	nullFields            bool // set the keys and fields of all records to null
	huge                  int  // minimum length of the payload in bytes
}

// nextMessageFaults returns the faults of the next message. delta reports whether
// it is an update.
func (f *Faults) nextMessageFaults(delta bool) messageFaults {
	f.mu.Lock()
	defer f.mu.Unlock()
	var t messageFaults
	if delta && f.lose > 0 {
		f.lose--
		t.lose = true
		return t
	}
	if delta && f.reorder > 0 {
		f.reorder--
		t.delayed = true
		return t
	}
	if delta && f.repeat > 0 {
		f.repeat--
		t.repeat = true
	}
	if delta && f.nonsense > 0 {
		f.nonsense--
		t.nullFields = true
	}
	if f.malformed > 0 {
		f.malformed--
		f.mangled++
		t.truncate = f.mangled%2 == 1
		t.misshape = !t.truncate
	}
	t.huge, f.huge = f.huge, 0
	return t
}

// payload returns the payload with the faults applied.
func (t messageFaults) payload(p []byte) []byte {
	if t.misshape {
		return misshapen(p)
	}
	if t.nullFields {
		return []byte(`{"data":{` + rootOf(p) + `:[{"username":null,"code":null,"id":null,"campaignId":null,"channel":null}]}}`)
	}
	if missing := t.huge - len(p); missing > 0 {
		p = append(p[:len(p)-1], `,"extensions":{"padding":"`...)
		p = append(p, bytes.Repeat([]byte("x"), missing)...)
		p = append(p, `"}}`...)
	}
	return p
}

// rootOf returns the first root field of a payload, in quotes.
func rootOf(p []byte) string {
	if rest, ok := bytes.CutPrefix(p, []byte(`{"data":{`)); ok {
		return string(rest[:stringLength(rest)])
	}
	return `"users"`
}

// misshapen returns a payload with the same root field and a record whose fields
// have wrong types.
func misshapen(p []byte) []byte {
	return []byte(`{"data":{` + rootOf(p) + `:[{"username":{"first":"name"},"code":[1],"channel":7,"status":[],` +
		`"mutation":{},"statuses":"none","channelStats":"none","userStats":[0],"timeInState":{},` +
		`"id":"x","campaignId":{},"loggedProfileId":"x"}]}}`)
}
