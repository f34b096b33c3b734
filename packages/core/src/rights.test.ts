import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ProjectPermission, projectPermissions, projectRoles } from './permissions.ts'
import {
  allPermissions,
  excessOf,
  type Grant,
  limitTo,
  may,
  mayEverywhere,
  maySomewhere,
  type PermissionSet,
  permissionsIn,
  permissionsOf,
  type Rights,
  unite,
} from './rights.ts'

const places = [undefined, 'production', 'staging', 'development']

const somePermissions: fc.Arbitrary<PermissionSet> = fc
  .subarray<ProjectPermission>([...allPermissions])
  .map((chosen) => new Set(chosen))
const someRights: fc.Arbitrary<Rights> = fc.record({
  permissions: somePermissions,
  environments: fc
    .dictionary(fc.constantFrom('production', 'staging'), somePermissions)
    .map((sets) => new Map(Object.entries(sets))),
})
const grant = (rights: Rights): Grant => ({ kind: 'project', ...rights })

function everywhere(check: (permission: ProjectPermission, place: string | undefined) => void): void {
  for (const permission of allPermissions) for (const place of places) check(permission, place)
}

test('a role never allows what its permissions do not name', () => {
  fc.assert(
    fc.property(somePermissions, fc.constantFrom(...places), (permissions, place) => {
      const own = [{ key: 'release-captain', permissions: [...permissions] }]
      const rights = { permissions: permissionsOf('release-captain', own), environments: new Map() }
      for (const permission of allPermissions) {
        const isNamed = permissions.has(permission) || permission === 'project.view'
        expect(may(grant(rights), permission, place)).toBe(isNamed)
      }
    }),
  )
})

test('the role in an environment decides there, and nowhere else', () => {
  fc.assert(
    fc.property(someRights, (rights) => {
      everywhere((permission, place) => {
        const set = (place === undefined ? undefined : rights.environments.get(place)) ?? rights.permissions
        expect(may(grant(rights), permission, place)).toBe(set.has(permission))
        if (set.has(permission)) expect(maySomewhere(grant(rights), permission)).toBe(true)
        else expect(mayEverywhere(grant(rights), permission)).toBe(false)
      })
    }),
  )
})

test('a token never exceeds its own role or its owner, and keeps what both have', () => {
  fc.assert(
    fc.property(someRights, somePermissions, (owner, limit) => {
      const token = grant(limitTo(owner, limit))
      everywhere((permission, place) => {
        const both = limit.has(permission) && may(grant(owner), permission, place)
        expect(may(token, permission, place)).toBe(both)
      })
    }),
  )
})

test('several roles allow together exactly what one of them allows', () => {
  fc.assert(
    fc.property(fc.array(someRights, { minLength: 1, maxLength: 4 }), (all) => {
      const united = grant(unite(all))
      everywhere((permission, place) => {
        expect(may(united, permission, place)).toBe(all.some((one) => may(grant(one), permission, place)))
      })
    }),
  )
})

test('a change without excess gives nothing that its author lacks', () => {
  fc.assert(
    fc.property(
      someRights,
      someRights,
      fc.option(someRights, { nil: undefined }),
      (author, after, before) => {
        const excess = excessOf(grant(author), { before, after })
        everywhere((permission, place) => {
          const isGiven =
            permissionsIn(after, place).has(permission) &&
            !(before && permissionsIn(before, place).has(permission))
          const isFound = excess.some((one) => one.permission === permission && one.environment === place)
          const isElsewhere =
            place !== undefined && ![author, after, before].some((one) => one?.environments.has(place))
          // An environment without another role is decided with the project.
          if (!isElsewhere) expect(isFound).toBe(isGiven && !may(grant(author), permission, place))
        })
        expect(excessOf({ kind: 'installation', role: 'owner' }, { before, after })).toEqual([])
      },
    ),
  )
})

test('built-in roles hold what the table says, and a deleted role only sees the project', () => {
  for (const role of projectRoles) {
    for (const permission of allPermissions) {
      const from = projectRoles.indexOf(projectPermissions[permission].from)
      expect(permissionsOf(role).has(permission)).toBe(projectRoles.indexOf(role) >= from)
    }
  }
  expect([...permissionsOf('deleted')]).toEqual(['project.view'])
})
