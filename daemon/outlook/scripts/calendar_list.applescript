-- Lists the calendars of all accounts: {"calendars": [{"name", "account", "address", "default"}]}
on perform(asked)
	set gathered to my newList()
	repeat with pair in my everyCalendar()
		set {one, itsAccount} to contents of pair
		set row to my newRecord()
		my keep(row, "name", my nameOfCalendar(one))
		my keep(row, "account", my nameOfAccount(itsAccount))
		my keep(row, "address", my addressOfAccount(itsAccount))
		my keep(row, "default", my isDefault(one, itsAccount))
		my addTo(gathered, row)
	end repeat
	set answer to my newRecord()
	my keep(answer, "calendars", gathered)
	return answer
end perform
