package outlook

// EventsArgs are the arguments of calendar_read (R9 2.3).
type EventsArgs struct {
	Account  string `json:"account,omitempty" jsonschema:"all accounts when left out"`
	Calendar string `json:"calendar,omitempty" jsonschema:"the calendar's name; all calendars when left out"`
	DateFrom string `json:"date_from,omitempty" jsonschema:"the first day; today when left out"`
	DateTo   string `json:"date_to,omitempty" jsonschema:"the last day; seven days from now when left out"`
}

// Events is the answer of calendar_read (R9 2.5).
type Events struct {
	Events []Event `json:"events"`
	Range  Range   `json:"date_range"`
	Note   string  `json:"note,omitempty" jsonschema:"what was left out"`
	Marked
}

// Range is from the first to the last day.
type Range struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Event is an event, or one occurrence of an event that repeats.
type Event struct {
	ID         string      `json:"event_id"`
	Title      string      `json:"title"`
	Start      string      `json:"start_time"`
	End        string      `json:"end_time"`
	Minutes    int         `json:"duration_minutes"`
	Location   string      `json:"location"`
	AllDay     bool        `json:"is_all_day"`
	Recurring  bool        `json:"is_recurring"`
	Pattern    *Recurrence `json:"recurrence_pattern"`
	Account    string      `json:"account"`
	Calendar   string      `json:"calendar_name"`
	Categories []string    `json:"categories"`
	Reminder   *int        `json:"reminder_minutes"`
	Attendees  []string    `json:"attendees"`
	Organizer  string      `json:"organizer"`
	Notes      *string     `json:"notes"`
}

// Recurrence says how an event repeats.
type Recurrence struct {
	Pattern   string   `json:"pattern" jsonschema:"daily, weekly, monthly or yearly"`
	Interval  int      `json:"interval,omitempty" jsonschema:"every so many days, weeks, months or years; 1 when left out"`
	Days      []string `json:"days_of_week,omitempty" jsonschema:"of weekly: monday to sunday; the day of the start when left out"`
	StartDate string   `json:"start_date,omitempty" jsonschema:"the day of the start when left out"`
	EndDate   string   `json:"end_date,omitempty" jsonschema:"the last day on which it may occur; without it the event repeats for ever"`
}

// Reminder is an alert before an event.
type Reminder struct {
	Minutes int    `json:"minutes_before"`
	Title   string `json:"title,omitempty"`
}

// CreateArgs are the arguments of calendar_create.
type CreateArgs struct {
	Account    string      `json:"account" jsonschema:"the account to create it in, by its name or address"`
	Calendar   string      `json:"calendar,omitempty" jsonschema:"the calendar's name; the account's own calendar when left out"`
	Title      string      `json:"title"`
	Start      string      `json:"start_time" jsonschema:"such as 2026-03-15T09:00:00-05:00; without an offset in this computer's time zone; a day for an event of whole days"`
	End        string      `json:"end_time,omitempty" jsonschema:"an hour after the start when left out; of whole days the last day"`
	AllDay     bool        `json:"all_day,omitempty"`
	Location   string      `json:"location,omitempty"`
	Categories []string    `json:"categories,omitempty" jsonschema:"categories that Outlook has"`
	Reminders  []Reminder  `json:"reminders,omitempty" jsonschema:"Outlook keeps one: the earliest"`
	Attendees  []string    `json:"attendees,omitempty" jsonschema:"addresses; Outlook invites them"`
	Notes      string      `json:"notes,omitempty"`
	Recurrence *Recurrence `json:"recurrence,omitempty"`
}

// UpdateArgs are the arguments of calendar_update: what is left out stays.
type UpdateArgs struct {
	ID         string      `json:"event_id" jsonschema:"from the events of outlook_calendar_read"`
	Title      *string     `json:"title,omitempty"`
	Start      *string     `json:"start_time,omitempty" jsonschema:"without end_time the event keeps its length"`
	End        *string     `json:"end_time,omitempty"`
	AllDay     *bool       `json:"all_day,omitempty"`
	Location   *string     `json:"location,omitempty"`
	Categories *[]string   `json:"categories,omitempty" jsonschema:"all of them: those that are there are replaced"`
	Reminders  *[]Reminder `json:"reminders,omitempty" jsonschema:"Outlook keeps one: the earliest; an empty list removes it"`
	Attendees  *[]string   `json:"attendees,omitempty" jsonschema:"all of them: those that are there are replaced"`
	Notes      *string     `json:"notes,omitempty"`
	Recurrence *Recurrence `json:"recurrence,omitempty"`
}

// EventArgs name an event.
type EventArgs struct {
	ID string `json:"event_id" jsonschema:"from the events of outlook_calendar_read"`
}

// Written is the answer of calendar_create, calendar_update and calendar_delete.
type Written struct {
	Success  bool     `json:"success"`
	ID       string   `json:"event_id"`
	Title    string   `json:"title"`
	Start    string   `json:"start_time"`
	Calendar string   `json:"calendar"`
	Account  string   `json:"account"`
	Left     []string `json:"left,omitempty" jsonschema:"what Outlook cannot keep of what was asked for"`
}

// Calendars is the answer of calendar_list_calendars.
type Calendars struct {
	Calendars []Calendar `json:"calendars"`
}

// Calendar is a calendar of an account.
type Calendar struct {
	Name    string `json:"name"`
	Account string `json:"account"`
	Default bool   `json:"is_default"`
}
