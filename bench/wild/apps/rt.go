package apps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"showhow/bench/corpus/person"
)

const (
	// layTickets fills Request Tracker's new database: colleagues, queues, and tickets that nobody owns.
	layTickets = `use strict; use lib "/usr/share/request-tracker5/lib"; use RT; RT->LoadConfig; RT->Init; use MIME::Entity;
my $all = RT->SystemUser;
sub made { my ($ok, @said) = @_; die "@said" unless $ok }
for ("Cleo Clerk", "Amara Okafor", "Bruno Keller", "Chloe Laurent", "Dmitri Orlov") {
  my ($name) = map { lc } split;
  my $u = RT::User->new($all);
  made($u->Create(Name => $name, RealName => $_, EmailAddress => "$name\@desk.example", Privileged => 1));
  made($u->PrincipalObj->GrantRight(Right => "SuperUser", Object => $RT::System));
}
made(RT::Queue->new($all)->Create(Name => $_, Description => "All about " . lc)) for "Billing", "Deliveries", "Repairs", "Returns";
my $clerk = RT::CurrentUser->new($all);
$clerk->Load("cleo");
for ("Anchor lost", "Bell is silent", "Crane creaks", "Door jams", "Engine leaks") {
  my ($id, undef, $said) = RT::Ticket->new($clerk)->Create(Queue => "General", Subject => $_, Requestor => "guest\@post.example",
    MIMEObj => MIME::Entity->build(Type => "text/plain", Data => ["Seen on the round"]));
  made($id, $said);
}
`
	readTickets = `select 'ticket ' || t.Subject, t.Status || '|' || u.Name || '|' || substr(t.Due, 1, 10) || '|' || (
select trim(replace(replace(replace(a.Content, '<p>', ''), '</p>', ''), '&nbsp;', ''), char(10) || char(13) || ' ')
from Transactions x join Attachments a on a.TransactionId = x.id
where x.ObjectType = 'RT::Ticket' and x.ObjectId = t.id and x.Type = 'Create' and a.ContentType like 'text/%' limit 1)
from Tickets t join Users u on u.id = t.Owner
union all select 'queue ' || Name, Description || case Disabled when 1 then '|disabled' else '' end from Queues`
	// ticketDoorman signs everybody in and keeps the address that the person uses.
	ticketDoorman = `my $app = do "/usr/share/request-tracker5/libexec/rt-server" or die $@;
sub { my $e = shift; $e->{REMOTE_USER} = "cleo"; @$e{"SERVER_NAME", "SERVER_PORT"} = split /:/, $e->{HTTP_HOST}; $app->($e) };
`
)

// ticketData is the database as each run begins with it.
var ticketData laid

// requestTracker answers those who ask for something: menus that open under the mouse, lists drawn by a script, a text that is written in
// a frame, dates that are typed, and one deed by a link.
func requestTracker() App {
	const program = "/usr/share/request-tracker5"
	tickets := []string{"Anchor lost", "Bell is silent", "Crane creaks", "Door jams", "Engine leaks"}
	queues := []string{"Billing", "Deliveries", "Repairs", "Returns"}
	ticket := Input{"ticket", []string{"ticket", "subject", "title", "name", "item"}}
	owner := func(n int) string {
		return some(n, "bruno (Bruno Keller)", "dmitri (Dmitri Orlov)", "amara (Amara Okafor)", "chloe (Chloe Laurent)")
	}
	login := func(owner string) string { return strings.Fields(owner)[0] }
	open := func(p *person.Person, v Values) {
		p.Open("/")
		p.Press(at("table.collection-as-table a", v["ticket"], ""))
	}
	pick := func(p *person.Person, within, entry string) {
		p.Press(at(within+" .bootstrap-select.Owner button", "", ""))
		p.Press(at(".bootstrap-select.Owner .dropdown-menu.show a", entry, ""))
	}
	const never, round = "|1970-01-01|", "Seen on the round"
	return App{Name: "request-tracker", Needs: []string{"plackup", "rt-setup-database-5", "setsid", "sqlite3", program + "/libexec/rt-server"},
		From: "Debian: request-tracker5 rt5-db-sqlite rt5-standalone sqlite3",
		Version: func(ctx context.Context) string {
			return first(ctx, "dpkg-query", "-W", "-f", "${Version}", "request-tracker5")
		},
		Start: func(ctx context.Context, dir, address string) (*Running, error) {
			data, settings := filepath.Join(dir, "tickets.db"), filepath.Join(dir, "settings")
			if err := os.Mkdir(settings, 0o700); err != nil {
				return nil, err
			}
			_, port, _ := strings.Cut(address, ":")
			config := fmt.Sprintf(`Set($rtname, "desk.example"); Set($Organization, "desk.example"); Set($DatabaseType, "SQLite");
Set($DatabaseName, "%s"); Set($WebDomain, "127.0.0.1"); Set($WebPort, %s); Set($WebPath, ""); Set($RestrictReferrer, 0);
Set($MailCommand, "testfile"); Set($Timezone, "UTC"); Set($WebRemoteUserAuth, 1); Set($WebRemoteUserContinuous, 1);
Set($LogToSyslog, undef); Set($LogToSTDERR, "error"); Set(%%GnuPG, Enable => 0); Set(%%SMIME, Enable => 0); 1;
`, data, port)
			for path, text := range map[string]string{"settings/RT_SiteConfig.pm": config, "lay.pl": layTickets, "door.psgi": ticketDoorman} {
				if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
					return nil, err
				}
			}
			env := []string{"RT_SITE_CONFIG_DIR=" + settings}
			err := ticketData.put(data, func() error {
				_, err := command(ctx, dir, env, "sh", "-e", "-c", "rt-setup-database-5 --action init --skip-create; perl lay.pl")
				return err
			})
			if err != nil {
				return nil, err
			}
			r, err := start(ctx, address, "/", env, dir, "setsid", "plackup", "-s", "Starlet", "-E", "deployment", "--max-workers=3",
				"--host", "127.0.0.1", "--port", port, "-a", "door.psgi")
			if err != nil {
				return nil, err
			}
			r.also = func() { // those that it began are of its group
				_, _ = command(context.WithoutCancel(ctx), "/", nil, "sh", "-c", fmt.Sprintf("kill -KILL -%d", r.cmd.Process.Pid))
			}
			r.Facts = func(ctx context.Context) (Facts, error) { return rows(ctx, data, readTickets) }
			return r, nil
		},
		Workflows: []Workflow{{
			Name: "new-ticket", Goal: "Create a ticket",
			Inputs: []Input{{"subject", []string{"subject", "title", "ticket"}}, {"message", []string{"message", "content", "description", "text"}},
				{"owner", []string{"owner", "person", "colleague"}}},
			Values: func(n int) Values {
				return Values{"subject": some(n, "Fender torn", "Gate is stuck", "Hoist smokes", "Ice on the quay"),
					"message": some(n, "At berth four", "On the north side", "Since Monday", "From end to end"), "owner": owner(n)}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/Ticket/Create.html?Queue=1")
				p.Write(at("form[name=TicketCreate] input[name=Subject]", "", ""), v["subject"])
				p.Write(at("body.cke_editable", "", ""), v["message"])
				pick(p, "form[name=TicketCreate]", v["owner"])
				p.Press(at("form[name=TicketCreate] input[name=SubmitTicket]", "Create", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"ticket " + v["subject"]: "new|" + login(v["owner"]) + never + v["message"]}
			},
		}, {
			Name: "resolve-ticket", Goal: "Resolve a ticket", Inputs: []Input{ticket},
			Values: func(n int) Values { return Values{"ticket": tickets[n%len(tickets)]} },
			Demo: func(p *person.Person, v Values) {
				open(p, v)
				p.Press(at("#page-actions", "", ""))
				p.Press(at("#page-actions-resolve", "", ""))
				p.Wait(at("body.cke_editable", "", "")) // it moves what is below
				p.Press(at("input[name=SubmitTicket]", "Update Ticket", ""))
			},
			Expect: func(v Values) Facts { return Facts{"ticket " + v["ticket"]: "resolved|Nobody" + never + round} },
		}, {
			Name: "due-date", Goal: "Set the due date of a ticket",
			Inputs: []Input{ticket, {"due", []string{"due", "due_date", "date"}}},
			Values: func(n int) Values {
				return Values{"ticket": tickets[(n+1)%len(tickets)], "due": some(n, "2027-09-03", "2027-10-21", "2027-11-12", "2027-12-08")}
			},
			Demo: func(p *person.Person, v Values) {
				open(p, v)
				p.Press(at("#page-dates", "", ""))
				p.Write(at("#Due_Date", "", ""), v["due"])
				p.Key("Tab", 9, 1) // closes the calendar that lies over the page
				p.Press(at("input[name=SubmitTicket]", "Save Changes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"ticket " + v["ticket"]: "new|Nobody|" + v["due"] + "|" + round} },
		}, {
			Name: "give-ticket", Goal: "Give a ticket to a colleague",
			Inputs: []Input{ticket, {"owner", []string{"owner", "person", "colleague"}}},
			Values: func(n int) Values { return Values{"ticket": tickets[(n+2)%len(tickets)], "owner": owner(n)} },
			Demo: func(p *person.Person, v Values) {
				open(p, v)
				p.Press(at("#page-people", "", ""))
				pick(p, "form[name=TicketPeople]", v["owner"])
				p.Press(at("form[name=TicketPeople] input[name=SubmitTicket]", "Save Changes", ""))
			},
			Expect: func(v Values) Facts {
				return Facts{"ticket " + v["ticket"]: "new|" + login(v["owner"]) + never + round}
			},
		}, {
			Name: "delete-ticket", Goal: "Delete a ticket", Grave: true, Inputs: []Input{ticket},
			Values: func(n int) Values { return Values{"ticket": tickets[(n+3)%len(tickets)]} },
			Demo: func(p *person.Person, v Values) {
				open(p, v)
				p.Press(at("#page-actions", "", ""))
				p.Press(at("#page-actions-delete", "", ""))
			},
			Expect: func(v Values) Facts { return Facts{"ticket " + v["ticket"]: "deleted|Nobody" + never + round} },
		}, {
			Name: "describe-queue", Goal: "Change the description of a queue",
			Inputs: []Input{{"queue", []string{"queue", "name", "item"}}, {"description", []string{"description"}}},
			Values: func(n int) Values {
				return Values{"queue": queues[(n+1)%len(queues)],
					"description": some(n, "What is owed", "Who brings it", "How it is kept up", "When it goes back")}
			},
			Demo: func(p *person.Person, v Values) {
				p.Open("/Admin/Queues/")
				p.Press(at("table.collection-as-table a", v["queue"], ""))
				p.Write(at("form[name=ModifyQueue] input[name=Description]", "", ""), v["description"])
				p.Press(at("input[name=Submit]", "Save Changes", ""))
			},
			Expect: func(v Values) Facts { return Facts{"queue " + v["queue"]: v["description"]} },
		}}}
}
