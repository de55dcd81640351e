package apps

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

const (
	// layRedmine fills a new database: five projects, and in one of them what a harbour has to do. Nobody is asked to sign in.
	layRedmine = `ActiveRecord::Migration.verbose = false
ActiveRecord::Base.connection.migration_context.migrate
ActiveRecord::Base.descendants.each(&:reset_column_information)
ActionMailer::Base.perform_deliveries = false
Redmine::DefaultData::Loader.load("en")
Setting.notified_events = []
Setting.gravatar_enabled = "0"
people = ["Cleo Clerk", "Amara Okafor", "Bruno Keller", "Chloe Laurent", "Dmitri Orlov"].map do |name|
  first, last = name.split
  User.new(firstname: first, lastname: last, mail: first.downcase + "@desk.example", language: "en", mail_notification: "none",
    admin: first == "Cleo").tap { |u| u.login = first.downcase; u.password = "kept-by-the-bench"; u.save! }
end
projects = %w[Harbour Drydock Ferry Lighthouse Slipway].map do |name|
  made = Project.create!(name: name, identifier: name.downcase, description: "All about the " + name.downcase, trackers: Tracker.all)
  people.each { |u| Member.create!(project: made, principal: u, roles: [Role.find_by_name("Manager")]) }
  made
end
%w[Cranes Lamps Ropes Sails Tides Winches].each { |name| IssueCategory.create!(project: projects[0], name: name) }
%w[Spring Summer Autumn Winter Regatta].each_with_index do |name, i|
  Version.create!(project: projects[0], name: name, due_date: "2027-0#{i + 2}-15")
end
["Anchor lost", "Bell is silent", "Crane creaks", "Door jams", "Engine leaks"].each do |subject|
  Issue.create!(project: projects[0], subject: subject, description: "Seen on the round", author: people[0],
    tracker: Tracker.find_by_name("Bug"), priority: IssuePriority.find_by_name("Normal"))
end`
	redmineDoorman = `Rails.application.config.to_prepare do
  ApplicationController.prepend(Module.new { def find_current_user = User.find_by(login: "cleo") })
end
`
	readRedmine = `select 'issue ' || i.subject, s.name || '|' || p.name || '|' || coalesce(u.firstname, 'nobody') || '|' || i.description
from issues i join issue_statuses s on s.id = i.status_id join enumerations p on p.id = i.priority_id
left join users u on u.id = i.assigned_to_id
union all select 'version ' || name, effective_date from versions
union all select 'category ' || name, 'there' from issue_categories
union all select 'project ' || name, description from projects`
)

// deskData is the database as each run begins with it.
var deskData laid

// redmine keeps the tasks of projects: forms that are drawn anew by a choice, a menu of folders for each row, tabs, native dates.
func redmine() App {
	const program = "/usr/share/redmine"
	issues := []string{"Anchor lost", "Bell is silent", "Crane creaks", "Door jams", "Engine leaks"}
	seasons := []string{"Spring", "Summer", "Autumn", "Winter", "Regatta"}
	categories := []string{"Cranes", "Lamps", "Ropes", "Sails", "Tides", "Winches"}
	projects := []string{"Drydock", "Ferry", "Harbour", "Lighthouse", "Slipway"}
	issue := Input{"issue", []string{"issue", "subject", "title", "name", "item"}}
	list := func(p *person.Person) {
		p.Open("/projects/harbour")
		p.Press(at("#main-menu a.issues", "Issues", ""))
	}
	settings := func(p *person.Person, tab string) {
		p.Open("/projects/harbour")
		p.Press(at("#main-menu a.settings", "Settings", ""))
		p.Press(at(".tabs a", tab, ""))
	}
	return App{Name: "redmine", Needs: []string{"puma", "sqlite3", program + "/config.ru"},
		From: "Debian: redmine redmine-sqlite puma sqlite3",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "redmine")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			site, data := filepath.Join(dir, "site"), filepath.Join(dir, "desk.db")
			const copied = `cp -r "$0" site && rm -f site/instances site/Gemfile.lock site/config/database.yml && cp -L "$0/Gemfile.lock" site/ &&
rm -rf site/public && ln -s "$0/public" site/public &&
mkdir -p site/instances/default/config site/instances/default/log site/instances/default/tmp site/instances/default/files`
			if _, err := command(ctx, dir, nil, "sh", "-c", copied, program); err != nil {
				return nil, err
			}
			for path, text := range map[string]string{
				"instances/default/config/database.yml":   "production:\n  adapter: sqlite3\n  timeout: 10000\n  database: " + data + "\n",
				"instances/default/config/secret_key.txt": strings.Repeat("kept-by-the-bench", 8),
				"config/initializers/zz_doorman.rb":       redmineDoorman, "lay.rb": layRedmine} {
				if err := os.WriteFile(filepath.Join(site, path), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			if err := deskData.put(data, func() error {
				_, err := command(ctx, site, nil, "bin/rails", "runner", "-e", "production", "lay.rb")
				return err
			}); err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/projects", nil, site, "puma", "-q", "-e", "production", "-b", "tcp://"+address, "config.ru")
			if err != nil {
				return nil, err
			}
			r.Facts = func(ctx context.Context) (Facts, error) { return rows(ctx, data, readRedmine) }
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-issue", Goal: "Report an issue",
			Inputs: []Input{{"subject", []string{"subject", "title", "issue"}}, {"description", []string{"description", "text"}},
				{"priority", []string{"priority"}}},
			Values: func(n int) Values {
				return Values{"subject": some(n, "Fender torn", "Gate is stuck", "Hoist smokes", "Ice on the quay"),
					"description": some(n, "At berth four", "On the north side", "Since Monday", "From end to end"),
					"priority":    some(n, "High", "Low", "Urgent", "Immediate")}
			},
			Demo: func(p *person.Person, v Values) {
				list(p)
				p.Press(at("#content a.new-issue", "New issue", ""))
				p.Write(at("#issue_subject", "", ""), v["subject"])
				p.Write(at("#issue_description", "", ""), v["description"])
				p.Pick(at("#issue_priority_id", "", ""), v["priority"])
				p.Press(at("input[type=submit]", "Create", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"issue " + v["subject"]: "New|" + v["priority"] + "|nobody|" + v["description"]}
			},
		}, {
			Name: "close-issue", Goal: "Close an issue", Inputs: []Input{issue},
			Values: func(n int) Values { return Values{"issue": issues[n%len(issues)]} },
			Demo: func(p *person.Person, v Values) {
				list(p)
				p.Press(at("table.issues td.subject a", v["issue"], ""))
				p.Press(at("#content a.icon-edit", "Edit", ""))
				p.Pick(at("#issue_status_id", "", ""), "Closed")
				p.Press(at("#issue-form input[type=submit]", "Submit", ""))
			},
			Expect: func(v Values) Facts { return Facts{"issue " + v["issue"]: "Closed|Normal|nobody|Seen on the round"} },
		}, {
			Name: "assign-issue", Goal: "Assign an issue to somebody",
			Inputs: []Input{issue, {"assignee", []string{"assignee", "person", "user", "name"}}},
			Values: func(n int) Values {
				return Values{"issue": issues[(n+1)%len(issues)], "assignee": some(n, "Bruno Keller", "Dmitri Orlov", "Amara Okafor", "Chloe Laurent")}
			},
			Demo: func(p *person.Person, v Values) {
				list(p)
				p.Press(at("table.issues td.buttons a", "Actions", v["issue"]))
				p.Press(at("#context-menu a.submenu", "Assignee", ""))
				p.Press(at("#context-menu a", v["assignee"], ""))
			},
			Expect: func(v Values) Facts {
				name, _, _ := strings.Cut(v["assignee"], " ")
				return Facts{"issue " + v["issue"]: "New|Normal|" + name + "|Seen on the round"}
			},
		}, {
			Name: "move-version", Goal: "Change the due date of a version",
			Inputs: []Input{{"version", []string{"version", "name", "item"}}, {"date", []string{"due_date", "date", "due", "deadline"}}},
			Values: func(n int) Values {
				return Values{"version": seasons[n%len(seasons)], "date": some(n, "2027-09-03", "2027-10-21", "2027-11-12", "2027-12-08")}
			},
			Demo: func(p *person.Person, v Values) {
				settings(p, "Versions")
				p.Press(at("#tab-content-versions a.icon-edit", "Edit", v["version"]))
				p.WriteDate(at("#version_effective_date", "", ""), v["date"])
				p.Press(at("input[type=submit]", "Save", ""))
			},
			Expect: func(v Values) Facts { return Facts{"version " + v["version"]: v["date"]} },
		}, {
			Name: "delete-category", Goal: "Delete an issue category", Grave: true,
			Inputs: []Input{{"category", []string{"category", "issue_category", "name", "item"}}},
			Values: func(n int) Values { return Values{"category": categories[(n+1)%len(categories)]} },
			Demo: func(p *person.Person, v Values) {
				settings(p, "Issue categories")
				p.Press(at("#tab-content-categories a.icon-del", "Delete", v["category"]))
			},
			Expect: func(v Values) Facts { return Facts{"category " + v["category"]: ""} },
		}, {
			Name: "describe-project", Goal: "Change the description of a project",
			Inputs: []Input{{"project", []string{"project", "name", "item"}}, {"description", []string{"description"}}},
			Values: func(n int) Values {
				return Values{"project": projects[(n*2+1)%len(projects)],
					"description": some(n, "What lies at the quay", "Who comes and goes", "How it is kept up", "When it is open")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/projects")
				p.Press(at("#projects-index a.project", v["project"], ""))
				p.Press(at("#main-menu a.settings", "Settings", ""))
				p.Write(at("#project_description", "", ""), v["description"])
				p.Press(at("#tab-content-info input[type=submit]", "Save", ""))
			},
			Expect: func(v Values) Facts { return Facts{"project " + v["project"]: v["description"]} },
		}}}
}
