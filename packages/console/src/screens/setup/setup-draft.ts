import { keyOf } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import type { Problem } from '../../api/problem.ts'
import type { SetupDraft } from '../../api/setup.ts'

export const fieldNames = ['code', 'name', 'email', 'password', 'project', 'publicUrl'] as const
export type FieldName = (typeof fieldNames)[number]
export type Faults = Partial<Record<FieldName, string>>
type Values = Record<Exclude<FieldName, 'publicUrl'>, string> & { publicUrl?: string }

/** Maps the server's JSON pointers to form fields. The project key is derived from its name. */
const fieldOfPointer: Record<string, FieldName> = {
  '/code': 'code',
  '/owner/name': 'name',
  '/owner/email': 'email',
  '/owner/password': 'password',
  '/project': 'project',
  '/project/key': 'project',
  '/project/name': 'project',
  '/publicUrl': 'publicUrl',
}

export function readValues(form: FormData): Values {
  const textOf = (name: FieldName) => String(form.get(name) ?? '')
  return {
    code: textOf('code').trim(),
    name: textOf('name').trim(),
    email: textOf('email').trim(),
    password: textOf('password'),
    project: textOf('project').trim(),
    publicUrl: textOf('publicUrl').trim(),
  }
}

export function findFaults(values: Values): Faults {
  const faults: Faults = {}
  if (!values.code) faults.code = 'Enter the code the server printed when it started.'
  if (!values.name) faults.name = 'Enter your name.'
  if (!/^\S+@\S+$/.test(values.email)) faults.email = 'Enter an e-mail address.'
  if (values.password.length < limits.passwordMinimum) {
    faults.password = `Use at least ${limits.passwordMinimum} characters.`
  }
  if (values.project && !keyOf(values.project))
    faults.project = 'Use a name with at least one letter or digit.'
  if (values.publicUrl && !/^https?:\/\/[^/?#@]+\/?$/.test(values.publicUrl)) {
    faults.publicUrl = 'Enter an origin such as https://telltale.example.com.'
  }
  return faults
}

export function draftOf({ code, name, email, password, project, publicUrl }: Values): SetupDraft {
  const draft = { code, owner: { name, email, password }, ...(publicUrl && { publicUrl }) }
  return project ? { ...draft, project: { key: keyOf(project), name: project } } : draft
}

/** Faults that belong to a field; all others stay in the notice above the form. */
export function faultsOf(problem: Pick<Problem, 'errors'>): Faults {
  const faults: Faults = {}
  for (const { pointer, message } of problem.errors) {
    const field = fieldOfPointer[pointer]
    if (field) faults[field] ??= message
  }
  return faults
}
