package rtd

import (
	"cmp"
	"errors"
	"slices"

	"wallboard/internal/simulator/webservice"
)

// FirstMessage selects the first message of a subscription.
type FirstMessage string

// Values of FirstMessage.
const (
	FirstFull  FirstMessage = "full"  // all selected records with all fields
	FirstDelta FirstMessage = "delta" // the changes of the latest step, perhaps none
	FirstNone  FirstMessage = "none"  // no message until a record changes
	FirstKeys  FirstMessage = "keys"  // all selected records, with only their keys
)

// Arrivals selects the update for a record that starts to match the filter, for
// example when an agent logs in.
type Arrivals string

// Values of Arrivals.
const (
	ArrivalsWhole Arrivals = "whole" // all fields
	ArrivalsKeys  Arrivals = "keys"  // only the key fields; later updates add other fields when they change
)

// NullKeys selects how an update represents unchanged fields.
type NullKeys string

// Values of NullKeys.
const (
	NullKeysPresent NullKeys = "present" // null
	NullKeysAbsent  NullKeys = "absent"  // the key is missing
)

// Numbers selects the format of numeric fields.
type Numbers string

// Values of Numbers. The comments show the encoding of the number 5.
const (
	NumbersInt    Numbers = "int"    // 5
	NumbersFloat  Numbers = "float"  // 5.0
	NumbersString Numbers = "string" // "5"
)

// DateForm selects the format of the scalar Date.
type DateForm string

// Values of DateForm.
const (
	DateISO          DateForm = "iso"          // "2026-03-04T10:30:00.000Z"
	DateSeconds      DateForm = "seconds"      // seconds since 1970, an integer
	DateMilliseconds DateForm = "milliseconds" // milliseconds since 1970
)

// Further values of DateForm. Some are the instant itself, others the time elapsed since the
// instant. A platform may send the elapsed time, because document 2 describes timeInState as
// "time in the current state".
const (
	DateFraction        DateForm = "fraction"       // seconds since 1970 with three decimals
	DateMicroseconds    DateForm = "microseconds"   // microseconds since 1970
	DateOffset          DateForm = "iso-offset"     // "2026-03-04T12:30:00.000+02:00"
	DateLocal           DateForm = "iso-local"      // "2026-03-04T12:30:00.000" at UTC+2
	DateElapsed         DateForm = "elapsed"        // integer seconds since the instant
	DateElapsedFraction DateForm = "elapsed-part"   // seconds since the instant with three decimals
	DateElapsedMillis   DateForm = "elapsed-millis" // milliseconds since the instant
	DateElapsedMicros   DateForm = "elapsed-micros" // microseconds since the instant
	DateElapsedClock    DateForm = "elapsed-clock"  // "0:10:19", the hours, minutes and seconds since the instant
)

// Elapsed reports whether the format is a time elapsed since an instant instead of the instant
// itself. An instant computed from it is accurate only to a second or two.
func (f DateForm) Elapsed() bool {
	switch f {
	case DateElapsed, DateElapsedFraction, DateElapsedMillis, DateElapsedMicros, DateElapsedClock:
		return true
	case DateISO, DateSeconds, DateMilliseconds, DateFraction, DateMicroseconds, DateOffset, DateLocal:
	}
	return false
}

// InstantForms returns the formats that give the instant itself.
func InstantForms() []DateForm {
	return slices.DeleteFunc(dateForms(), DateForm.Elapsed)
}

func dateForms() []DateForm {
	return []DateForm{
		DateISO, DateSeconds, DateMilliseconds, DateFraction, DateMicroseconds, DateOffset, DateLocal,
		DateElapsed, DateElapsedFraction, DateElapsedMillis, DateElapsedMicros, DateElapsedClock,
	}
}

// NeverHeld selects the value of timeInHold.timeInState for an agent who has not held a call
// since the login.
type NeverHeld string

// Values of NeverHeld.
const (
	NeverHeldLogin    NeverHeld = "login"    // time of the login
	NeverHeldZero     NeverHeld = "zero"     // 0
	NeverHeldNull     NeverHeld = "null"     // null
	NeverHeldEmpty    NeverHeld = "empty"    // ""
	NeverHeldNegative NeverHeld = "negative" // -1
	NeverHeldEpoch    NeverHeld = "epoch"    // "1970-01-01T00:00:00.000Z"
	NeverHeldFar      NeverHeld = "far"      // "9999-12-31T23:59:59.999Z"
	NeverHeldQuoted   NeverHeld = "quoted"   // "0"
)

// DurationUnit selects the unit of the durations for which document 2 specifies none:
// timeInHold.time, totalTime, maxTimeCallOnQueue and averageTimeOnQueue.
type DurationUnit string

// Values of DurationUnit.
const (
	DurationsInSeconds      DurationUnit = "seconds"
	DurationsInMilliseconds DurationUnit = "milliseconds"
)

// FilterForm selects the forms of filters that a server accepts.
type FilterForm string

// Values of FilterForm.
const (
	FiltersAny       FilterForm = "any"
	FiltersLiteral   FilterForm = "literals"  // refuse requests with variables
	FiltersVariables FilterForm = "variables" // refuse requests with a literal filter
)

// ChannelTypes selects the types of a service's counters (channelStats) on the channels.
type ChannelTypes string

// Values of ChannelTypes.
const (
	TypesOne       ChannelTypes = "one"       // the type of document 2 for all channels
	TypesUnion     ChannelTypes = "union"     // channels other than calls have a second type, in the union of document 2
	TypesInterface ChannelTypes = "interface" // the two types of TypesUnion, with an interface instead of the union
	TypesEach      ChannelTypes = "each"      // a separate type for each channel
)

// Upgrade selects how the server or a proxy answers WebSocket upgrade requests.
type Upgrade string

// Values of Upgrade.
const (
	UpgradePasses   Upgrade = "passes"
	UpgradeStripped Upgrade = "stripped"    // a proxy removes the header Upgrade, so the server answers a plain GET
	UpgradeRefused  Upgrade = "refused"     // answer 426
	UpgradeNoRoute  Upgrade = "bad-gateway" // answer 502, although plain requests succeed
	UpgradeCut      Upgrade = "cut"         // cut the connection
)

// WebSocket sub-protocols of document 2, section WebSocket.
const (
	SubprotocolLegacy    = "graphql-ws"
	SubprotocolTransport = "graphql-transport-ws"
)

// Switches selects the behavior of the service where document 2 leaves it open, for testing a
// client against all interpretations. The zero value of a switch selects its default.
type Switches struct {
	FirstMessage    FirstMessage // default full
	NullKeys        NullKeys     // default present
	Numbers         Numbers      // default int
	DateForm        DateForm     // default iso
	QuotedDates     bool         // encode numeric dates as strings
	NeverHeld       NeverHeld    // default login
	DurationUnit    DurationUnit // default seconds
	RenamedRoots    bool         // rename subscriptions, for example users to onUsersChanged
	NoIntrospection bool         // refuse requests for __schema and __type
	KeylessDeltas   bool         // updates omit code, channel, username and other keys if the schema allows null
	PartialLists    bool         // lists with keys in updates contain only the changed elements
	MissingFields   []string     // fields that the schema omits, as Type.field
	Shapes          []string     // fields whose shape differs from document 2, as Type.field=shape
	ChannelTypes    ChannelTypes // default one
	ErrorWords      ErrorWords   // default graphql-go
	Filters         FilterForm   // default any
	MaxFilterKeys   int          // maximum number of record keys in the filters of a request; 0: no limit
	MaxRequest      int          // maximum message size in bytes, above which the connection is closed with 1009; 0: no limit
	Upgrade         Upgrade      // default passes
	Subprotocols    []string     // accepted sub-protocols, the preferred one first; default: transport, then legacy
	// SubprotocolRefusal selects how the server refuses a client that offers no accepted
	// sub-protocol; default: close.
	SubprotocolRefusal SubprotocolRefusal
	SocketAuth         SocketAuth // credentials that a WebSocket accepts; default any
	// AuthAtUpgrade answers an upgrade request with 401 if its cookies contain no valid
	// credentials. A token in connection_init is then too late.
	AuthAtUpgrade bool
	Rules         Rules // restrictions that document 2 does not mention; default: none
}

// WithDefaults returns the switches with zero values replaced by the defaults.
func (s Switches) WithDefaults() Switches {
	s.FirstMessage = cmp.Or(s.FirstMessage, FirstFull)
	s.NullKeys = cmp.Or(s.NullKeys, NullKeysPresent)
	s.Numbers = cmp.Or(s.Numbers, NumbersInt)
	s.DateForm = cmp.Or(s.DateForm, DateISO)
	s.NeverHeld = cmp.Or(s.NeverHeld, NeverHeldLogin)
	s.DurationUnit = cmp.Or(s.DurationUnit, DurationsInSeconds)
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

// Validate reports switches with invalid values. The zero value of a switch selects its default.
func (s Switches) Validate() error {
	s = s.WithDefaults()
	if err := errors.Join(
		webservice.CheckOneOf("first message", s.FirstMessage, FirstFull, FirstDelta, FirstNone, FirstKeys),
		webservice.CheckOneOf("null keys", s.NullKeys, NullKeysPresent, NullKeysAbsent),
		webservice.CheckOneOf("numbers", s.Numbers, NumbersInt, NumbersFloat, NumbersString),
		webservice.CheckOneOf("date form", s.DateForm, dateForms()...),
		webservice.CheckOneOf("never held", s.NeverHeld, NeverHeldLogin, NeverHeldZero, NeverHeldNull, NeverHeldEmpty, NeverHeldNegative, NeverHeldEpoch, NeverHeldFar, NeverHeldQuoted),
		webservice.CheckOneOf("lengths", s.DurationUnit, DurationsInSeconds, DurationsInMilliseconds),
		webservice.CheckOneOf("filters", s.Filters, FiltersAny, FiltersLiteral, FiltersVariables),
		webservice.CheckOneOf("upgrade", s.Upgrade, UpgradePasses, UpgradeStripped, UpgradeRefused, UpgradeNoRoute, UpgradeCut),
		s.validateSocket(), s.Rules.validate(),
		webservice.CheckOneOf("channel types", s.ChannelTypes, TypesOne, TypesUnion, TypesInterface, TypesEach),
		webservice.CheckOneOf("error words", s.ErrorWords, AllErrorWords()...),
	); err != nil {
		return err
	}
	sdl, err := s.sdl()
	if err != nil {
		return err
	}
	if _, err = newClientSchema(sdl, &s); err != nil {
		return err
	}
	for _, p := range s.Subprotocols {
		err = errors.Join(err, webservice.CheckOneOf("sub-protocol", p, SubprotocolTransport, SubprotocolLegacy))
	}
	return err
}
