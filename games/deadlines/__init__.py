"""When phases end: timetables, opening and closing a phase, grace, absences, reminders, calendars."""
