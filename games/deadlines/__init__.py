"""When phases end: timetables, opening and closing phases, extensions, absences, reminders, calendars."""
