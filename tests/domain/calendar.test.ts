import { expect, it } from 'vitest'
import { calendarAt } from '../../src/domain/calendar.ts'

it('formats the calendar day of a time zone as YYYY-MM-DD', () => {
  const moment = Date.UTC(2026, 0, 1, 23, 30)
  expect(calendarAt('UTC')(moment)).toBe('2026-01-01')
  expect(calendarAt('Europe/Berlin')(moment)).toBe('2026-01-02')
  expect(calendarAt('America/New_York')(moment - 86_400_000)).toBe('2025-12-31')
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  expect(calendarAt()(moment)).toBe(calendarAt(timeZone)(moment))
})
