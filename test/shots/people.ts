// Who else works in the project of the pictures.

import { type APIRequestContext, request as requests } from '@playwright/test'
import { project } from '../browser/console.ts'

export interface Person {
  name: string
  email: string
  role: string
}

export const maintainer: Person = {
  name: 'Jonas Weber',
  email: 'jonas@pedalandpost.example',
  role: 'maintainer',
}
export const viewer: Person = { name: 'Noor Haddad', email: 'noor@pedalandpost.example', role: 'viewer' }

const password = 'three late herons cross over'

type Call = (method: string, path: string, data?: object) => Promise<unknown>

/** Becomes a member, invited by who calls; answers how they call from then on. */
export async function join(call: Call, url: string, person: Person): Promise<Call> {
  const { name, email, role } = person
  const invitation = await call('POST', `/api/v1/projects/${project.key}/invitations`, { email, role })
  const link =
    typeof invitation === 'object' && invitation !== null && 'url' in invitation ? String(invitation.url) : ''
  const own = await requests.newContext()
  const accepted = await own.post(`${url}/api/v1/invitation/accept`, {
    headers: { origin: url },
    data: { token: link.split('/').at(-1), name, password },
  })
  if (!accepted.ok()) throw new Error(`${email} could not join: ${await accepted.text()}`)
  return callerOf(own, url)
}

export async function signInAs(request: APIRequestContext, url: string, { email }: Person): Promise<void> {
  await callerOf(request, url)('POST', '/api/v1/sign-in', { email, password })
}

export function callerOf(request: APIRequestContext, url: string): Call {
  return async (method, path, data) => {
    const headers = { origin: url }
    const answer = await request.fetch(url + path, { method, headers, ...(data && { data }) })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
    return answer.status() === 204 ? undefined : answer.json()
  }
}
