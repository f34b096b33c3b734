import { type Answer, ask } from './problem.ts'

export interface SetupDraft {
  code: string
  owner: { name: string; email: string; password: string }
  project?: { key: string; name: string }
}

export function getSetup(): Promise<Answer<{ done: boolean }>> {
  return ask('/api/v1/setup', { headers: { accept: 'application/json' } })
}

export function completeSetup(draft: SetupDraft): Promise<Answer<unknown>> {
  return ask('/api/v1/setup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(draft),
  })
}
