package proof_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// unlikeTypes returns switches for a platform on which every channel has its own type
// of counters, with its own fields: voice has all of them, chat and mail a few, the
// others some.
func unlikeTypes() rtd.Switches {
	lacks := func(channel string, fields ...string) (out []string) {
		for _, f := range fields {
			out = append(out, rtd.MediaType(channel)+"."+f)
		}
		return out
	}
	outbound := []string{"outboundAnsweredCalls", "outboundClosedCallsGenericCause", "outboundHangupCalls", "outboundReceivedCalls"}
	vendor := []string{
		"receivedCallsWithVendor4you", "receivedCallsWithVendor4youAnonymous", "receivedCallsWithVendor4youMultiple",
		"receivedCallsWithVendor4youSingle", "receivedCallsInAccessList", "closedCallsCallBack",
	}
	return rtd.Switches{ChannelTypes: rtd.TypesEach, MissingFields: slices.Concat(
		lacks("CHAT", outbound...), lacks("CHAT", vendor...), lacks("CHAT", "connectedCall", "currentCalls", "shortCalls"),
		lacks("MAIL_ACD", outbound...), lacks("MAIL_ACD", vendor...), lacks("MAIL_ACD", "maxTimeCallOnQueue"),
		lacks("CUSTOM_1", outbound...), lacks("CUSTOM_2", vendor...), lacks("CUSTOM_3", "answeredCallsUnderSpeedLimit", "shortCalls"),
		lacks("VIDEO", vendor...),
	)}
}

// unlikePlatforms returns such platforms with every first message, with and without
// gathered updates, and with a hidden schema.
func unlikePlatforms() []*run {
	var runs []*run
	for i, first := range []rtd.FirstMessage{rtd.FirstFull, rtd.FirstDelta, rtd.FirstNone, rtd.FirstKeys} {
		for j, gather := range []time.Duration{0, 300 * time.Millisecond, time.Second} {
			d := dialect{Switches: unlikeTypes(), gather: gather, arrivals: []rtd.Arrivals{rtd.ArrivalsWhole, rtd.ArrivalsKeys}[(i+j)%2]}
			d.FirstMessage, d.NoIntrospection = first, (i+j)%2 == 1
			d.name = fmt.Sprintf("first %s, arrivals %s, gathers %v, schema hidden %v", first, d.arrivals, gather, d.NoIntrospection)
			runs = append(runs, &run{
				seed: uint64(10*i + j), dialect: d, lossless: true, churn: 30, agents: 30, traffic: 20, channels: world.NumChannels,
			})
		}
	}
	return runs
}

// TestUnlikeTypes runs the board on platforms whose channels have unlike types, with 20
// to 50 updates per second. No unmarked figure may be older than with one type.
// UNLIKE_MINUTES is the duration (default 1).
func TestUnlikeTypes(t *testing.T) {
	t.Parallel()
	length := time.Duration(setting(t, "UNLIKE_MINUTES", 1)) * time.Minute
	for i, r := range unlikePlatforms() {
		t.Run(r.dialect.name, func(t *testing.T) {
			t.Parallel()
			if testkit.Race && i%6 != 0 {
				t.Skip("some are enough for the race detector")
			}
			r.length, r.oldest = length, churnOldest+r.dialect.gather
			synctest.Test(t, func(t *testing.T) {
				r.play(t)
				var updates uint64
				for _, sub := range r.feed.Latest().Health.Subscriptions {
					updates += sub.Updates
				}
				t.Logf("%.0f updates per second", float64(updates)/r.length.Seconds())
			})
		})
	}
}

// TestStartWithUnlikeTypes starts the board on these platforms and pauses them 1 to 6 s
// later. Two seconds after that all unmarked figures must be equal. UNLIKE_STARTS is the
// number of starts (default 6).
func TestStartWithUnlikeTypes(t *testing.T) {
	t.Parallel()
	for i := range setting(t, "UNLIKE_STARTS", 6) {
		all := unlikePlatforms()
		r := all[i*5%len(all)]
		after := time.Second + time.Duration(i*7%51)*100*time.Millisecond
		t.Run(fmt.Sprintf("%d %s, frozen after %v", i, r.dialect.name, after), func(t *testing.T) {
			t.Parallel()
			if testkit.Race && i%6 != 0 {
				t.Skip("some are enough for the race detector")
			}
			r.seed, r.oldest = uint64(i), 2*time.Second
			synctest.Test(t, func(t *testing.T) { r.start(t, after) })
		})
	}
}

// typeLacks reports whether the type of a record's channel lacks a field.
func (d *dialect) typeLacks(at id, path string) bool {
	field, counter := strings.CutPrefix(path, "channelStats.")
	_, channel, _ := strings.Cut(at.key, "/")
	return counter && d.ChannelTypes == rtd.TypesEach && at.operation == string(model.OpServices) &&
		slices.Contains(d.MissingFields, rtd.MediaType(channel)+"."+field)
}
