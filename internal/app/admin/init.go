package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/model"
	"wallboard/restclient"
	"wallboard/ui/setup"
)

// ConfigCreator creates a configuration file from flags and from the data that the platform returns.
type ConfigCreator struct {
	Example string                // the text of config.example.toml
	Options func() config.Options // names that a configuration may use
	Log     io.Writer             // receives notes for the user

	URL, RESTURL, HistoryURL string // addresses; "": there is no such service, or it is to be filled in
	Auth, User               string
	SecretEnv, SecretFile    string // source of the secret
	Secret                   string // secret that the user has typed, to be stored in SecretFile
	KeyFile, CAFile          string
	Insecure                 bool
	Output                   string        // the file to write
	Force                    bool          // replaces an existing file
	Learn                    time.Duration // longest time to watch the platform; 0: it is not contacted

	draft configDraft
}

// Write writes the configuration and the typed secret. It returns a summary of what the platform
// has, for the end of a sentence.
func (i *ConfigCreator) Write(ctx context.Context) (found string, err error) {
	i.draft = configDraft{Example: i.Example, HasREST: i.RESTURL != "", HasHistory: i.HistoryURL != "", Values: map[string]string{}}
	if i.URL != "" {
		i.setValues()
		if i.Learn > 0 {
			if found, err = i.discover(ctx); err != nil {
				return "", err
			}
		}
	}
	return found, i.writeFiles()
}

// SecretKey returns the last part of the configuration key for the secret of the login method:
// password or access_token.
func (i *ConfigCreator) SecretKey() string {
	if i.Auth == config.AuthLogin {
		return "password"
	}
	return "access_token"
}

// SecretPath returns the path of the file with the secret. A relative name is relative to the
// directory of the configuration file.
func (i *ConfigCreator) SecretPath() string {
	if filepath.IsAbs(i.SecretFile) {
		return i.SecretFile
	}
	return filepath.Join(filepath.Dir(i.Output), i.SecretFile)
}

// setValues copies the values of the flags to the draft.
func (i *ConfigCreator) setValues() {
	set := func(key, value string) { i.draft.Values[key] = config.Quoted(value) }
	for _, section := range []string{"rtd", "rest"} {
		if section == "rest" && i.RESTURL == "" {
			continue
		}
		// The chosen source of the secret replaces the source in the example.
		if i.SecretEnv != "" {
			set(section+"."+i.SecretKey()+"_env", i.SecretEnv)
		} else {
			set(section+"."+i.SecretKey()+"_file", i.SecretFile)
		}
		if i.User != "" {
			set(section+".username", i.User)
		}
		i.setTrust(section)
	}
	if i.HistoryURL != "" {
		set("history.url", i.HistoryURL)
		if i.KeyFile != "" {
			set("history.api_key_file", i.KeyFile)
		} else {
			set("history.api_key_env", "WALLBOARD_API_KEY")
		}
		i.setTrust("history")
	}
	set("rtd.url", i.URL)
	set("rtd.auth", i.Auth)
	if i.RESTURL != "" {
		set("rest.url", i.RESTURL)
	}
}

// setTrust copies the certificate flags to a section of the draft.
func (i *ConfigCreator) setTrust(section string) {
	if i.CAFile != "" {
		i.draft.Values[section+".ca_file"] = config.Quoted(absolutePath(i.CAFile))
	}
	if i.Insecure {
		i.draft.Values[section+".insecure_skip_verify"] = "true"
	}
}

// absolutePath returns the absolute form of path, or path itself if that form cannot be determined.
func absolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// parseDraft returns the text of the draft and the configuration parsed from it. A typed
// secret is not stored yet, so parseDraft passes it to the parser through an invented
// environment variable instead of a file.
func (i *ConfigCreator) parseDraft() (string, *config.Config, error) {
	text, err := i.draft.Text()
	if err != nil {
		return "", nil, fmt.Errorf("the example: %w", err)
	}
	read, typed := text, map[string]string{}
	if i.Secret != "" {
		file := i.SecretKey() + "_file = " + config.Quoted(i.SecretFile)
		read = strings.ReplaceAll(text, "\n"+file, "\n"+i.SecretKey()+"_env = "+config.Quoted(typedSecretVariable))
		typed[typedSecretVariable] = i.Secret
	}
	c, err := parseDraftText(i.Options, read, i.Output, i.URL == "", typed)
	if err != nil {
		return "", nil, err
	}
	return text, c, nil
}

// discover connects to the platform and adds the services, groups and campaigns found there to
// the draft. It returns a summary of them.
func (i *ConfigCreator) discover(ctx context.Context) (string, error) {
	_, c, err := i.parseDraft()
	if err != nil {
		return "", err
	}
	s, err := i.awaitSnapshot(ctx, c)
	if err != nil {
		return "", err
	}
	var found setup.Result
	found.Services, found.Groups = foundCodes(s)
	summary := fmt.Sprintf(": %d services and %d groups found", len(found.Services), len(found.Groups))
	if i.RESTURL == "" {
		summary += "; campaigns are found with --rest-url"
	} else if found.Campaigns, err = listCampaigns(ctx, c); err == nil {
		summary += fmt.Sprintf(", %d campaigns", len(found.Campaigns))
	} else {
		_, _ = fmt.Fprintln(i.Log, "The campaigns cannot be read:", err) // the services and groups are still useful
	}
	describeFound(&i.draft, &found, nil)
	return summary, nil
}

// awaitSnapshot connects to the platform and returns its first live snapshot with services or
// groups. After the time i.Learn, it returns the last snapshot, or an error if the platform
// is not connected.
func (i *ConfigCreator) awaitSnapshot(ctx context.Context, c *config.Config) (*model.Snapshot, error) {
	fo := app.FeedOptions(c)
	fo.Logger, fo.FindCampaigns = slog.New(slog.DiscardHandler), nil
	feed, err := app.NewFeed(fo)
	if err != nil {
		return nil, err
	}
	running, stop := app.RunFeed(ctx, feed)
	defer stop()
	limited, cancel := context.WithTimeout(running, i.Learn)
	defer cancel()
	var last *model.Snapshot
	for seq := uint64(0); ; seq = last.Seq {
		s, err := feed.Wait(limited, seq)
		if err != nil {
			break
		}
		if last = s; s.Health.Live() && s.Services.Len()+s.Groups.Len() > 0 {
			return s, nil
		}
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted: nothing was written")
	}
	if last == nil || last.Health.Link.State != model.LinkUp {
		reason := "it does not answer"
		if last != nil {
			reason = connectionProblem(&last.Health, reason)
		}
		return nil, fmt.Errorf("no connection to %s: %s; nothing was written; --for 0 writes without asking", i.URL, reason)
	}
	return last, nil
}

// connectionProblem returns the notice of a feed, followed by the reason for the state of its link unless
// the notice contains that reason. It returns text if both are empty.
func connectionProblem(h *model.Health, text string) string {
	if strings.Contains(h.Notice, h.Link.Reason) {
		return cmp.Or(h.Notice, text)
	}
	return strings.TrimSpace(h.Notice + " " + h.Link.Reason)
}

// foundCodes returns the codes of all services and groups in a snapshot, without duplicates.
func foundCodes(s *model.Snapshot) (services, groups []string) {
	seen := make(map[string]bool)
	for r := range s.Services.All() {
		if code := r.Key().Code; !seen["s"+code] {
			seen["s"+code] = true
			services = append(services, code)
		}
	}
	for r := range s.Groups.All() {
		if code := r.Key().Code; !seen["g"+code] {
			seen["g"+code] = true
			groups = append(groups, code)
		}
	}
	return services, groups
}

// listCampaigns logs in to the configuration service and returns its campaigns, except those
// without an ID. A campaign may have no name. Without an error, the result is not nil.
func listCampaigns(ctx context.Context, c *config.Config) ([]setup.Campaign, error) {
	client, err := app.NewRESTClient(c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer app.EndSession(client)
	found := []setup.Campaign{}
	for campaign, err := range client.Campaigns.AllCampaigns(ctx, restclient.CampaignTerm{}) {
		if err != nil {
			return nil, err
		}
		if campaign.ID != nil {
			found = append(found, setup.Campaign{ID: strconv.Itoa(*campaign.ID), Name: model.CleanText(campaign.Name, model.MaxName)})
		}
	}
	return found, nil
}

// writeFiles writes the configuration and the typed secret with mode 0600, or shares them with
// a service (see [createFile]). An existing configuration keeps its mode and owner. After an
// error, writeFiles undoes its changes.
func (i *ConfigCreator) writeFiles() error {
	text, c, err := i.parseDraft()
	if err != nil {
		return err
	}
	err = writeOrUndo(i.Output, c, func(undo *undoList) error {
		if i.Secret != "" {
			path := i.SecretPath()
			if err := createFile(path, i.Secret+"\n"); err != nil {
				return err
			}
			undo.removeFile(path)
		}
		if i.Force {
			return replaceFile(i.Output, text)
		}
		return createFile(i.Output, text)
	})
	if path := i.SecretPath(); err == nil && i.Secret != "" {
		_, _ = fmt.Fprintln(i.Log, describeSecret(path).In(nil))
	}
	return err
}
