package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/figures"
)

// structure is a file NAME-str.xml of the ICDAR 2013 table competition: the tables of NAME.pdf, each in regions of one page.
type structure struct {
	Tables []struct {
		Regions []struct {
			Cells []struct {
				Row    int    `xml:"start-row,attr"`
				Column int    `xml:"start-col,attr"`
				Text   string `xml:"content"`
			} `xml:"cell"`
		} `xml:"region"`
	} `xml:"table"`
}

// structureOf lists the tables that are on one page.
func structureOf(name string) (out []known, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var s structure
	d := xml.NewDecoder(strings.NewReader(string(b)))
	d.Strict = false
	if err := d.Decode(&s); err != nil {
		return nil, err
	}
	for _, t := range s.Tables {
		if len(t.Regions) != 1 {
			continue
		}
		var k known
		for _, c := range t.Regions[0].Cells {
			if c.Row < 0 || c.Column < 0 {
				continue
			}
			for len(k) <= c.Row {
				k = append(k, nil)
			}
			for len(k[c.Row]) <= c.Column {
				k[c.Row] = append(k[c.Row], "")
			}
			k[c.Row][c.Column] = plain(c.Text)
		}
		out = append(out, k)
	}
	return out, nil
}

// icdar measures the tables of documents that authorities published, of which none was looked at in development.
func icdar(ctx context.Context, r *figures.Report, d *desk, folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
	if err != nil {
		return err
	}
	var cells counted
	tables, read, seen, n := 0, 0, 0, 0
	for _, name := range names {
		known, err := structureOf(strings.TrimSuffix(name, ".pdf") + "-str.xml")
		if err != nil { // it has none
			continue
		}
		doc, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found, err := d.tables(ctx, doc)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		c, right := best(known, found)
		cells.add(c)
		tables, read, seen, n = tables+len(known), read+right, seen+len(found), n+1
	}
	r.Figure("cells_icdar_f1", cells.f1(), cells.there, fmt.Sprintf("cells of %d tables of %d documents of ICDAR 2013; %d tables were found",
		tables, n, seen))
	r.Ratio("cells_icdar_read", read, tables, fmt.Sprintf("tables whose cells have an F1 of %g at least / all of them", mostly))
	return nil
}
