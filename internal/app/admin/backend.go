package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/doctor"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/setup"
)

// Backend implements [setup.Backend]: it tries the answers of the guided start on the platform, and
// writes the configuration.
type Backend struct {
	example string                // the text of config.example.toml
	options func() config.Options // names that a configuration may use
	path    string                // configuration file
	keyring secretKeyring
}

// secretKeyring stores secrets at places of the form service/user.
type secretKeyring interface {
	// Find returns the secret at a place, or "" if there is none.
	Find(place string) (string, error)
	Store(place, value string) error
	Remove(place string) error
}

// NewBackend returns a backend that writes the configuration at path, from the text of
// config.example.toml. options returns the names that a configuration may use.
func NewBackend(path, example string, options func() config.Options) *Backend {
	return &Backend{example: example, options: options, path: path, keyring: config.Keyring{}}
}

// secretKeys maps the full configuration keys of secrets to their values in TOML syntax.
type secretKeys map[string]string

// secretName returns the last part of the configuration key for the secret.
func secretName(a *setup.Answers) string {
	if a.NeedsUser() {
		return "password"
	}
	return "access_token"
}

// typedSecrets returns configuration keys for secrets that are typed but not stored yet. Their
// values are the names of the invented environment variables.
func typedSecrets(a *setup.Answers) secretKeys {
	name := secretName(a)
	return secretKeys{
		"rtd." + name + "_env": config.Quoted(typedSecretVariable), "rest." + name + "_env": config.Quoted(typedSecretVariable),
		"history.api_key_env": config.Quoted(typedKeyVariable),
	}
}

// parseAnswers returns the configuration parsed from the answers. It contains the typed secrets.
func (b *Backend) parseAnswers(a *setup.Answers, found *setup.Result) (*config.Config, error) {
	text, err := b.configText(a, found, typedSecrets(a))
	if err != nil {
		return nil, err
	}
	return parseDraftText(b.options, text, b.path, false, map[string]string{typedSecretVariable: a.Secret, typedKeyVariable: a.APIKey})
}

// configText returns the text of the configuration file that the answers describe.
func (b *Backend) configText(a *setup.Answers, found *setup.Result, secrets secretKeys) (string, error) {
	d := configDraft{
		Example: b.example, HasREST: a.RESTURL != "", HasHistory: a.HistoryURL != "",
		Values: map[string]string{"ui.service_level_target": strconv.FormatFloat(cmp.Or(a.Target, 0.8), 'f', 2, 64)},
	}
	set := func(key, value string) {
		if value != "" {
			d.Values[key] = config.Quoted(value)
		}
	}
	set("ui.language", a.Language)
	set("rtd.auth", a.Method)
	for s, section := range configSections() {
		if a.Address(s) == "" {
			continue
		}
		set(section+".url", a.Address(s))
		if s != setup.Statistics && a.NeedsUser() {
			set(section+".username", a.User)
		}
		if a.Trust[s].Insecure {
			d.Values[section+".insecure_skip_verify"] = "true"
		} else if file := a.CAFile(s); file != "" {
			set(section+".ca_file", absolutePath(file))
		}
	}
	maps.Copy(d.Values, secrets)
	if found != nil {
		described := *found
		if a.RESTURL == "" {
			described.Campaigns = nil
		}
		describeFound(&d, &described, a.Names)
	}
	if a.Wait.Warning > 0 && a.Wait != setup.DefaultWaitLimits() {
		d.Blocks = fmt.Sprintf("[[builtin]]\nrule = %q\nscope = \"service\"\nwarning = %q\ncritical = %q\n", alert.RuleLongestWait,
			textformat.ConfigDuration(a.Wait.Warning), textformat.ConfigDuration(a.Wait.Critical))
	}
	return d.Text()
}

// configSections returns the section of the configuration for each service.
func configSections() map[setup.Service]string {
	return map[setup.Service]string{setup.RealTime: "rtd", setup.Configuration: "rest", setup.Statistics: "history"}
}

// describeFound adds the services, groups and campaigns found on the platform to d. names maps
// codes of services to chosen names. A nil found.Campaigns means that the campaigns are unknown.
func describeFound(d *configDraft, found *setup.Result, names map[string]string) {
	d.Suggestions = map[string]string{"rtd.services": config.QuotedList(found.Services), "rtd.groups": config.QuotedList(found.Groups)}
	for _, code := range found.Services {
		d.Names = append(d.Names, config.Name{Kind: "service", Code: code, Name: cmp.Or(names[code], code)})
	}
	for _, code := range found.Groups {
		d.Names = append(d.Names, config.Name{Kind: "group", Code: code, Name: code})
	}
	if found.Campaigns == nil {
		return
	}
	ids := make([]string, len(found.Campaigns))
	for i, c := range found.Campaigns {
		if ids[i] = c.ID; c.Name != "" {
			d.Names = append(d.Names, config.Name{Kind: "campaign", Code: c.ID, Name: c.Name})
		}
	}
	d.Suggestions["rtd.campaigns"] = "[" + strings.Join(ids, ", ") + "]"
}

// CheckAddress implements [setup.Backend].
func (b *Backend) CheckAddress(s setup.Service, a setup.Answers) string {
	key := configSections()[s] + ".url"
	_, err := b.parseAnswers(&a, nil)
	var problems config.Errors
	if !errors.As(err, &problems) {
		return ""
	}
	for _, p := range problems {
		if p.Key == key {
			return "The address " + p.Problem + ": " + p.Remedy + "."
		}
	}
	return ""
}

// TestConnection implements [setup.Backend]. It ignores the answers about other optional services.
func (b *Backend) TestConnection(ctx context.Context, s setup.Service, a setup.Answers, progress func(words.Text)) setup.Result {
	if s != setup.Configuration {
		a.RESTURL = ""
	}
	if s != setup.Statistics {
		a.HistoryURL = ""
	}
	c, err := b.parseAnswers(&a, nil)
	if err != nil {
		return setup.Result{Reason: reasonOf(err)}
	}
	switch s {
	case setup.Configuration:
		return testConfiguration(ctx, c)
	case setup.Statistics:
		return testStatistics(ctx, c)
	case setup.RealTime:
	}
	return testRealTime(ctx, c, progress)
}

// reasonOf returns the message of an error for the screen. For problems of the draft, it
// leaves out the file name, because the file does not exist yet.
func reasonOf(err error) string {
	var problems config.Errors
	if !errors.As(err, &problems) {
		return model.CleanText(err.Error(), model.MaxBody)
	}
	var lines []string
	for _, p := range problems {
		p.File, p.Line = "", 0
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "; ")
}

// testRealTime examines the real-time service.
func testRealTime(ctx context.Context, c *config.Config, progress func(words.Text)) setup.Result {
	o := doctor.Options{Feed: app.FeedOptions(c), Brief: true}
	o.Feed.Profiles, o.Feed.FindCampaigns, o.Feed.Logger = nil, nil, slog.New(slog.DiscardHandler)
	var last *model.Snapshot
	var told words.Text
	o.OnSnapshot = func(s *model.Snapshot) {
		last = s
		if text := progressText(s); !text.Equal(told) {
			told = text
			progress(text)
		}
	}
	report, err := doctor.Examine(ctx, o)
	if err != nil {
		return setup.Result{Reason: model.CleanText(err.Error(), model.MaxBody)}
	}
	r := setup.Result{Findings: visibleFindings(report)}
	if last == nil || !last.Health.HadData() {
		r.Reason = connectionReason(report)
		r.Remedy = doctor.ConnectionRemedy(r.Reason, "")
		// The state LinkRefused also follows a TLS failure, which is no refusal of the login.
		r.Refused = !strings.HasPrefix(r.Reason, "TLS: ") &&
			(strings.Contains(r.Reason, "refused: ") || last != nil && last.Health.Link.State == model.LinkRefused)
		r.Findings = slices.DeleteFunc(r.Findings, func(f setup.Finding) bool { return f.Subject != "Address" && f.Subject != "TLS" })
		return r
	}
	for _, line := range report.Config {
		if method, ok := strings.CutPrefix(line, "auth = "); ok {
			r.Method, _ = strconv.Unquote(method) // the doctor quotes it
		}
	}
	r.Services, r.Groups = foundCodes(last)
	r.Agents = last.Users.Len()
	r.ServiceLevel, r.AverageAnswerSeconds = dayFigures(last)
	return r
}

// progressText describes the progress of connecting.
func progressText(s *model.Snapshot) words.Text {
	if s.Health.Link.State != model.LinkUp {
		return words.SetupAsking()
	}
	return words.SetupConnected(words.CountServices(s.Services.Len()), words.CountAgents(s.Users.Len()))
}

// connectionReason returns the reason for a missing connection, taken from the most specific
// failure.
func connectionReason(r *doctor.Report) string {
	reason := "it does not answer"
	for _, about := range []string{"Feed", "HTTP", "Name"} { // a later one is more specific
		for i := range r.Findings {
			if f := &r.Findings[i]; f.About == about && f.Verdict == doctor.VerdictFail {
				reason = strings.TrimPrefix(f.Text, "no connection: ")
			}
		}
	}
	return reason
}

// visibleFindings returns the findings about the real-time service that an administrator should
// read before the first start. It combines presumed units and meanings into one finding, and leaves
// out the forms of values. `wallboard doctor` reports all of them.
func visibleFindings(r *doctor.Report) []setup.Finding {
	var out []setup.Finding
	presumed := 0
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case f.Verdict == doctor.VerdictFail, f.Verdict == doctor.VerdictNote && slices.Contains([]string{"Clock", "TLS", "WebSocket", "Credentials", "Filter size"}, f.About):
			if f.About != "Access" {
				out = append(out, setup.Finding{Failed: f.Verdict == doctor.VerdictFail, Subject: f.About, Text: f.Text, Remedy: f.Remedy})
			}
		case f.About == "Unit" || f.About == "Meaning":
			if strings.Contains(f.Text, "presumed") {
				presumed++
			}
		}
	}
	if presumed > 0 {
		out = append(out, setup.Finding{
			Subject: "Times", Text: strconv.Itoa(presumed) + " units and meanings are presumed until the board has seen more; figures that depend on them have a ?.",
			Remedy: "`wallboard doctor` names them and the lines to write",
		})
	}
	return out
}

// dayFigures returns figures of today's calls over all services: the share that was answered
// in time, and the average time to answer in seconds.
func dayFigures(s *model.Snapshot) (level, answer model.Figure) {
	var inTime, all int64
	var seconds, calls float64
	for _, rec := range s.Services.Rows() {
		c := &rec.ChannelStats
		if k, n, ok := c.ServiceLevelCounts(alert.DefaultGoal().Formula); ok {
			inTime, all = inTime+k, all+n
		}
		if v, ok := c.ASA().Get(); ok {
			n := float64(c.AnsweredCalls.Or(0))
			seconds, calls = seconds+v*n, calls+n
		}
	}
	if all > 0 {
		level = model.FigureOf(float64(inTime) / float64(all))
	}
	if calls > 0 {
		answer = model.FigureOf(seconds / calls)
	}
	return level, answer
}

// testConfiguration logs in to the configuration service and lists the campaigns.
func testConfiguration(ctx context.Context, c *config.Config) setup.Result {
	campaigns, err := listCampaigns(ctx, c)
	if err != nil {
		reason := model.CleanText(err.Error(), model.MaxBody)
		return setup.Result{Reason: reason, Remedy: doctor.ConnectionRemedy(reason, "")}
	}
	if len(campaigns) == 0 {
		return setup.Result{}
	}
	return setup.Result{Campaigns: campaigns}
}

// testStatistics requests the operations of the statistical data service.
func testStatistics(ctx context.Context, c *config.Config) setup.Result {
	o := app.HistoryOptions(c, slog.New(slog.DiscardHandler))
	report, err := doctor.ExamineStatistics(ctx, &o)
	if err != nil {
		return setup.Result{Reason: model.CleanText(err.Error(), model.MaxBody)}
	}
	for i := range report.Findings {
		if f := &report.Findings[i]; f.Verdict == doctor.VerdictFail {
			return setup.Result{Reason: f.Text, Remedy: f.Remedy}
		}
	}
	return setup.Result{}
}

// Write implements [setup.Backend].
func (b *Backend) Write(a setup.Answers, found setup.Result) (files []words.Text, err error) {
	c, err := b.parseAnswers(&a, &found)
	if err != nil {
		return nil, err
	}
	err = writeOrUndo(b.path, c, func(undo *undoList) error {
		secrets, stored, err := b.storeSecrets(&a, undo)
		if err != nil {
			return err
		}
		text, err := b.configText(&a, &found, secrets)
		if err != nil {
			return err
		}
		kept, err := copyAside(b.path)
		if err != nil {
			return err
		}
		if kept != "" {
			undo.removeFile(kept)
			stored = append(stored, words.SetupFileOld(kept))
		}
		write := replaceFile
		switch {
		case kept == "":
			write = createFile
		case a.Storage == setup.InConfiguration:
			write = replaceSecretFile
		}
		files = append(stored, words.SetupFileNew(b.path))
		return write(b.path, text)
	})
	if err != nil {
		return nil, err
	}
	return files, nil
}

// storeSecrets stores the secrets in the way that the viewer has chosen, and adds their
// removal to undo. It returns the keys for the configuration and a text about each file.
func (b *Backend) storeSecrets(a *setup.Answers, undo *undoList) (keys secretKeys, files []words.Text, err error) {
	name := secretName(a)
	type entry struct{ sections, name, file, variable, user, value string }
	entries := []entry{{"rtd rest", name, strings.TrimPrefix(name, "access_"), a.Variables()[0], cmp.Or(a.User, "token") + "@" + setup.HostOf(a.URL), a.Secret}}
	if a.HistoryURL != "" {
		entries = append(entries, entry{"history", "api_key", "api-key", "WALLBOARD_API_KEY", "api-key@" + setup.HostOf(a.HistoryURL), a.APIKey})
	}
	keys = secretKeys{}
	for _, e := range entries {
		suffix, value := "", ""
		switch a.Storage {
		case setup.InFile:
			file, err := createSecretFile(filepath.Dir(b.path), e.file, e.value)
			if err != nil {
				return nil, nil, err
			}
			path := filepath.Join(filepath.Dir(b.path), file)
			undo.removeFile(path)
			files = append(files, describeSecret(path))
			suffix, value = "_file", file
		case setup.InKeyring:
			place, err := b.storeInKeyring("wallboard/"+e.user, e.value, undo)
			if err != nil {
				return nil, nil, err
			}
			suffix, value = "_keyring", place
		case setup.InEnvironment:
			suffix, value = "_env", e.variable
		case setup.InConfiguration:
			value = e.value
		}
		for section := range strings.FieldsSeq(e.sections) {
			keys[section+"."+e.name+suffix] = config.Quoted(value)
		}
	}
	return keys, files, nil
}

// describeSecret says who can read a new file with a secret.
func describeSecret(path string) words.Text {
	if group := securefile.ServiceGroup(path); group != "" {
		return words.SetupFileSecretGroup(path, group)
	}
	return words.SetupFileSecret(path)
}

// storeInKeyring stores a secret in the keyring and returns its place. If another secret is
// stored at the requested place, storeInKeyring adds a number to the place, because another
// configuration may use that secret.
func (b *Backend) storeInKeyring(place, secret string, undo *undoList) (string, error) {
	for i := 1; i <= maxNumbered; i++ {
		at := numberedName(place, i)
		switch there, err := b.keyring.Find(at); {
		case err != nil:
			return "", err
		case there == secret:
			return at, nil
		case there == "":
			if err := b.keyring.Store(at, secret); err != nil {
				return "", err
			}
			*undo = append(*undo, func() error {
				if err := b.keyring.Remove(at); err != nil {
					return fmt.Errorf("left behind in the keyring is %s: %w", at, err)
				}
				return nil
			})
			return at, nil
		}
	}
	return "", fmt.Errorf("the keyring has %d secrets at %s already: remove those that are not used", maxNumbered, place)
}

// maxNumbered is the highest number that is added to a name.
const maxNumbered = 99

// createSecretFile writes a secret to a new file in dir and returns the file's name. If a file
// with that name exists, createSecretFile adds a number to the name, because another
// configuration may use the file.
func createSecretFile(dir, name, secret string) (string, error) {
	for i := 1; ; i++ {
		file := numberedName(name, i)
		if _, err := os.Lstat(filepath.Join(dir, file)); !errors.Is(err, fs.ErrNotExist) && i < maxNumbered {
			continue
		}
		return file, createFile(filepath.Join(dir, file), secret+"\n")
	}
}

// numberedName returns name if i is 1, and otherwise name with the number i.
func numberedName(name string, i int) string {
	if i == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(i)
}

// maxCopiedBytes is the maximum size of a file that [copyAside] copies, in bytes.
const maxCopiedBytes = 16 << 20

// copyAside copies a file to a new name in the same directory, with mode 0600, and returns that
// name. It returns "" if the file does not exist.
func copyAside(path string) (string, error) {
	text, err := securefile.ReadRegular(path, maxCopiedBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("keep the old configuration: %w", err)
	}
	for i := 1; ; i++ {
		kept := numberedName(path+".old", i)
		if _, err := os.Lstat(kept); !errors.Is(err, fs.ErrNotExist) && i < maxNumbered {
			continue
		}
		return kept, createPrivateFile(kept, string(text))
	}
}
