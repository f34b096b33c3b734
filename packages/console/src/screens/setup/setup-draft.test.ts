import { expect, test } from 'vitest'
import { draftOf, faultsOf, findFaults } from './setup-draft.ts'

const values = {
  code: 'k3y',
  name: 'Mara',
  email: 'mara@pedalandpost.example',
  password: 'twelve letters',
  project: '',
}

test('a complete form has no faults, and omits a project without a name', () => {
  expect(findFaults(values)).toEqual({})
  expect(draftOf(values)).not.toHaveProperty('project')
})

test('reports all missing fields at once', () => {
  const empty = { code: '', name: '', email: 'mara', password: 'short', project: '&' }
  expect(Object.keys(findFaults(empty))).toEqual(['code', 'name', 'email', 'password', 'project'])
})

test("the server's faults are at their fields", () => {
  const problem = {
    errors: [
      { pointer: '/owner/email', message: 'is no e-mail address' },
      { pointer: '/project/key', message: 'is taken' },
      { pointer: '/elsewhere', message: 'is unknown' },
    ],
  }
  expect(faultsOf(problem)).toEqual({ email: 'is no e-mail address', project: 'is taken' })
})
