import { describe, expect, test } from 'vitest'
import { readClaims, refuseEmail } from './read-claims.ts'
import { missingRoles, rolesOfGroups } from './roles-of-groups.ts'

describe('claims', () => {
  test('groups are found by the whole name of the claim, or by a path', () => {
    const namespaced = { 'https://shop.example/groups': ['a', 'b', 'a', 7] }
    expect(readClaims(namespaced, 'https://shop.example/groups').groups).toEqual(['a', 'b'])
    expect(readClaims({ realm_access: { roles: ['a'] } }, 'realm_access.roles').groups).toEqual(['a'])
    expect(readClaims({ groups: 'only' }, 'groups').groups).toEqual(['only'])
    expect(readClaims({ groups: ['a'] }, null).groups).toBeUndefined()
  })

  test('a missing claim means no groups; a reference to groups means unknown ones', () => {
    expect(readClaims({}, 'groups').groups).toEqual([])
    expect(readClaims({ _claim_names: { groups: 'src1' } }, 'groups').groups).toBeUndefined()
    expect(readClaims({}, '__proto__.constructor').groups).toEqual([])
  })

  test('a name is put together if it is missing', () => {
    expect(readClaims({ given_name: 'Ada', family_name: 'Park' }, null).name).toBe('Ada Park')
    expect(readClaims({ name: ' ' }, null).name).toBeUndefined()
  })
})

test.each([
  [{ email: 'ada@shop.example', email_verified: true }, false, undefined],
  [{ email: 'ADA@SHOP.example', email_verified: 'true' }, false, undefined],
  [{ email: 'ada@shop.example' }, true, undefined],
  [{ email: 'ada@shop.example' }, false, 'has not verified'],
  // What the provider says is stronger than the setting.
  [{ email: 'ada@shop.example', email_verified: false }, true, 'has not verified'],
  [{ email_verified: true }, true, 'no e-mail'],
  [{ email: 'ada@evil.example', email_verified: true }, false, 'evil.example'],
  [{ email: 'ada@shop.example@evil.example', email_verified: true }, false, 'evil.example'],
  [{ email: 'shop.example', email_verified: true }, false, 'cannot sign in'],
])('the address of %j, unverified ones accepted: %s', (claims, acceptsUnverified, refusal) => {
  const refused = refuseEmail(readClaims(claims, null), { domains: ['shop.example'], acceptsUnverified })
  if (refusal === undefined) expect(refused).toBeUndefined()
  else expect(refused).toContain(refusal)
})

test('the highest role of all groups counts, in each project', () => {
  const { isOwner, projects } = rolesOfGroups(
    ['dev', 'ops'],
    [
      { group: 'dev', project: 'shop', role: 'editor' },
      { group: 'ops', project: 'shop', role: 'admin' },
      { group: '*', project: 'shop', role: 'viewer' },
      { group: '*', project: 'docs', role: 'viewer' },
      { group: 'boss', project: null, role: 'owner' },
    ],
    new Map(),
  )
  expect([...projects]).toEqual([
    ['shop', 'admin'],
    ['docs', 'viewer'],
  ])
  expect(isOwner).toBe(false)
  const boss = [{ group: 'boss', project: null, role: 'owner' }]
  expect(rolesOfGroups(['boss'], boss, new Map()).isOwner).toBe(true)
})

test('a group gives an own role of the project; of several roles, the one that allows most', () => {
  const grants = [
    { group: 'ops', project: 'shop', role: 'captain' },
    { group: '*', project: 'shop', role: 'viewer' },
    { group: '*', project: 'docs', role: 'captain' },
  ]
  const own = new Map([
    ['shop', [{ key: 'captain', permissions: ['flags.change', 'alerts.change'] as const }]],
  ])
  expect([...rolesOfGroups(['ops'], grants, own).projects]).toEqual([['shop', 'captain']])
  expect([...rolesOfGroups([], grants, own).projects]).toEqual([['shop', 'viewer']])
  expect(missingRoles(['ops'], grants, own)).toEqual([{ project: 'docs', role: 'captain' }])
})
