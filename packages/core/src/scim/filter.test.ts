import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { parseFilter, parsePath, type ScimFilter } from './filter.ts'
import { ScimError } from './scim-error.ts'

const is = (attribute: string, value: string | number | boolean | null): ScimFilter => ({
  ...{ kind: 'compare', attribute, op: 'eq', value },
})

describe('a filter', () => {
  test.each<[string, ScimFilter]>([
    ['userName eq "ada@shop.example"', is('username', 'ada@shop.example')],
    ['USERNAME EQ "a \\"quoted\\" name"', is('username', 'a "quoted" name')],
    ['externalId eq "00u1"', is('externalid', '00u1')],
    ['active eq true', is('active', true)],
    ['active eq "False"', is('active', 'False')],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', is('username', 'a')],
    ['id eq "1" and displayName eq "b"', { kind: 'and', of: [is('id', '1'), is('displayname', 'b')] }],
    [
      'emails[type eq "work"].value eq "a"',
      { kind: 'and', of: [is('emails.type', 'work'), is('emails.value', 'a')] },
    ],
    [
      'emails[type eq "work" and value co "@shop"]',
      {
        kind: 'and',
        of: [
          is('emails.type', 'work'),
          { kind: 'compare', attribute: 'emails.value', op: 'co', value: '@shop' },
        ],
      },
    ],
    ['members.value eq "1"', is('members.value', '1')],
    [
      'not (a eq "1" or b pr) and c eq null',
      {
        kind: 'and',
        of: [
          { kind: 'not', of: { kind: 'or', of: [is('a', '1'), { kind: 'present', attribute: 'b' }] } },
          is('c', null),
        ],
      },
    ],
    [
      'a eq "1" or b eq "2" and c eq 3',
      { kind: 'or', of: [is('a', '1'), { kind: 'and', of: [is('b', '2'), is('c', 3)] }] },
    ],
  ])('%s', (text, expected) => {
    expect(parseFilter(text)).toEqual(expected)
  })

  test.each([
    '',
    'userName',
    'userName eq',
    'userName is "a"',
    'userName eq "a',
    'userName eq word',
    'userName eq "a" and',
    'userName eq "a" userName eq "b"',
    '(userName eq "a"',
    'userName eq "a")',
    'emails[type eq "work"',
    'userName eq "\\x"',
    '"a" eq userName',
    '; DROP TABLE users',
    '__proto__ eq constructor',
    `${'('.repeat(100)}a pr${')'.repeat(100)}`,
    `a eq "${'x'.repeat(limits.scimFilterLength)}"`,
  ])('%s is refused', (text) => {
    expect(() => parseFilter(text)).toThrow(ScimError)
  })
})

test.each([
  ['members', { attribute: 'members', where: undefined }],
  ['Members[value eq "1"]', { attribute: 'members', where: is('value', '1') }],
  ['emails[type eq "work"].value', { attribute: 'emails.value', where: is('type', 'work') }],
  ['name.givenName', { attribute: 'name.givenname', where: undefined }],
  [
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
    { attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department', where: undefined },
  ],
])('the path %s', (text, expected) => {
  expect(parsePath(text)).toEqual(expected)
})
