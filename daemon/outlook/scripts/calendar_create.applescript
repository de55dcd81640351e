-- Makes an event. One that cannot be made as it was asked for is deleted again.
on perform(asked)
	set aCalendar to my calendarIn(asked)
	set firstTime to my timeIn(asked, "start")
	set lastTime to my timeIn(asked, "end")
	set theTitle to my textIn(asked, "title")
	tell application "Microsoft Outlook"
		set anEvent to make new calendar event at aCalendar with properties {subject:theTitle, start time:firstTime, end time:lastTime}
	end tell
	try
		set lacking to my fillEvent(anEvent, asked)
	on error what number code
		try
			tell application "Microsoft Outlook" to delete anEvent
		end try
		error what number code
	end try
	set answer to my detailsOfEvent(anEvent)
	my keep(answer, "lacking", lacking)
	return answer
end perform
