// One request that always times out and never throws.

export interface Post {
  headers: Record<string, string>
  body: string
}

/** Until the last byte. */
const timeLimit = 10_000

/** Empty when no readable response arrived in time. Only a 200 has a body. */
export type Reply<Body> = [response?: Response, body?: Body]

/** The body is unchecked: the caller validates it. */
export async function postJson<Body>(url: string, post: Post): Promise<Reply<Body>> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), timeLimit)
  try {
    const response = await fetch(url, { ...post, method: 'POST', signal: controller.signal })
    return [response, response.status === 200 ? await response.json() : undefined]
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
