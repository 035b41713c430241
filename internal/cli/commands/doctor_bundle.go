package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/doctor"
	"wallboard/internal/record"
	"wallboard/model"
)

// supportBundle holds the data from which `wallboard doctor --bundle` makes a support bundle.
type supportBundle struct {
	Setup        *cmdutil.Setup
	Config       *config.Config  // nil: it cannot be read
	Err          error           // why Config cannot be read
	Report       *doctor.Report  // nil: nothing was examined
	LastSnapshot *model.Snapshot // last snapshot of the examination; nil: none
}

// write writes the bundle to a new file with mode 0600.
func (s *supportBundle) write(path string) error {
	text, err := json.MarshalIndent(admin.ReadBuild(), "", "  ")
	if err != nil {
		return fmt.Errorf("describe the program: %w", err)
	}
	var findings bytes.Buffer
	if s.Report != nil {
		if err := s.Report.WriteText(&findings, true); err != nil {
			return err
		}
	}
	in := doctor.BundleInput{
		Config: s.Config, ConfigErr: s.Err, Findings: findings.String(), LastSnapshot: s.LastSnapshot, Version: string(text) + "\n",
		Created: time.Now(), OpenRecording: func() (*record.Recording, error) { return app.OpenRecording(s.Config) },
		LogVisit: func() error {
			return audit.Append(s.Config.Audit.VisitsOptions(s.Config, nil), audit.Intent{Action: audit.ViewerActionPrefix + "bundle", Target: s.Config.Record.Folder()})
		},
	}
	if err := cmdutil.CreateFile(path, "; a bundle never replaces a file", func(f *os.File) error { return in.Bundle().Write(f, in.Created) }); err != nil {
		return err
	}
	return cmdutil.WriteText(s.Setup.Streams.Err, "wrote "+path+"; README.txt in it lists what is inside and what was left out\n")
}
