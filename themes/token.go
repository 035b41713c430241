package themes

// Token is the meaning of a piece of text. The theme defines the style for it.
type Token uint8

// The tokens. Their names in a palette are in [Token.String].
const (
	Text             Token = iota // ordinary text; its background is the theme's background
	Dim                           // secondary text that must still be read
	Faint                         // decoration that may be overlooked
	Accent                        // attracts attention without alarm
	Title                         // page and panel titles
	Border                        // panel borders
	BorderFocus                   // border of the panel that has the keyboard focus
	Header                        // table header
	HeaderSorted                  // header of the column by which the table is sorted
	Selection                     // the selected row; drawn over the cells' own styles
	SelectionBlurred              // the selected row of a table without the keyboard focus
	Flash                         // a figure that just changed; drawn over its own style
	Match                         // a match of a filter or search
	OK                            // within target
	Warn                          // near or past the target
	Critical                      // needs action now
	Unknown                       // a value that the platform never sent
	Stale                         // a value that is no longer verified
	Pending                       // an action that the feed has not confirmed yet
	StateReady                    // agent states, from here to StateOther
	StateTalking                  // in conversation with a customer
	StateHold                     // conversation on hold
	StateBooked                   // reserved for a contact that is being delivered
	StateWrapUp                   // post-contact work
	StateNotReady                 // pausing
	StateDial                     // outbound or internal dialing
	StateOther                    // a state that has no token of its own
	Sparkline                     // small trend lines
	Gauge                         // filled part of a bar
	GaugeWarn                     // filled part past the warning level
	GaugeCritical                 // filled part past the critical level
	GaugeEmpty                    // the rest of a bar
	Series1                       // first part of a stacked bar or chart
	Series2                       // second part
	Series3                       // third part
	Series4                       // fourth part
	Series5                       // fifth part
	Series6                       // sixth part
	Digits                        // large figures on tiles
	Key                           // a key in the help
	KeyText                       // description of a key in the help
	Badge                         // neutral label with a background
	BadgeOK                       // label: good
	BadgeWarn                     // label: attention
	BadgeCritical                 // label: act
	BadgeReplay                   // label: a replay, not the present
	StatusBar                     // top and bottom lines
	Input                         // text being typed
	Button                        // dialog button
	ButtonActive                  // dialog button that Enter will press

	numTokens
)

// String returns the token's name in a palette.
func (t Token) String() string {
	if t >= numTokens {
		return "unknown token"
	}
	return tokenNames()[t]
}

// Tokens returns every token.
func Tokens() []Token {
	out := make([]Token, numTokens)
	for i := range out {
		out[i] = Token(i)
	}
	return out
}

func tokenNames() [numTokens]string {
	return [...]string{
		Text: "text", Dim: "dim", Faint: "faint", Accent: "accent", Title: "title",
		Border: "border", BorderFocus: "borderFocus",
		Header: "header", HeaderSorted: "headerSorted",
		Selection: "selection", SelectionBlurred: "selectionBlurred",
		Flash: "flash", Match: "match",
		OK: "ok", Warn: "warn", Critical: "critical",
		Unknown: "unknown", Stale: "stale", Pending: "pending",
		StateReady: "stateReady", StateTalking: "stateTalking", StateHold: "stateHold",
		StateBooked: "stateBooked", StateWrapUp: "stateWrapUp", StateNotReady: "stateNotReady",
		StateDial: "stateDial", StateOther: "stateOther",
		Sparkline: "sparkline", Gauge: "gauge", GaugeWarn: "gaugeWarn",
		GaugeCritical: "gaugeCritical", GaugeEmpty: "gaugeEmpty",
		Series1: "series1", Series2: "series2", Series3: "series3",
		Series4: "series4", Series5: "series5", Series6: "series6",
		Digits: "digits", Key: "key", KeyText: "keyText",
		Badge: "badge", BadgeOK: "badgeOK", BadgeWarn: "badgeWarn", BadgeCritical: "badgeCritical", BadgeReplay: "badgePast",
		StatusBar: "statusBar", Input: "input", Button: "button", ButtonActive: "buttonActive",
	}
}
