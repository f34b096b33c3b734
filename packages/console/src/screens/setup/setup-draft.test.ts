import { expect, test } from 'vitest'
import { draftOf, faultsOf, findFaults } from './setup-draft.ts'

const values = {
  code: 'k3y',
  name: 'Mara',
  email: 'mara@pedalandpost.example',
  password: 'twelve letters',
  project: '',
}

test('a complete form has no faults, and the project is left out when it has no name', () => {
  expect(findFaults(values)).toEqual({})
  expect(draftOf(values)).not.toHaveProperty('project')
})

test('every missing field is named at once', () => {
  const empty = { code: '', name: '', email: 'mara', password: 'short', project: '&' }
  expect(Object.keys(findFaults(empty))).toEqual(['code', 'name', 'email', 'password', 'project'])
})

test('what the server refuses stands at the field it is about', () => {
  const problem = {
    errors: [
      { pointer: '/owner/email', message: 'is no e-mail address' },
      { pointer: '/project/key', message: 'is taken' },
      { pointer: '/elsewhere', message: 'is unknown' },
    ],
  }
  expect(faultsOf(problem)).toEqual({ email: 'is no e-mail address', project: 'is taken' })
})
