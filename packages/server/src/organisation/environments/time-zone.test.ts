import { expect, test } from 'vitest'
import { spellTimeZone } from './time-zone.ts'

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/GMT+1', 'Etc/GMT+1'],
])('%s is the time zone %s', (name, spelt) => {
  expect(spellTimeZone(name)).toBe(spelt)
})

test.each(['Mars/Olympus', '+01:00', '', 'Europe/Berlin ', 'DROP TABLE'])(
  '"%s" is not a time zone',
  (name) => {
    expect(spellTimeZone(name)).toBeUndefined()
  },
)
