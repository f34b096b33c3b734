// Reads a setup file: everything it declares, and everything that is wrong with it as far as the file itself shows.

import { SetupFile } from '@telltale/core/contract/setup-file'
import type { Fault } from '@telltale/core/errors'
import { toPointer } from '../../platform/http/strict-json.ts'
import { compileCheck } from '../../platform/http/validate.ts'
import { type Declarations, nothingDeclared } from './declarations.ts'
import { declareProjects } from './declare-projects.ts'
import { declareUsers } from './declare-users.ts'
import { readDocument } from './read-document.ts'
import { createReading } from './reading.ts'
import { soundPart } from './sound-part.ts'

export interface SetupFileReading {
  declarations: Declarations
  /** With any fault here the declarations are only good for finding more of them. */
  faults: Fault[]
}

const check = compileCheck(SetupFile)

export async function readSetupFile(
  file: string,
  env: Record<string, string | undefined>,
): Promise<SetupFileReading> {
  const document = await readDocument(file)
  if ('faults' in document) return { declarations: nothingDeclared, faults: document.faults }

  const { value } = document
  const checked = check(value)
  const reading = createReading(env, placesIn(value))
  if ('faults' in checked) reading.faults.push(...checked.faults)
  const addresses = addressesIn(value)
  const part = soundPart(value)

  const { owner, users } = await declareUsers(reading, part)
  const projects = declareProjects(reading, part.projects ?? [])
  return { declarations: { owner, users, projects, addresses }, faults: reading.faults }
}

/** Where each object of the document stands, whatever is taken out of the document later. */
function placesIn(document: unknown): WeakMap<object, string> {
  const places = new WeakMap<object, string>()
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return
    places.set(value, pointer)
    for (const [name, member] of Object.entries(value)) visit(member, pointer + toPointer([name]))
  }
  visit(document, '')
  return places
}

function addressesIn(document: unknown): Set<string> {
  const users = member(document, 'users')
  const entries = [member(document, 'owner'), ...(Array.isArray(users) ? users : [])]
  const addresses = entries.map((entry) => member(entry, 'email'))
  return new Set(addresses.flatMap((email) => (typeof email === 'string' ? [email.toLowerCase()] : [])))
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
