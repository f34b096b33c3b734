import { expect, type Page } from '@playwright/test'
import type { BuiltServer } from './built-server.ts'
import { owner, project } from './console.ts'

export const projectPath = `/api/v1/projects/${project.key}`

/** Asks the server as whoever is signed in on the page. */
export async function ask<Reply>(
  page: Page,
  server: BuiltServer,
  requested: { method?: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<Reply> {
  const answer = await page.request.fetch(`${server.url}${requested.path}`, {
    method: requested.method ?? 'GET',
    headers: { origin: server.url, ...requested.headers },
    ...(requested.body === undefined ? {} : { data: requested.body }),
  })
  expect(answer.ok(), `${requested.path}: ${answer.status()} ${await answer.text()}`).toBe(true)
  return answer.status() === 204 ? JSON.parse('null') : answer.json()
}

/** The page of a person who has a role in the project. An owner invites; whoever was signed in is not any more. */
export async function becomeMember(page: Page, server: BuiltServer, role: string): Promise<void> {
  const invitation = await ask<{ url: string }>(page, server, {
    method: 'POST',
    path: `${projectPath}/invitations`,
    body: { email: `${role}-${Date.now()}@pedalandpost.example`, role },
  })
  await page.context().clearCookies()
  await ask(page, server, {
    method: 'POST',
    path: '/api/v1/invitation/accept',
    body: { token: invitation.url.split('/').at(-1), name: `A ${role}`, password: owner.password },
  })
}
