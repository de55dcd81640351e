-- Looks for messages. By step:
--   list      those of a folder within a time, without details; at most "most", for at most "patience" seconds
--   find      the ids of those of a folder within a time that have "header" in their headers
--   describe  those with "ids", with details
-- "known_folder" is sent for a folder whose messages count by when they were sent.
on perform(asked)
	set step to my textIn(asked, "step")
	if step is "describe" then return my described(asked)
	set anAccount to my accountIn(asked)
	set aFolder to my folderIn(asked, anAccount)
	if step is "find" then return my matching(asked, aFolder)
	return my listed(asked, aFolder)
end perform

on messagesWithin(asked, aFolder)
	set fromTime to my timeIn(asked, "from")
	set toTime to my timeIn(asked, "to")
	tell application "Microsoft Outlook"
		if my textIn(asked, "known_folder") is "sent" then
			return (get messages of aFolder whose time sent ≥ fromTime and time sent < toTime)
		else if my flagIn(asked, "unread_only") then
			return (get messages of aFolder whose time received ≥ fromTime and time received < toTime and is read is false)
		end if
		return (get messages of aFolder whose time received ≥ fromTime and time received < toTime)
	end tell
end messagesWithin

on listed(asked, aFolder)
	set stopAt to (current date) + (my numberIn(asked, "patience", 5))
	set most to my numberIn(asked, "most", 500)
	set rows to my newList()
	set complete to true
	repeat with one in my messagesWithin(asked, aFolder)
		if (current date) > stopAt or (rows's |count|()) as integer ≥ most then
			set complete to false
			exit repeat
		end if
		set aMessage to contents of one
		my addTo(rows, my rowOf(aMessage, my momentOf(aMessage)))
	end repeat
	tell application "Microsoft Outlook" to set itsName to name of aFolder
	set answer to my newRecord()
	my keep(answer, "rows", rows)
	my keep(answer, "complete", complete)
	my keep(answer, "folder", my textOf(itsName))
	return answer
end listed

on matching(asked, aFolder)
	set fromTime to my timeIn(asked, "from")
	set toTime to my timeIn(asked, "to")
	set wanted to my textIn(asked, "header")
	tell application "Microsoft Outlook"
		if my textIn(asked, "known_folder") is "sent" then
			set found to (get messages of aFolder whose time sent ≥ fromTime and time sent < toTime and headers contains wanted)
		else
			set found to (get messages of aFolder whose time received ≥ fromTime and time received < toTime and headers contains wanted)
		end if
	end tell
	set ids to my newList()
	repeat with one in found
		tell application "Microsoft Outlook" to set itsId to id of one
		my addTo(ids, itsId)
	end repeat
	set answer to my newRecord()
	my keep(answer, "ids", ids)
	return answer
end matching

on described(asked)
	set rows to my newList()
	repeat with one in my listIn(asked, "ids")
		set wanted to one as integer
		set aMessage to missing value
		try
			tell application "Microsoft Outlook"
				set aMessage to message id wanted
				get subject of aMessage
			end tell
		on error number code
			if code is -1712 then error "Outlook does not answer." number code
			set aMessage to missing value
		end try
		if aMessage is not missing value then my addTo(rows, my detailsOf(aMessage))
	end repeat
	set answer to my newRecord()
	my keep(answer, "rows", rows)
	return answer
end described
