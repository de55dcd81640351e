-- Saves attachments of the message with this id, each to the path that it was given: "files": [{"number", "name", "path"}].
-- One that has another name by now is another attachment, and is not saved.
on perform(asked)
	set aMessage to my messageIn(asked, "id")
	set saved to my newList()
	set wanted to asked's objectForKey:"files"
	repeat with i from 1 to (wanted's |count|()) as integer
		set aFile to wanted's objectAtIndex:(i - 1)
		set itsNumber to (my numberIn(aFile, "number", 0)) as integer
		set itsPath to my textIn(aFile, "path")
		set itsTarget to POSIX file itsPath
		tell application "Microsoft Outlook"
			set anAttachment to attachment itsNumber of aMessage
			if my textOf(name of anAttachment) is my textIn(aFile, "name") then
				save anAttachment in itsTarget
				my addTo(saved, itsNumber)
			end if
		end tell
	end repeat
	set answer to my newRecord()
	my keep(answer, "saved", saved)
	return answer
end perform
