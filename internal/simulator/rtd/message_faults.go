package rtd

import "bytes"

// messageFaults holds the faults to apply to a subscription message.
type messageFaults struct {
	lose, repeat, delayed bool
	truncate, misshape    bool
	nullFields            bool // replace the records by one whose fields, including the keys, are null
	minBytes              int  // minimum length of the payload in bytes
}

// nextMessageFaults returns the faults for the next message, and counts them down. delta
// reports whether the message is an update.
func (f *Faults) nextMessageFaults(delta bool) messageFaults {
	f.mu.Lock()
	defer f.mu.Unlock()
	var t messageFaults
	if delta && f.deltasToLose > 0 {
		f.deltasToLose--
		t.lose = true
		return t
	}
	if delta && f.deltasToReorder > 0 {
		f.deltasToReorder--
		t.delayed = true
		return t
	}
	if delta && f.deltasToRepeat > 0 {
		f.deltasToRepeat--
		t.repeat = true
	}
	if delta && f.recordsToNull > 0 {
		f.recordsToNull--
		t.nullFields = true
	}
	if f.messagesToCorrupt > 0 {
		f.messagesToCorrupt--
		f.corruptedMessages++
		t.truncate = f.corruptedMessages%2 == 1
		t.misshape = !t.truncate
	}
	t.minBytes, f.minMessageBytes = f.minMessageBytes, 0
	return t
}

// applyTo returns the payload p after applying the faults that change its content.
func (t messageFaults) applyTo(p []byte) []byte {
	if t.misshape {
		return misshapenPayload(p)
	}
	if t.nullFields {
		return []byte(`{"data":{` + rootFieldOf(p) + `:[{"username":null,"code":null,"id":null,"campaignId":null,"channel":null}]}}`)
	}
	if missing := t.minBytes - len(p); missing > 0 {
		p = append(p[:len(p)-1], `,"extensions":{"padding":"`...)
		p = append(p, bytes.Repeat([]byte("x"), missing)...)
		p = append(p, `"}}`...)
	}
	return p
}

// rootFieldOf returns the name of the first root field in a payload, in quotes.
func rootFieldOf(p []byte) string {
	if rest, ok := bytes.CutPrefix(p, []byte(`{"data":{`)); ok {
		return string(rest[:stringLength(rest)])
	}
	return `"users"`
}

// misshapenPayload returns a payload with the root field of p and a single record whose fields
// have wrong types.
func misshapenPayload(p []byte) []byte {
	return []byte(`{"data":{` + rootFieldOf(p) + `:[{"username":{"first":"name"},"code":[1],"channel":7,"status":[],` +
		`"mutation":{},"statuses":"none","channelStats":"none","userStats":[0],"timeInState":{},` +
		`"id":"x","campaignId":{},"loggedProfileId":"x"}]}}`)
}
