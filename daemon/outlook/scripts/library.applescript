-- What Showhow's scripts for Outlook have in common. Showhow puts it before the script of an operation, whose handler
-- perform does the work. What it is to work on is a JSON object: the first argument, else the standard input. Its answer is
-- JSON; so is a failure, with AppleScript's number. Times are seconds since 1970.
--
-- Numbers of our own: 9000 Outlook is not open, 9001 no such account, 9002 folder, 9003 message, 9004 calendar, 9005 event,
-- 9006 the event is not as it was, 9009 what came is no JSON, 9010 Outlook did not make it as it was asked to, and it is
-- gone again.

use AppleScript version "2.5"
use framework "Foundation"
use scripting additions

on run argv
	try
		if application "Microsoft Outlook" is not running then error "Outlook is not running." number 9000
		set asked to my askedFor(argv)
		with timeout of (my numberIn(asked, "seconds", 8)) seconds
			set answer to my perform(asked)
		end timeout
		return my asJSON(answer)
	on error what number code
		return my asJSON(my failure(what, code))
	end try
end run

on failure(what, code)
	set answer to my newRecord()
	my keep(answer, "error", true)
	my keep(answer, "number", code)
	my keep(answer, "message", what)
	return answer
end failure

-- JSON

on askedFor(argv)
	if (count of argv) > 0 then
		set document_ to (current application's NSString's stringWithString:(item 1 of argv))'s dataUsingEncoding:4
	else
		set document_ to (current application's NSFileHandle's fileHandleWithStandardInput())'s readDataToEndOfFile()
	end if
	set asked to current application's NSJSONSerialization's JSONObjectWithData:document_ options:0 |error|:(missing value)
	if asked is missing value then error "What was asked for is no JSON." number 9009
	return asked
end askedFor

on asJSON(answer)
	set told to current application's NSJSONSerialization's dataWithJSONObject:answer options:0 |error|:(missing value)
	return (current application's NSString's alloc()'s initWithData:told encoding:4) as text
end asJSON

on newRecord()
	return current application's NSMutableDictionary's dictionary()
end newRecord

on newList()
	return current application's NSMutableArray's array()
end newList

on keep(aRecord, named, what)
	if what is missing value then set what to current application's NSNull's |null|()
	aRecord's setObject:what forKey:named
end keep

on addTo(aList, what)
	aList's addObject:what
end addTo

on gives(asked, named)
	return (asked's objectForKey:named) is not missing value
end gives

on textIn(asked, named)
	set found to asked's objectForKey:named
	if found is missing value then return ""
	return found as text
end textIn

on numberIn(asked, named, otherwise)
	set found to asked's objectForKey:named
	if found is missing value then return otherwise
	return found as real
end numberIn

on flagIn(asked, named)
	set found to asked's objectForKey:named
	if found is missing value then return false
	return found as boolean
end flagIn

on listIn(asked, named)
	set found to asked's objectForKey:named
	if found is missing value then return {}
	return found as list
end listIn

on timeIn(asked, named)
	return (current application's NSDate's dateWithTimeIntervalSince1970:(my numberIn(asked, named, 0))) as date
end timeIn

on secondsOf(moment)
	if moment is missing value then return 0
	return ((current application's NSDate's dateWithTimeInterval:0 sinceDate:moment)'s timeIntervalSince1970()) as real
end secondsOf

on textOf(what)
	if what is missing value then return ""
	return what as text
end textOf

-- Accounts, folders, messages

on everyAccount()
	set gathered to {}
	tell application "Microsoft Outlook"
		repeat with one in (get exchange accounts)
			set end of gathered to {contents of one, "exchange"}
		end repeat
		repeat with one in (get imap accounts)
			set end of gathered to {contents of one, "imap"}
		end repeat
		repeat with one in (get pop accounts)
			set end of gathered to {contents of one, "pop"}
		end repeat
	end tell
	return gathered
end everyAccount

on nameOfAccount(anAccount)
	try
		tell application "Microsoft Outlook" to return my textOf(name of anAccount)
	end try
	return ""
end nameOfAccount

on addressOfAccount(anAccount)
	try
		tell application "Microsoft Outlook" to return my textOf(email address of anAccount)
	end try
	return ""
end addressOfAccount

on accountIn(asked)
	repeat with pair in my everyAccount()
		set one to item 1 of pair
		if my nameOfAccount(one) is my textIn(asked, "account") and my addressOfAccount(one) is my textIn(asked, "address") then return one
	end repeat
	error "There is no such account." number 9001
end accountIn

on folderIn(asked, anAccount)
	set known to my textIn(asked, "known_folder")
	try
		tell application "Microsoft Outlook"
			if known is "inbox" then return inbox of anAccount
			if known is "sent" then return sent items of anAccount
			if known is "drafts" then return drafts of anAccount
			if known is "deleted" then return deleted items of anAccount
			if known is "junk" then return junk mail of anAccount
			set place to anAccount
			repeat with part in my listIn(asked, "folder")
				set wanted to part as text
				set place to first mail folder of place whose name is wanted
			end repeat
			return place
		end tell
	on error
		error "There is no such folder." number 9002
	end try
end folderIn

on messageIn(asked, named)
	set wanted to (my numberIn(asked, named, 0)) as integer
	try
		tell application "Microsoft Outlook"
			set found to message id wanted
			get subject of found
			return found
		end tell
	on error number code
		if code is -1712 then error "Outlook does not answer." number code
		error "There is no such message." number 9003
	end try
end messageIn

on addressesOf(people)
	set gathered to {}
	repeat with one in people
		try
			tell application "Microsoft Outlook" to set itsAddress to address of (get email address of one)
			set end of gathered to my textOf(itsAddress)
		end try
	end repeat
	return gathered
end addressesOf

-- what a list of messages shows of one; by is "received" or "sent"
on rowOf(aMessage, moment)
	set row to my newRecord()
	set {itsSender, itsName} to {"", ""}
	tell application "Microsoft Outlook"
		my keep(row, "id", id of aMessage)
		my keep(row, "subject", my textOf(subject of aMessage))
		my keep(row, "read", is read of aMessage)
		try
			set who to sender of aMessage
			set itsSender to my textOf(address of who)
			set itsName to my textOf(name of who)
		end try
	end tell
	my keep(row, "from", itsSender)
	my keep(row, "from_name", itsName)
	my keep(row, "at", my secondsOf(moment))
	return row
end rowOf

on momentOf(aMessage)
	set moment to missing value
	tell application "Microsoft Outlook"
		try
			set moment to time received of aMessage
		end try
		if moment is missing value then set moment to time sent of aMessage
	end tell
	return moment
end momentOf

-- all of a message but its text
on detailsOf(aMessage)
	set row to my rowOf(aMessage, my momentOf(aMessage))
	set itsFiles to my newList()
	set {itsHeaders, itsImportance} to {"", "normal"}
	tell application "Microsoft Outlook"
		my keep(row, "to", my addressesOf(to recipients of aMessage))
		repeat with one in (get attachments of aMessage)
			set aFile to my newRecord()
			my keep(aFile, "name", my textOf(name of one))
			set itsSize to 0
			try
				set itsSize to file size of one
			end try
			my keep(aFile, "size", itsSize)
			my addTo(itsFiles, aFile)
		end repeat
		try
			if priority of aMessage is priority high then set itsImportance to "high"
			if priority of aMessage is priority low then set itsImportance to "low"
		end try
		try
			set itsHeaders to my textOf(headers of aMessage)
		end try
	end tell
	my keep(row, "files", itsFiles)
	my keep(row, "importance", itsImportance)
	my keep(row, "headers", itsHeaders)
	my keep(row, "categories", my categoriesOf(aMessage))
	return row
end detailsOf

on categoriesOf(something)
	set gathered to {}
	try
		tell application "Microsoft Outlook"
			repeat with one in (get category of something)
				set end of gathered to my textOf(name of one)
			end repeat
		end tell
	end try
	return gathered
end categoriesOf

-- A message that was composed and stays a draft. What Outlook made of it is compared with what was asked for: the sender
-- and all recipients. If they differ it is deleted again.
on composed(asked)
	set anAccount to my accountIn(asked)
	set theSubject to my textIn(asked, "subject")
	set theContent to my textIn(asked, "content")
	if my gives(asked, "answers") then
		set original to my messageIn(asked, "answers")
		tell application "Microsoft Outlook"
			set letter to reply to original without opening window
			set subject of letter to theSubject
			set content of letter to theContent & (content of letter)
			repeat with one in (get recipients of letter)
				delete one
			end repeat
			set account of letter to anAccount
		end tell
	else
		tell application "Microsoft Outlook"
			set letter to make new outgoing message with properties {account:anAccount, subject:theSubject, content:theContent}
		end tell
	end if
	try
		my addressTo(letter, asked)
	on error what number code
		try
			tell application "Microsoft Outlook" to delete letter
		end try
		error what number code
	end try
	return letter
end composed

on addressTo(letter, asked)
	repeat with one in my listIn(asked, "to")
		set theAddress to one as text
		tell application "Microsoft Outlook" to make new to recipient at letter with properties {email address:{address:theAddress}}
	end repeat
	repeat with one in my listIn(asked, "cc")
		set theAddress to one as text
		tell application "Microsoft Outlook" to make new cc recipient at letter with properties {email address:{address:theAddress}}
	end repeat
	tell application "Microsoft Outlook"
		set made to my addressesOf(recipients of letter)
		set itsAccount to account of letter
	end tell
	set wanted to my listIn(asked, "to") & my listIn(asked, "cc")
	set same to (count of made) is (count of wanted) and my addressOfAccount(itsAccount) is my textIn(asked, "address")
	repeat with one in wanted
		if made does not contain (one as text) then set same to false
	end repeat
	if not same then error "Outlook did not make the message as it was asked to." number 9010
end addressTo

-- Calendars and events

on everyCalendar()
	set gathered to {}
	tell application "Microsoft Outlook"
		repeat with one in (get calendars)
			set itsAccount to missing value
			try
				set itsAccount to account of one
			end try
			set end of gathered to {contents of one, itsAccount}
		end repeat
	end tell
	return gathered
end everyCalendar

on nameOfCalendar(aCalendar)
	tell application "Microsoft Outlook" to return my textOf(name of aCalendar)
end nameOfCalendar

on isDefault(aCalendar, anAccount)
	try
		tell application "Microsoft Outlook" to return (id of aCalendar) is (id of (get default calendar of anAccount))
	end try
	return false
end isDefault

-- the calendar that is asked for: of an account, by its name; without a name its own
on calendarIn(asked)
	repeat with pair in my everyCalendar()
		set {one, itsAccount} to contents of pair
		if my addressOfAccount(itsAccount) is my textIn(asked, "address") and my nameOfAccount(itsAccount) is my textIn(asked, "account") then
			if my gives(asked, "calendar") then
				if my nameOfCalendar(one) is my textIn(asked, "calendar") then return one
			else if my isDefault(one, itsAccount) then
				return one
			end if
		end if
	end repeat
	error "There is no such calendar." number 9004
end calendarIn

on eventIn(asked)
	set wanted to (my numberIn(asked, "id", 0)) as integer
	try
		tell application "Microsoft Outlook"
			set found to calendar event id wanted
			get subject of found
			return found
		end tell
	on error number code
		if code is -1712 then error "Outlook does not answer." number code
		error "There is no such event." number 9005
	end try
end eventIn

on mustBeAsItWas(anEvent, asked)
	set was to asked's objectForKey:"was"
	tell application "Microsoft Outlook"
		set same to my textOf(subject of anEvent) is my textIn(was, "title")
		if my secondsOf(start time of anEvent) is not my numberIn(was, "start", 0) then set same to false
		if my secondsOf(end time of anEvent) is not my numberIn(was, "end", 0) then set same to false
	end tell
	if not same then error "The event is not as it was." number 9006
end mustBeAsItWas

on detailsOfEvent(anEvent)
	set row to my newRecord()
	set {itsCalendar, itsAccount} to {missing value, missing value}
	set {minutesBefore, original, itsMaster, itsRule} to {missing value, missing value, missing value, missing value}
	set {itsOrganizer, itsNotes} to {"", ""}
	tell application "Microsoft Outlook"
		my keep(row, "id", id of anEvent)
		my keep(row, "title", my textOf(subject of anEvent))
		my keep(row, "start", my secondsOf(start time of anEvent))
		my keep(row, "end", my secondsOf(end time of anEvent))
		my keep(row, "all_day", all day flag of anEvent)
		my keep(row, "location", my textOf(location of anEvent))
		try
			if has reminder of anEvent then set minutesBefore to reminder time of anEvent
		end try
		try
			set itsNotes to my textOf(plain text content of anEvent)
		end try
		try
			set itsOrganizer to my textOf(organizer of anEvent)
		end try
		try
			set itsCalendar to calendar of anEvent
			set itsAccount to account of itsCalendar
		end try
		try
			if is occurrence of anEvent then
				set itsMaster to id of (get master of anEvent)
				set original to recurrence id of anEvent
			end if
		end try
		try
			set itsRule to recurrence of anEvent
		end try
		my keep(row, "attendees", my addressesOf(attendees of anEvent))
	end tell
	my keep(row, "notes", itsNotes)
	my keep(row, "organizer", itsOrganizer)
	my keep(row, "reminder", minutesBefore)
	my keep(row, "categories", my categoriesOf(anEvent))
	my keep(row, "master", itsMaster)
	if original is not missing value then my keep(row, "original", my secondsOf(original))
	if itsCalendar is not missing value then my keep(row, "calendar", my nameOfCalendar(itsCalendar))
	my keep(row, "account", my nameOfAccount(itsAccount))
	my keep(row, "address", my addressOfAccount(itsAccount))
	if itsRule is not missing value then my keep(row, "rule", my detailsOfRule(itsRule))
	return row
end detailsOfEvent

on detailsOfRule(aRule)
	set row to my newRecord()
	set theDays to {}
	tell application "Microsoft Outlook"
		set itsKind to recurrence type of aRule
		if itsKind is daily then my keep(row, "kind", "daily")
		if itsKind is weekly then my keep(row, "kind", "weekly")
		if itsKind is absolute monthly then my keep(row, "kind", "absolute_monthly")
		if itsKind is relative monthly then my keep(row, "kind", "relative_monthly")
		if itsKind is absolute yearly then my keep(row, "kind", "absolute_yearly")
		if itsKind is relative yearly then my keep(row, "kind", "relative_yearly")
		my keep(row, "interval", occurrence interval of aRule)
		try
			my keep(row, "start", my secondsOf(start date of aRule))
		end try
		try
			set chosen to days of week of aRule
			if sunday of chosen then set end of theDays to 0
			if monday of chosen then set end of theDays to 1
			if tuesday of chosen then set end of theDays to 2
			if wednesday of chosen then set end of theDays to 3
			if thursday of chosen then set end of theDays to 4
			if friday of chosen then set end of theDays to 5
			if saturday of chosen then set end of theDays to 6
		end try
		try
			my keep(row, "day", day of month of aRule)
		end try
		try
			my keep(row, "month", month number of aRule)
		end try
		try
			my keep(row, "ordinal", ordinal of aRule)
		end try
		try
			set ending to end date of aRule
			if end type of ending is end date type then my keep(row, "until", my secondsOf(data of ending))
			if end type of ending is end numbered type then my keep(row, "count", data of ending)
		end try
	end tell
	my keep(row, "days", theDays)
	return row
end detailsOfRule

on ruleIn(aRule)
	set firstTime to my timeIn(aRule, "start")
	set everySo to (my numberIn(aRule, "interval", 1)) as integer
	set itsKind to my textIn(aRule, "kind")
	set chosen to my listIn(aRule, "days")
	tell application "Microsoft Outlook"
		if my gives(aRule, "until") then
			set ending to {end type:end date type, data:my timeIn(aRule, "until")}
		else
			set ending to {end type:no end type}
		end if
		if itsKind is "daily" then
			return {recurrence type:daily, occurrence interval:everySo, start date:firstTime, end date:ending}
		else if itsKind is "weekly" then
			set theDays to {sunday:chosen contains 0, monday:chosen contains 1, tuesday:chosen contains 2, wednesday:chosen contains 3, ¬
				thursday:chosen contains 4, friday:chosen contains 5, saturday:chosen contains 6}
			return {recurrence type:weekly, occurrence interval:everySo, start date:firstTime, end date:ending, days of week:theDays}
		else if itsKind is "absolute_monthly" then
			return {recurrence type:absolute monthly, occurrence interval:everySo, start date:firstTime, end date:ending, ¬
				day of month:(my numberIn(aRule, "day", 1)) as integer}
		else
			return {recurrence type:absolute yearly, occurrence interval:everySo, start date:firstTime, end date:ending, ¬
				day of month:(my numberIn(aRule, "day", 1)) as integer, month number:(my numberIn(aRule, "month", 1)) as integer}
		end if
	end tell
end ruleIn

-- Writes what is given into an event, and sends it to those who are invited; returns the categories that Outlook lacks.
-- Whole days come first: Outlook sets the times anew when that changes.
on fillEvent(anEvent, asked)
	set lacking to {}
	tell application "Microsoft Outlook"
		if my gives(asked, "all_day") then set all day flag of anEvent to my flagIn(asked, "all_day")
		if my gives(asked, "start") then set start time of anEvent to my timeIn(asked, "start")
		if my gives(asked, "end") then set end time of anEvent to my timeIn(asked, "end")
		if my gives(asked, "title") then set subject of anEvent to my textIn(asked, "title")
		if my gives(asked, "location") then set location of anEvent to my textIn(asked, "location")
		if my gives(asked, "content") then set content of anEvent to my textIn(asked, "content")
		if my gives(asked, "reminder") then
			set minutesBefore to (my numberIn(asked, "reminder", -1)) as integer
			if minutesBefore < 0 then
				set has reminder of anEvent to false
			else
				set has reminder of anEvent to true
				set reminder time of anEvent to minutesBefore
			end if
		end if
		if my gives(asked, "categories") then
			set chosen to {}
			repeat with one in my listIn(asked, "categories")
				set wanted to one as text
				try
					set end of chosen to first category whose name is wanted
				on error
					set end of lacking to wanted
				end try
			end repeat
			set category of anEvent to chosen
		end if
		if my gives(asked, "rule") then set recurrence of anEvent to my ruleIn(asked's objectForKey:"rule")
		if my gives(asked, "attendees") then
			repeat with one in (get attendees of anEvent)
				delete one
			end repeat
			repeat with one in my listIn(asked, "attendees")
				set theAddress to one as text
				make new required attendee at anEvent with properties {email address:{address:theAddress}}
			end repeat
		end if
		if my flagIn(asked, "invite") then send meeting anEvent
	end tell
	return lacking
end fillEvent
