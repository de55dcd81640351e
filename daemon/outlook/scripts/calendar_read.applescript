-- Reads the events of calendars that touch a time; those that repeat are given once each, as the series, with how they
-- repeat, and beside them what was changed of single occurrences. At most "most" events, for at most "patience" seconds.
-- With "id", the one event alone.
on perform(asked)
	set rows to my newList()
	set answer to my newRecord()
	my keep(answer, "events", rows)
	my keep(answer, "complete", true)
	if my gives(asked, "id") then
		my addTo(rows, my detailsOfEvent(my eventIn(asked)))
		return answer
	end if
	set stopAt to (current date) + (my numberIn(asked, "patience", 5))
	set most to my numberIn(asked, "most", 500)
	set fromTime to my timeIn(asked, "from")
	set toTime to my timeIn(asked, "to")
	set anyFound to false
	repeat with pair in my everyCalendar()
		set {aCalendar, itsAccount} to contents of pair
		if my isAskedFor(asked, aCalendar, itsAccount) then
			set anyFound to true
			tell application "Microsoft Outlook"
				set found to (get calendar events of aCalendar whose start time < toTime and end time > fromTime)
				set found to found & (get calendar events of aCalendar whose is recurring is true and start time < toTime)
				try
					set found to found & (get calendar events of aCalendar whose is occurrence is true ¬
						and recurrence id ≥ fromTime and recurrence id < toTime)
				end try
			end tell
			repeat with one in found
				if (current date) > stopAt or (rows's |count|()) as integer ≥ most then
					my keep(answer, "complete", false)
					return answer
				end if
				my addTo(rows, my detailsOfEvent(contents of one))
			end repeat
		end if
	end repeat
	if not anyFound and my gives(asked, "calendar") then error "There is no such calendar." number 9004
	return answer
end perform

on isAskedFor(asked, aCalendar, itsAccount)
	if my gives(asked, "address") then
		if my addressOfAccount(itsAccount) is not my textIn(asked, "address") then return false
		if my nameOfAccount(itsAccount) is not my textIn(asked, "account") then return false
	end if
	if my gives(asked, "calendar") then return my nameOfCalendar(aCalendar) is my textIn(asked, "calendar")
	return true
end isAskedFor
