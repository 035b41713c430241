package webboards

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/report/ask"
	"wallboard/internal/serve/web"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

//go:embed main.html
var mainTemplate string

// mainPage returns the parsed template, which nothing changes.
var mainPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("main").Funcs(template.FuncMap{
		"tell":      func(l *words.Language, t words.Text) string { return t.In(l) },
		"withWords": func(l *words.Language, s situationData) map[string]any { return map[string]any{"L": l, "S": s} },
		"iHaveIt":   words.WebIHaveIt, "iHavePlace": words.WebIHavePlace, "taken": words.WebTaken, "takenNote": words.AskTakenNote, "noFigures": words.WebNoFigures,
		"critical": words.WebCritical, "toCheck": words.WebToCheck, "takenOrEnding": words.WebTakenOrEnding, "old": words.SituationNoConnection, "partlyOld": words.WebPartlyOld,
		"asOf": words.WebAsOf, "since": words.NowOpenSince, "sinceAlone": words.NowSince, "situations": words.WebSituations, "figures": words.WebFigures, "waiting": words.WebWaiting,
		"breaks": words.WebBreaks, "forecast": words.WebForecast, "more": words.WebMore, "today": words.WebToday, "service": words.WebService, "longest": words.WebLongest,
		"ready": words.WebReady, "serviceLevel": words.WebServiceLevel, "noService": words.WebNoService,
	}).Parse(mainTemplate))
})

// Limits of what a page lists.
const (
	maxSituations = 20
	maxServices   = 60
)

// shownFloor is a floor that a page shows.
type shownFloor struct {
	Title string // name of the site or platform; "": none
	*ask.Responder
}

// writePage writes the page of text for desks and phones in a language, about the floors at the time at or,
// for the zero time, about the present. Every value comes from package ask, so that the page, the answers and
// the board agree. html/template escapes all texts.
func writePage(ctx context.Context, floors []shownFloor, at time.Time, l *words.Language) (*web.Page, error) {
	d := pageData{L: l}
	for i := range floors {
		f := writeFloor(ctx, &floors[i], i+1, at)
		d.Critical += f.Critical
		d.Floors = append(d.Floors, f)
	}
	d.Title = d.title()
	var b bytes.Buffer
	if err := mainPage().Execute(&b, d); err != nil {
		return nil, err
	}
	return web.NewPage(d.Title, b.Bytes()), nil
}

// pageData holds the values that the template shows.
type pageData struct {
	L        *words.Language
	Title    string
	Floors   []floorData
	Critical int
}

func (d *pageData) title() string {
	names := make([]string, 0, len(d.Floors))
	for i := range d.Floors {
		names = append(names, cmp.Or(d.Floors[i].Title, "Wallboard"))
	}
	title := strings.Join(names, ", ")
	if d.Critical > 0 {
		title = "▲ " + strconv.Itoa(d.Critical) + " " + title
	}
	return title
}

// floorData is a floor as the template shows it.
type floorData struct {
	Number  int
	Title   string
	Problem string // why there is nothing to show; "": there is something

	At                string // time of day of the figures
	Recorded          string // says from when recorded figures are; "": they are current
	IsLive, IsLinked  bool
	Basis             string // when the figures were checked
	Critical, Warning int
	Quiet             string // says that nothing needs action, or why that is unknown; "": a situation is open

	Channels   []channelData
	Situations []situationData
	More       int    // situations that are not listed
	Today      string // summary of the situations of the day; "": there are none
	Daily      []situationData
	Services   []serviceData
	Release    []line
	Forecast   []line
}

// channelData has the figures of the floor on a channel.
type channelData struct {
	Name    string
	Figures []ask.Figure
}

// situationData is a situation as the template shows it.
type situationData struct {
	ID, Level, Since, Path, Lasted, Title, Headline string
	Floor                                           int // number of the floor
	IsCritical, CanTakeOver                         bool
	Causes                                          []string
	HelpLabel                                       string
	Help                                            []string
	TakenOver, Note                                 string
}

// serviceData is a service as the template shows it.
type serviceData struct {
	Name    string
	Waiting int64
	Figures []ask.Figure
}

// line is a statement of an answer.
type line struct {
	Text      string
	IsUnknown bool
}

// serviceFigures returns the names of the figures of the table of services.
func serviceFigures() []string {
	return []string{"queuedCalls", "longestWait", "readyUsers", "serviceLevel"}
}

func writeFloor(ctx context.Context, f *shownFloor, number int, at time.Time) floorData {
	d := floorData{Number: number, Title: f.Title}
	m, err := f.At(ctx, at)
	switch {
	case err != nil:
		text := words.TextOf(err)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			text = words.AskCancelled()
		}
		d.Problem = textformat.Sentence(model.CleanText(text.In(f.Words), model.MaxBody))
		return d
	case m == nil:
		d.Problem = words.SituationNoData().In(f.Words)
		return d
	}
	local := m.At.In(f.Zone)
	d.At = local.Format(time.TimeOnly)
	if m.IsRecorded {
		d.Recorded = words.WebRecorded(words.ShortDate(local), d.At).In(f.Words)
	}
	d.IsLive, d.IsLinked = m.Snapshot.Health.Live(), m.Snapshot.Health.Link.State == model.LinkUp
	now := f.Answer(ctx, ask.Query{Kind: ask.KindFloor, At: at})
	d.Basis, d.Channels = now.Basis(), channels(now.Figures, f.Words)
	d.addSituations(m, f)
	d.Services = services(m, f)
	d.Forecast = lines(f.Answer(ctx, ask.Query{Kind: ask.KindForecast, At: at}), f.Words)
	if !m.IsRecorded {
		d.Release = lines(f.Answer(ctx, ask.Query{Kind: ask.KindWhoCanGo}), f.Words)
	}
	return d
}

// channels groups the figures of the floor by channel.
func channels(figures []ask.Figure, l *words.Language) []channelData {
	var out []channelData
	for i := range figures {
		name := words.ChannelName(figures[i].Channel).In(l)
		if len(out) == 0 || out[len(out)-1].Name != name {
			out = append(out, channelData{Name: name})
		}
		last := &out[len(out)-1]
		last.Figures = append(last.Figures, figures[i])
	}
	return out
}

func (d *floorData) addSituations(m *ask.Moment, f *shownFloor) {
	v := m.Situations
	if v == nil || len(v.Live) == 0 {
		d.Quiet = v.QuietStatement(words.SituationNothing().In(f.Words))
	}
	if v == nil {
		return
	}
	d.Critical, d.Warning = v.Counts()
	list := func(situations []situation.Situation) (out []situationData) {
		for i := range situations[:min(len(situations), maxSituations)] {
			s := newSituation(&situations[i], m.At, f)
			s.Floor, s.CanTakeOver = d.Number, !m.IsRecorded && s.TakenOver == ""
			out = append(out, s)
		}
		return out
	}
	d.Situations, d.Daily, d.Today = list(v.Live), list(v.Today), v.TodaySummary()
	d.More = len(v.Live) - len(d.Situations)
}

func newSituation(s *situation.Situation, now time.Time, f *shownFloor) situationData {
	since := s.Since.In(f.Zone)
	level := words.StateWarning()
	if s.Level == alert.Critical {
		level = words.StateCritical()
	}
	d := situationData{
		ID: s.ID, Level: textformat.Capitalize(level.In(f.Words)), IsCritical: s.Level == alert.Critical,
		Since: since.Format("15:04"), Path: web.SituationTimePath(since), Lasted: words.Duration(s.Lasted(now)).In(f.Words), Title: s.Place.Title, Headline: s.Headline,
		Causes: s.CauseLines(), TakenOver: s.Ack.By, Note: s.Ack.Note,
	}
	if !s.StaleSince.IsZero() {
		d.Headline = words.AskNotVerified(d.Headline).In(f.Words)
	}
	d.HelpLabel, d.Help = s.HelpPhrases()
	d.HelpLabel = textformat.Capitalize(d.HelpLabel)
	return d
}

// services returns the services, those with the most contacts waiting first.
func services(m *ask.Moment, f *shownFloor) []serviceData {
	var out []serviceData
	format := textformat.Format{Location: f.Zone, Words: f.Words}
	for _, r := range m.Snapshot.Services.Sorted() {
		p := ask.Place{Scope: model.ScopeService, Code: r.Key().Code, Channel: r.Channel, Name: f.Names.NameInSnapshot(m.Snapshot, model.NameService, r.Key().Code)}
		s := serviceData{Name: p.Name}
		if r.Channel != model.Call {
			s.Name += " · " + words.ChannelInSentence(r.Channel).In(f.Words)
		}
		for _, name := range serviceFigures() {
			s.Figures = append(s.Figures, m.Figure(name, p, format))
		}
		if v := s.Figures[0].Value; v != nil {
			s.Waiting = int64(*v)
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b serviceData) int { return cmp.Compare(b.Waiting, a.Waiting) })
	return out[:min(len(out), maxServices)]
}

// lines returns the problem, if any, and the statements of an answer in a language.
func lines(a *ask.Answer, l *words.Language) []line {
	var out []line
	if a.Problem != "" {
		out = append(out, line{a.Problem, true})
	}
	for i := range a.Statements {
		out = append(out, line{a.Statements[i].Line(l), a.Statements[i].IsUnknown})
	}
	return out
}
