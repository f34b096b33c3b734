/** What the server answers when it refuses (RFC 9457), or what we say when it does not answer at all. */
export interface Problem {
  status?: number
  title: string
  detail?: string
  requestId?: string
  errors?: { pointer: string; message: string }[]
}

export type Answer<Reply> = { reply: Reply } | { problem: Problem }

const silence: Problem = {
  title: 'The server does not answer',
  detail: 'It may be restarting, or this machine is offline. Nothing was changed.',
}

export async function ask<Reply>(path: string, request?: RequestInit): Promise<Answer<Reply>> {
  let response: Response
  try {
    response = await fetch(path, request)
  } catch {
    return { problem: silence }
  }
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return { reply: body as Reply }
  return { problem: isProblem(body) ? body : { title: `The server answered ${response.status}` } }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'title' in body && typeof body.title === 'string'
}
