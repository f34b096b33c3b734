import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { changeGroup } from './group.ts'
import { readPatch } from './patch.ts'
import { ScimError } from './scim-error.ts'
import { changeUser, readUser, shownName } from './user.ts'

const ada = readUser({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ada@shop.example',
  externalId: '00u1',
  name: { givenName: 'Ada', familyName: 'Park' },
  emails: [
    { value: 'home@shop.example', type: 'home' },
    { value: 'ada.park@shop.example', type: 'work', primary: true },
  ],
  active: true,
  password: 'never kept',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Shipping' },
})

const patch = (...operations: unknown[]) => changeUser(ada, readPatch({ Operations: operations }))

test('a user has what is kept of it', () => {
  expect(ada).toEqual({
    ...{ userName: 'ada@shop.example', externalId: '00u1', givenName: 'Ada', familyName: 'Park' },
    ...{ email: 'ada.park@shop.example', active: true, displayName: undefined, formatted: undefined },
  })
  expect(shownName(ada)).toBe('Ada Park')
  expect(shownName({ ...ada, displayName: 'Ada P.' })).toBe('Ada P.')
  expect(shownName(readUser({ userName: 'x@shop.example' }))).toBe('x@shop.example')
})

describe('a user is changed', () => {
  test.each<[string, unknown[], object]>([
    ['as Okta deactivates', [{ op: 'replace', value: { active: false } }], { active: false }],
    ['with a text for a boolean', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    ['with a text without a path', [{ op: 'ADD', value: { active: 'True' } }], { active: true }],
    [
      'by a filtered path',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@shop.example' }],
      { email: 'new@shop.example' },
    ],
    [
      'by paths as names',
      [{ op: 'Add', value: { 'name.givenName': 'Adela', 'emails[type eq "work"].value': 'a@shop.example' } }],
      { givenName: 'Adela', email: 'a@shop.example' },
    ],
    [
      'by part of the name',
      [{ op: 'replace', path: 'name', value: { familyName: 'Kim' } }],
      { familyName: 'Kim' },
    ],
    ['by removing', [{ op: 'remove', path: 'externalId' }], { externalId: undefined }],
    [
      'with the URN of the schema',
      [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'A' }],
      { displayName: 'A' },
    ],
    [
      'not by another address',
      [{ op: 'replace', path: 'emails[type eq "home"].value', value: 'b@x.example' }],
      {},
    ],
    [
      'not by what is not kept',
      [
        { op: 'replace', path: 'title', value: 'Captain' },
        { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '+1' },
        { op: 'add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', value: 'x' },
        { op: 'add', path: 'constructor.prototype.polluted', value: true },
      ],
      {},
    ],
  ])('%s', (_how, operations, expected) => {
    expect(patch(...operations)).toEqual({ ...ada, ...expected })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['without operations', {}],
    ['with none', { Operations: [] }],
    [
      'with too many',
      { Operations: Array.from({ length: limits.scimOperations + 1 }, () => ({ op: 'add' })) },
    ],
    ['with an unknown one', { Operations: [{ op: 'move', path: 'active' }] }],
    ['with a removal of nothing', { Operations: [{ op: 'remove' }] }],
    ['with a value that is no object', { Operations: [{ op: 'add', value: 'x' }] }],
    ['with a path that cannot be read', { Operations: [{ op: 'add', path: 'emails[', value: 'x' }] }],
    ['with a path to a prototype', { Operations: [{ op: 'add', path: '__proto__.polluted', value: true }] }],
    ['with a number as a path', { Operations: [{ op: 'add', path: 5, value: 'x' }] }],
    ['without a user name', { Operations: [{ op: 'remove', path: 'userName' }] }],
    ['with an active that is neither', { Operations: [{ op: 'replace', path: 'active', value: 'maybe' }] }],
    ['with a long name', { Operations: [{ op: 'replace', path: 'displayName', value: 'x'.repeat(300) }] }],
  ])('and refused %s', (_how, body) => {
    expect(() => changeUser(ada, readPatch(body))).toThrow(ScimError)
  })
})

describe('a group is changed', () => {
  const change = (...Operations: unknown[]) => changeGroup(readPatch({ Operations }))

  test.each<[string, unknown[], object]>([
    [
      'as Okta renames',
      [{ op: 'replace', value: { id: '1', displayName: 'Payments' } }],
      { displayName: 'Payments', members: [] },
    ],
    [
      'as Okta adds and removes',
      [
        { op: 'remove', path: 'members[value eq "A1"]' },
        { op: 'add', path: 'members', value: [{ value: 'b', display: 'B' }, { value: 'b' }] },
      ],
      {
        members: [
          { kind: 'remove', ids: ['a1'] },
          { kind: 'add', ids: ['b'] },
        ],
      },
    ],
    [
      'as Entra removes',
      [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'a' }] }],
      { members: [{ kind: 'remove', ids: ['a'] }] },
    ],
    ['by removing all', [{ op: 'remove', path: 'members' }], { members: [{ kind: 'set', ids: [] }] }],
    [
      'by replacing members',
      [{ op: 'replace', path: 'members', value: [{ value: 'a' }] }],
      { members: [{ kind: 'set', ids: ['a'] }] },
    ],
    [
      'by a filter of several',
      [{ op: 'remove', path: 'members[value eq "a" or value eq "b"]' }],
      { members: [{ kind: 'remove', ids: ['a', 'b'] }] },
    ],
    ['without an external id', [{ op: 'remove', path: 'externalId' }], { externalId: null, members: [] }],
  ])('%s', (_how, operations, expected) => {
    expect(change(...operations)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['a group as a member', { op: 'add', path: 'members', value: [{ value: 'a', type: 'Group' }] }],
    ['a member without an id', { op: 'add', path: 'members', value: [{ display: 'A' }] }],
    ['members by name', { op: 'remove', path: 'members[display eq "A"]' }],
    ['no name', { op: 'replace', path: 'displayName', value: '' }],
    [
      'more members than a team has',
      {
        ...{ op: 'add', path: 'members' },
        value: Array.from({ length: limits.teamMembers + 1 }, (_, index) => ({ value: `${index}` })),
      },
    ],
  ])('but not with %s', (_how, operation) => {
    expect(() => change(operation)).toThrow(ScimError)
  })
})
