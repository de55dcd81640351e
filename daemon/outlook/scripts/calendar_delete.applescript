-- Deletes the event with this id, if it is still as it was ("was": title, start and end).
on perform(asked)
	set anEvent to my eventIn(asked)
	my mustBeAsItWas(anEvent, asked)
	set answer to my detailsOfEvent(anEvent)
	tell application "Microsoft Outlook" to delete anEvent
	return answer
end perform
