package scan

import (
	"archive/zip"
	"bytes"
	"context"

	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/skill/scan/report"
	"showhow/internal/fault"
)

// Skill is the whole report on a skill that is held in memory.
func Skill(ctx context.Context, b skill.Bundle) (report.Report, error) {
	packed, err := archive.Pack(b.Files) // which the scanner reads as a folder
	if err != nil {
		return report.Report{}, fault.Wrap(err, fault.Internal, "the skill could not be scanned")
	}
	folder, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return report.Report{}, fault.Wrap(err, fault.Internal, "the skill could not be scanned")
	}
	return Bundle(ctx, folder, Options{Name: b.Name})
}
