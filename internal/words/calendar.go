package words

import "time"

// Weekday returns the name of a day of the week, such as "Monday".
func Weekday(d time.Weekday) Text {
	return [...]func() Text{
		CalendarSunday, CalendarMonday, CalendarTuesday, CalendarWednesday, CalendarThursday, CalendarFriday, CalendarSaturday,
	}[d]()
}

// Weekdays returns the name of a day of the week in the plural, such as "Mondays".
func Weekdays(d time.Weekday) Text {
	return [...]func() Text{
		CalendarSundays, CalendarMondays, CalendarTuesdays, CalendarWednesdays, CalendarThursdays, CalendarFridays, CalendarSaturdays,
	}[d]()
}

// ShortWeekday returns the short name of a day of the week, such as "Mon".
func ShortWeekday(d time.Weekday) Text {
	return [...]func() Text{
		CalendarShortSunday, CalendarShortMonday, CalendarShortTuesday, CalendarShortWednesday, CalendarShortThursday, CalendarShortFriday, CalendarShortSaturday,
	}[d]()
}

func month(m time.Month) Text {
	return [...]func() Text{
		CalendarJanuary, CalendarFebruary, CalendarMarch, CalendarApril, CalendarMay, CalendarJune,
		CalendarJuly, CalendarAugust, CalendarSeptember, CalendarOctober, CalendarNovember, CalendarDecember,
	}[m-1]()
}

// LongDate returns the date of t, such as "Monday, 2 January 2006".
func LongDate(t time.Time) Text {
	return CalendarLong(Weekday(t.Weekday()), t.Day(), month(t.Month()), t.Year())
}

// ShortDate returns the date of t without the year, such as "Mon 2 Jan".
func ShortDate(t time.Time) Text { return CalendarShort(ShortWeekday(t.Weekday()), Date(t)) }

// ShortDateYear returns the date of t, such as "Mon 2 Jan 2006".
func ShortDateYear(t time.Time) Text { return CalendarWithYear(ShortDate(t), t.Year()) }

// DateYear returns the date of t without the weekday, such as "2 Jan 2006".
func DateYear(t time.Time) Text { return CalendarWithYear(Date(t), t.Year()) }

// DayMonth returns the day and the month of t, such as "2 January".
func DayMonth(t time.Time) Text { return CalendarDayMonth(t.Day(), month(t.Month())) }

// MonthYear returns the month of t, such as "January 2006".
func MonthYear(t time.Time) Text { return CalendarMonthYear(month(t.Month()), t.Year()) }
