-- Changes the event with this id, if it is still as it was ("was": title, start and end).
on perform(asked)
	set anEvent to my eventIn(asked)
	my mustBeAsItWas(anEvent, asked)
	set lacking to my fillEvent(anEvent, asked)
	set answer to my detailsOfEvent(anEvent)
	my keep(answer, "lacking", lacking)
	return answer
end perform
