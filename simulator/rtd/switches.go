package rtd

import (
	"cmp"
	"errors"
	"slices"

	"wallboard/simulator/wire"
)

// FirstMessage says what a subscription sends before anything has changed.
type FirstMessage string

// What a subscription may send first.
const (
	FirstFull  FirstMessage = "full"  // every selected record with every field
	FirstDelta FirstMessage = "delta" // at once, but only what the latest step changed, perhaps nothing
	FirstNone  FirstMessage = "none"  // nothing until something changes
	FirstKeys  FirstMessage = "keys"  // every selected record, but only what names it
)

// Arrivals says how an update tells of a record that comes under the filter,
// for example of an agent who logs in.
type Arrivals string

// How a record may arrive.
const (
	ArrivalsWhole Arrivals = "whole" // with every field
	ArrivalsKeys  Arrivals = "keys"  // only what names it; later updates tell what changes
)

// NullKeys says how an update writes a field that did not change.
type NullKeys string

// How an update may write what did not change.
const (
	NullKeysPresent NullKeys = "present" // as null
	NullKeysAbsent  NullKeys = "absent"  // not at all
)

// Numbers is the form of counters and other numeric fields.
type Numbers string

// The forms of a number, here of 5.
const (
	NumbersInt    Numbers = "int"    // 5
	NumbersFloat  Numbers = "float"  // 5.0
	NumbersString Numbers = "string" // "5"
)

// DateForm is the form of the scalar Date.
type DateForm string

// The forms of a Date.
const (
	DateISO          DateForm = "iso"          // "2026-03-04T10:30:00.000Z"
	DateSeconds      DateForm = "seconds"      // since 1970, a whole number
	DateMilliseconds DateForm = "milliseconds" // since 1970
)

// The other forms of a Date: instants as fractions and microseconds, texts with
// another zone and without one, and, since document 2 calls timeInState "time in
// the current state", how long that lasts.
const (
	DateFraction      DateForm = "fraction"       // seconds since 1970 with milliseconds behind the point
	DateMicroseconds  DateForm = "microseconds"   // since 1970
	DateOffset        DateForm = "iso-offset"     // "2026-03-04T12:30:00.000+02:00"
	DateLocal         DateForm = "iso-local"      // "2026-03-04T12:30:00.000", two hours ahead of UTC
	DateElapsed       DateForm = "elapsed"        // whole seconds since then
	DateElapsedPart   DateForm = "elapsed-part"   // seconds since then, with milliseconds behind the point
	DateElapsedMillis DateForm = "elapsed-millis" // milliseconds since then
	DateElapsedMicros DateForm = "elapsed-micros" // microseconds since then
	DateElapsedClock  DateForm = "elapsed-clock"  // "0:10:19", hours, minutes and seconds since then
)

// Elapsed reports whether the form tells how long ago an instant was. Such dates
// are good to a second or two.
func (f DateForm) Elapsed() bool {
	switch f {
	case DateElapsed, DateElapsedPart, DateElapsedMillis, DateElapsedMicros, DateElapsedClock:
		return true
	case DateISO, DateSeconds, DateMilliseconds, DateFraction, DateMicroseconds, DateOffset, DateLocal:
	}
	return false
}

// InstantForms are the forms that tell an instant itself.
func InstantForms() []DateForm {
	return slices.DeleteFunc(dateForms(), DateForm.Elapsed)
}

func dateForms() []DateForm {
	return []DateForm{
		DateISO, DateSeconds, DateMilliseconds, DateFraction, DateMicroseconds, DateOffset, DateLocal,
		DateElapsed, DateElapsedPart, DateElapsedMillis, DateElapsedMicros, DateElapsedClock,
	}
}

// NeverHeld is timeInHold.timeInState of an agent who has not held a call.
type NeverHeld string

// What may stand for the instant of a hold that never was.
const (
	NeverHeldLogin    NeverHeld = "login"    // the instant of the login
	NeverHeldZero     NeverHeld = "zero"     // 0
	NeverHeldNull     NeverHeld = "null"     // null
	NeverHeldEmpty    NeverHeld = "empty"    // ""
	NeverHeldNegative NeverHeld = "negative" // -1
	NeverHeldEpoch    NeverHeld = "epoch"    // "1970-01-01T00:00:00.000Z"
	NeverHeldFar      NeverHeld = "far"      // "9999-12-31T23:59:59.999Z"
	NeverHeldQuoted   NeverHeld = "quoted"   // "0"
)

// Lengths is the unit of the times whose unit document 2 does not show:
// timeInHold.time, totalTime, maxTimeCallOnQueue and averageTimeOnQueue.
type Lengths string

// The units of those times.
const (
	LengthsSeconds      Lengths = "seconds"
	LengthsMilliseconds Lengths = "milliseconds"
)

// FilterForm says in which form a filter may come.
type FilterForm string

// The forms of a filter that a server may accept.
const (
	FiltersAny       FilterForm = "any"
	FiltersLiteral   FilterForm = "literals"  // requests with variables are refused
	FiltersVariables FilterForm = "variables" // requests with a filter written out are refused
)

// ChannelTypes says of which types the figures of a service are (channelStats).
type ChannelTypes string

// The types that the figures of a service may be of.
const (
	TypesOne       ChannelTypes = "one"       // that of document 2 on every channel
	TypesUnion     ChannelTypes = "union"     // one of its own where the channel is not calls
	TypesInterface ChannelTypes = "interface" // the same, and what they share is an interface
	TypesEach      ChannelTypes = "each"      // one of its own on each channel
)

// Upgrade says what becomes of a request to upgrade to a WebSocket.
type Upgrade string

// What may become of an upgrade.
const (
	UpgradePasses   Upgrade = "passes"
	UpgradeStripped Upgrade = "stripped"    // a proxy takes the header out: it is answered as a plain GET
	UpgradeRefused  Upgrade = "refused"     // 426
	UpgradeNoRoute  Upgrade = "bad-gateway" // 502, while plain requests pass
	UpgradeCut      Upgrade = "cut"         // the connection is closed
)

// The WebSocket sub-protocols of document 2, section WebSocket.
const (
	SubprotocolLegacy    = "graphql-ws"
	SubprotocolTransport = "graphql-transport-ws"
)

// Switches settle what document 2 leaves open, so that a client can be tried
// against every reading of it. The zero value of each is its default.
type Switches struct {
	FirstMessage    FirstMessage // default full
	NullKeys        NullKeys     // default present
	Numbers         Numbers      // default int
	DateForm        DateForm     // default iso
	QuotedDates     bool         // dates that are numbers come as texts
	NeverHeld       NeverHeld    // default login
	Lengths         Lengths      // default seconds
	RenamedRoots    bool         // subscription users is onUsersChanged, and so on
	NoIntrospection bool         // refuse __schema and __type
	KeylessDeltas   bool         // updates leave out code, channel, username and so on, where the schema allows null
	PartialLists    bool         // updates of keyed lists hold the changed elements only, not the whole list
	MissingFields   []string     // fields that the schema lacks, as Type.field
	Shapes          []string     // fields of another shape than document 2 shows, as Type.field=shape
	ChannelTypes    ChannelTypes // default one
	ErrorWords      ErrorWords   // default graphql-go
	Filters         FilterForm   // default any
	MaxFilterKeys   int          // most keys that the filter of a request may name; 0 is no bound
	MaxRequest      int          // longest message in bytes, else the connection is closed with 1009; 0 is no bound
	Upgrade         Upgrade      // default passes
	Subprotocols    []string     // accepted ones, the preferred first; default transport, then legacy
	// SubprotocolRefusal is how a client is refused that offers none of them;
	// default close.
	SubprotocolRefusal SubprotocolRefusal
	// SocketAuth is what a WebSocket is let in by; default any. With
	// AuthAtUpgrade it has to be in a cookie, and what is missing or wrong there
	// is answered with 401: a token in connection_init would come too late.
	SocketAuth    SocketAuth
	AuthAtUpgrade bool
	Rules         Rules // beyond document 2; default none
}

// WithDefaults returns the switches in which every zero value is its default.
func (s Switches) WithDefaults() Switches {
	s.FirstMessage = cmp.Or(s.FirstMessage, FirstFull)
	s.NullKeys = cmp.Or(s.NullKeys, NullKeysPresent)
	s.Numbers = cmp.Or(s.Numbers, NumbersInt)
	s.DateForm = cmp.Or(s.DateForm, DateISO)
	s.NeverHeld = cmp.Or(s.NeverHeld, NeverHeldLogin)
	s.Lengths = cmp.Or(s.Lengths, LengthsSeconds)
	s.Filters = cmp.Or(s.Filters, FiltersAny)
	s.ChannelTypes = cmp.Or(s.ChannelTypes, TypesOne)
	s.ErrorWords = cmp.Or(s.ErrorWords, WordsGo)
	s.Upgrade = cmp.Or(s.Upgrade, UpgradePasses)
	s.SocketAuth = cmp.Or(s.SocketAuth, SocketAuthAny)
	s.SubprotocolRefusal = cmp.Or(s.SubprotocolRefusal, SubprotocolRefusalClose)
	if len(s.Subprotocols) == 0 {
		s.Subprotocols = []string{SubprotocolTransport, SubprotocolLegacy}
	}
	return s
}

// Validate says which switch has no such position. The zero value of each is
// its default.
func (s Switches) Validate() error {
	s = s.WithDefaults()
	if err := errors.Join(
		wire.OneOf("first message", s.FirstMessage, FirstFull, FirstDelta, FirstNone, FirstKeys),
		wire.OneOf("null keys", s.NullKeys, NullKeysPresent, NullKeysAbsent),
		wire.OneOf("numbers", s.Numbers, NumbersInt, NumbersFloat, NumbersString),
		wire.OneOf("date form", s.DateForm, dateForms()...),
		wire.OneOf("never held", s.NeverHeld, NeverHeldLogin, NeverHeldZero, NeverHeldNull, NeverHeldEmpty, NeverHeldNegative, NeverHeldEpoch, NeverHeldFar, NeverHeldQuoted),
		wire.OneOf("lengths", s.Lengths, LengthsSeconds, LengthsMilliseconds),
		wire.OneOf("filters", s.Filters, FiltersAny, FiltersLiteral, FiltersVariables),
		wire.OneOf("upgrade", s.Upgrade, UpgradePasses, UpgradeStripped, UpgradeRefused, UpgradeNoRoute, UpgradeCut),
		s.validateSocket(), s.Rules.validate(),
		wire.OneOf("channel types", s.ChannelTypes, TypesOne, TypesUnion, TypesInterface, TypesEach),
		wire.OneOf("error words", s.ErrorWords, AllErrorWords()...),
	); err != nil {
		return err
	}
	sdl, err := s.sdl()
	if err != nil {
		return err
	}
	if _, err = newFacade(sdl, s.Shapes, s.Rules); err != nil {
		return err
	}
	for _, p := range s.Subprotocols {
		err = errors.Join(err, wire.OneOf("sub-protocol", p, SubprotocolTransport, SubprotocolLegacy))
	}
	return err
}
